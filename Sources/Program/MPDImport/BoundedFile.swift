import Foundation

/// Reads files of MPD's, which may be damaged, huge, or no files at all.
enum BoundedFile {
    /// A regular file's bytes.
    ///
    /// - Throws: `MPDImportError` when it can't be read or is larger than `limit` bytes.
    static func bytes(at path: String, atMost limit: Int) throws(MPDImportError) -> Data {
        let descriptor = open(LosslessText.cString(path), O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { throw MPDImportError("can't read \(path): \(String(cString: strerror(errno)))") }
        let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw MPDImportError("\(path) is not a file")
        }
        guard status.st_size <= limit else {
            throw MPDImportError("\(path) is larger than \(limit >> 20) MiB; it can't be MPD's")
        }
        do {
            return try handle.read(upToCount: limit) ?? Data()
        } catch {
            throw MPDImportError("can't read \(path): \(error.localizedDescription)", cause: error)
        }
    }

    /// A text file; lines that are no UTF-8 are read in `charset`, or keep their bytes.
    static func text(at path: String, atMost limit: Int, charset: String? = nil) throws(MPDImportError) -> String {
        LosslessText.text(try bytes(at: path, atMost: limit), charset: charset)
    }
}
