/// A folder with links to network storages, whose own links lead to nothing outside of each.
///
/// A link that another machine has made names a file of that machine; here it would be a way to this one's files.
package struct LinkBoundary: Hashable, Sendable {
    private let folder: String

    /// Keeps links below this folder in.
    package init(_ folder: String) { self.folder = folder }

    /// Whether a path may be opened: one that lies in no storage, or leads out of none.
    ///
    /// - Isolation: blocks for reads of the disk.
    package func admits(_ path: String) -> Bool {
        let parts = path.split(separator: "/")
        let own = folder.split(separator: "/")
        guard parts.count > own.count, Array(parts.prefix(own.count)) == own else { return true }
        let storage = "/" + parts.prefix(own.count + 1).joined(separator: "/")
        guard let root = DiskPath(storage).resolved(), let target = DiskPath(path).resolved() else { return false }
        return target.isInside(root)
    }
}
