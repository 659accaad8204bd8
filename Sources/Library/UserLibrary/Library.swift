package import Coordination
import Foundation
package import LibraryIndex
import MusicModel
import Synchronization

/// The library of one user, in one SQLite file: songs and searches among them are the `index`'s; playlists, stickers
/// and marks, queues, bookmarks, plays, mounts and stations are here.
/// - Isolation: any; async methods never block the caller's executor.
package final class Library: DatabaseAccess {
    /// The songs that there are.
    package let index: MusicIndex
    package let database: LibraryDatabase

    let playlistLimit: Int
    /// Bytes of the disk that clients leave free with what they can make as many of as they like.
    private let keepFree: Int64
    let playlistListing = PlaylistListing()

    /// Stored playlists that are made of what the index knows; none until they are added.
    package let virtualPlaylists = VirtualPlaylists()

    /// Whose turn it is to bring playlists and the server's together.
    package let playlistTurn = ConcurrencyLimit(1)

    /// Rings when something was written that the server has to hear of; one task waits for it.
    package let upstreamWork = Alarm()
    let measurements = Atomic<Int>(0)

    /// Opens or creates the database, migrates it, and checks that it can be written; see `LibraryDatabase`.
    /// - Parameter playlistLimit: how many entries clients may give a stored playlist.
    /// - Parameter keepFree: how many bytes of the disk clients leave free with playlists and stickers.
    package init(
        path: String, playlistLimit: Int = 1_000_000, keepFree: Int64 = 0,
        rescuesDamage: Bool = false, memoryBudget: MemoryBudget = .unlimited,
        written: @escaping @Sendable () -> Void = {}
    ) throws {
        (self.playlistLimit, self.keepFree) = (playlistLimit, keepFree)
        database = try LibraryDatabase(
            path: path, parts: [.index, .user], rescuesDamage: rescuesDamage, memoryBudget: memoryBudget,
            written: written)
        index = MusicIndex(database)
    }

    /// The outcome for a damaged database when this one was opened; nil when it was sound.
    package var rescue: LibraryRescue? { database.rescue }
    /// The outcome for a damaged journal when this one was opened; nil when it was sound.
    package var journalDamage: JournalDamage? { database.journalDamage }

    /// Closes all connections; waits for those that are reading.
    package func close() throws { try database.close() }

    /// Gives the memory of idle connections, and what is free otherwise, back to the system; in the background.
    package func releaseMemory() { database.releaseMemory() }

    func checkDisk() throws {
        guard keepFree > 0, let free = DiskSpace.free(at: database.path), free < keepFree else { return }
        let folder = (database.path as NSString).deletingLastPathComponent
        throw LibraryError(
            .diskFull,
            "The disk with the state directory \(folder) is nearly full; make room there, or lower keep_free.")
    }

    /// Tells the service that sends changes to the server that a transaction left some; called after the transaction.
    func noteUpstreamWork() { upstreamWork.ring() }

    /// The folders that clients have mounted, by the names of their mounts.
    package func savedMounts() throws -> [(name: String, uri: String)] {
        try database.readNow { try $0.rows("SELECT name, uri FROM mount ORDER BY name") { ($0.text(0), $0.text(1)) } }
    }

    /// Keeps a mount.
    package func addMount(_ name: String, uri: String) async throws {
        try await database.run("INSERT OR REPLACE INTO mount (name, uri) VALUES (?, ?)", name, uri)
    }

    /// Forgets a mount.
    package func removeMount(_ name: String) async throws {
        try await database.run("DELETE FROM mount WHERE name = ?", name)
    }
}
