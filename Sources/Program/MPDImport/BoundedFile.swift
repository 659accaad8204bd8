import Foundation

/// Reads files of MPD's, which may be damaged, huge, or no files at all.
enum BoundedFile {
    /// A regular file's bytes.
    ///
    /// - Throws: `MPDImportError` when it can't be read or is larger than `limit` bytes.
    static func bytes(at path: String, atMost limit: Int) throws(MPDImportError) -> Data {
        let descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
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

    /// A text file; bytes that are no UTF-8 become replacement characters.
    static func text(at path: String, atMost limit: Int) throws(MPDImportError) -> String {
        String(decoding: try bytes(at: path, atMost: limit), as: UTF8.self)
    }
}

/// Paths as MPD writes them.
enum ExpandedPath {
    /// The absolute form of a path: `~` and `~user` expanded, anything else relative to `folder`.
    static func of(_ path: String, in folder: String) -> String {
        if path.hasPrefix("~") { return (path as NSString).expandingTildeInPath }
        if path.hasPrefix("/") { return path }
        return (folder as NSString).appendingPathComponent(path)
    }
}
