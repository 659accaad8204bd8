import Glibc
import Synchronization

/// The folders with links to network storages, whose own links lead to nothing outside of each: another machine's link
/// would be a way to this one's files. `DiskPath` opens files and folders first, and uses them only if the descriptor
/// leads into the storage, as the other machine may exchange them at any time.
package enum LinkBoundary {
    private static let folders = Mutex<[String]>([])

    /// `O_PATH`, which glibc hides from Swift: a descriptor of a place, by which nothing is read.
    private static let placeOnly: Int32 = 0o10_000_000

    /// Keeps links in the storages to which a folder has a link each, by paths without links, inside of them.
    package static func keep(_ folder: String) { folders.withLock { if !$0.contains(folder) { $0.append(folder) } } }

    /// Opens what a path leads to; the descriptor is negative, with `EXDEV` in `errno`, for what lies outside of its
    /// storage.
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
        guard let folder = DiskPath.place(of: root), let named = DiskPath(exactly: storage).linkTarget(),
            named.isInside(folder), folder.isInside(named), let path = DiskPath.place(of: descriptor)
        else { return false }
        return path.isInside(folder)
    }
}
