import Glibc
import Synchronization

/// Files next to songs: pictures, words, cue sheets, playlists and rules, which clients see as they are. A link that
/// others put into a music folder must not show them a private file of this user's: whatever `follow_outside_symlinks`
/// says, these files lie in their own folder or in a library, and never among the program's own.
package enum SideFile {
    private struct Folders {
        var libraries: Set<String> = []
        var apart: [DiskPath] = []
    }

    private static let folders = Mutex(Folders())

    /// Lets links of side files lead into a music folder, in this process.
    package static func keep(library folder: String) { folders.withLock { _ = $0.libraries.insert(folder) } }

    /// Keeps all side files out of a folder or file of the program's own; blocks for reads of the disk.
    package static func keep(apart path: String) {
        guard let place = DiskPath(exactly: path).resolved() else { return }
        folders.withLock { $0.apart.append(place) }
    }

    /// Reads a whole file of at most that many bytes.
    /// - Throws: `RegularFile.Problem`; a file elsewhere counts as none.
    /// - Isolation: blocks for the reading.
    package static func read(_ path: String, upTo limit: Int) throws(RegularFile.Problem) -> [UInt8] {
        try read(DiskPath(path), upTo: limit)
    }

    /// Reads a whole file at a path that is known, likewise.
    package static func read(_ path: DiskPath, upTo limit: Int) throws(RegularFile.Problem) -> [UInt8] {
        // Of the open file, which can't be exchanged any more.
        try RegularFile.read(path, upTo: limit) { isAllowed($0, at: path) }
    }

    private static func isAllowed(_ descriptor: Int32, at path: DiskPath) -> Bool {
        guard let place = DiskPath.place(of: descriptor) else { return false }
        let folders = folders.withLock { $0 }
        let apart = folders.apart.first(where: place.isInside)
        if apart == nil, let folder = path.folder.resolved(), place.isInside(folder) { return true }
        return folders.libraries.contains { library in
            guard let library = DiskPath(library).resolved(), place.isInside(library) else { return false }
            // The demonstration's music lies among the program's own files.
            return apart.map(library.isInside) ?? true
        }
    }
}
