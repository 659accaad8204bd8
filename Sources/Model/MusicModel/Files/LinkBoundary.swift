import Glibc
import Synchronization

/// The folders with links to network storages, whose own links lead to nothing outside of each. A link that another
/// machine has made names a file of that machine; here it would be a way to this one's files. So files and folders are
/// opened first, and used only if the open descriptor leads to a place in the storage: the other machine may exchange
/// them at any time. `DiskPath` opens all that it opens by this.
package enum LinkBoundary {
    private static let folders = Mutex<[String]>([])

    /// `O_PATH`, which glibc hides from Swift: a descriptor of a place, by which nothing is read.
    private static let placeOnly: Int32 = 0o10_000_000

    /// Keeps links in storages below a folder in, in this process.
    /// - Parameter folder: has a link for each storage, which leads to the storage by a path without links.
    package static func keep(_ folder: String) { folders.withLock { if !$0.contains(folder) { $0.append(folder) } } }

    /// Opens what a path leads to.
    /// - Returns: a descriptor, which is the caller's; negative with the reason in `errno`, which is `EXDEV` for what
    ///   lies outside of its storage.
    /// - Isolation: blocks for reads of the disk.
    package static func open(_ path: UnsafePointer<CChar>, _ flags: Int32) -> Int32 {
        guard let storage = storage(of: path) else { return Glibc.open(path, flags) }
        let descriptor = Glibc.open(path, placeOnly | O_CLOEXEC)
        guard descriptor >= 0 else { return -1 }
        defer { close(descriptor) }
        guard isInside(descriptor, storage) else {
            errno = EXDEV
            return -1
        }
        // The very file or folder that was looked at, whatever has its name by now.
        return Glibc.open("/proc/self/fd/\(descriptor)", flags)
    }

    private static func storage(of path: UnsafePointer<CChar>) -> String? {
        folders.withLock(\.isEmpty) ? nil : storage(of: String(cString: path))
    }

    /// The path of the storage that a path lies in, if it lies in one.
    static func storage(of path: String) -> String? {
        let folders = folders.withLock { $0 }
        return folders.lazy.compactMap { folder in
            path.path(below: folder)?.pathParts.first.map { "\(folder)/\($0)" }
        }.first
    }

    private static func isInside(_ descriptor: Int32, _ storage: String) -> Bool {
        let root = Glibc.open(storage, placeOnly | O_DIRECTORY | O_CLOEXEC)
        guard root >= 0 else { return false }
        defer { close(root) }
        // A folder of the other machine could itself be a link by now; the program's own link names one without links.
        guard let folder = target("/proc/self/fd/\(root)"), let named = target(storage),
            named == folder, let path = target("/proc/self/fd/\(descriptor)")
        else { return false }
        return path.path(below: folder) != nil
    }

    private static func target(_ link: String) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: Int(PATH_MAX) + 1)
        let count = readlink(link, &bytes, bytes.count)
        guard (1..<bytes.count).contains(count) else { return nil }
        return Array(bytes[..<count])
    }
}
