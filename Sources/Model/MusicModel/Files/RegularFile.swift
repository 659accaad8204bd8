import Glibc

/// Files in folders to which others may write. A pipe called `cover.jpg` would block the thread that opens it, so only
/// regular files are opened, and one that is exchanged at the last moment doesn't block. Nor is anything outside of a
/// network storage read for what lies within (`LinkBoundary`).
package enum RegularFile {
    /// Why a file has no bytes for us.
    package enum Problem: Error, Hashable, Sendable, CustomStringConvertible {
        /// There is none of that name, or it is a folder, a pipe, a device or a socket.
        case missing
        /// It is there but can't be opened or read, for the system's reason as in `errno`.
        case unreadable(Int32)
        case tooLarge

        /// The reason for a person, such as `Permission denied`.
        package var description: String {
            switch self {
            case .missing: "there is no such file"
            case .unreadable(let reason): String(cString: strerror(reason))
            case .tooLarge: "it is too large"
            }
        }
    }

    /// Opens a file for reading, with its size in bytes; throws `.missing` or `.unreadable`. The caller closes it.
    package static func open(_ path: DiskPath) throws(Problem) -> (descriptor: Int32, size: Int64) {
        guard var status = path.status() else {
            throw errno == ENOENT || errno == ENOTDIR ? .missing : .unreadable(errno)
        }
        guard status.st_mode & S_IFMT == S_IFREG else { throw .missing }
        let descriptor = path.open(O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
        guard descriptor >= 0 else { throw errno == EXDEV ? .missing : .unreadable(errno) }
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            close(descriptor)
            throw .missing
        }
        return (descriptor, Int64(status.st_size))
    }

    /// Opens the file of a path of the library, likewise.
    package static func open(_ path: String) throws(Problem) -> (descriptor: Int32, size: Int64) {
        try open(DiskPath(path))
    }

    /// Reads a whole file of at most that many bytes.
    /// - Throws: `Problem`.
    /// - Isolation: blocks for the reading.
    package static func read(_ path: String, upTo limit: Int) throws(Problem) -> [UInt8] {
        try read(DiskPath(path), upTo: limit)
    }

    /// Reads a whole file at a path that is known, likewise, as if there were none where its descriptor isn't allowed.
    package static func read(
        _ path: DiskPath, upTo limit: Int, where isAllowed: (Int32) -> Bool = { _ in true }
    ) throws(Problem) -> [UInt8] {
        let (descriptor, size) = try open(path)
        defer { close(descriptor) }
        guard isAllowed(descriptor) else { throw .missing }
        guard size <= limit else { throw .tooLarge }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(Int(size))
        var piece = [UInt8](repeating: 0, count: 64 << 10)
        while true {
            let count = Glibc.read(descriptor, &piece, piece.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw .unreadable(errno) }
            if count == 0 { return bytes }
            bytes += piece[..<count]
            guard bytes.count <= limit else { throw .tooLarge }
        }
    }
}
