import Foundation

/// Writes files that only their owner can read.
package enum PrivateFile {
    /// Writes a file; an old one is replaced at once or not at all.
    ///
    /// - Throws: `StateFileError`.
    package static func write(_ text: String, to path: String) throws {
        let temporary = path + ".new"
        unlink(temporary)
        let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            throw StateFileError("can't write \(temporary): \(String(cString: strerror(errno)))")
        }
        let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        do {
            try handle.write(contentsOf: Data(text.utf8))
            try handle.synchronize()
        } catch {
            throw StateFileError("can't write \(temporary): \(systemMessage(error))", cause: error)
        }
        guard rename(temporary, path) == 0 else {
            throw StateFileError("can't write \(path): \(String(cString: strerror(errno)))")
        }
    }
}
