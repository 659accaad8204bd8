package import Coordination
import Foundation
package import LibraryIndex
import MusicModel
import Synchronization

/// The library of one user: what there is to hear, and what the user made of it. Songs and searches among them are the
/// `index`'s. Playlists, stickers and marks, queues, bookmarks, plays, mounts and stations are here. All of it lies in
/// one SQLite file.
/// - Isolation: any; async methods suspend the caller and never block its executor.
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

    /// Rings when something was written that the server has to hear of; one task waits for it. It says nothing about
    /// how much.
    package let upstreamWork = Alarm()
    /// Moves with every measurement of a song that is written.
    let measurements = Atomic<Int>(0)

    /// Opens or creates the database, migrates it, and checks that it can be written.
    /// - Parameters:
    ///   - playlistLimit: how many entries clients may give a stored playlist.
    ///   - keepFree: how many bytes of the disk clients leave free with playlists and stickers.
    ///   - rescuesDamage: whether a damaged database is kept aside and replaced by a new one with what can be read of
    ///     it; only for the one process that serves from it.
    ///   - memoryBudget: what caches and queries share with the rest of the process.
    ///   - written: called after every transaction, on the thread that wrote; it must not block.
    /// - Throws: `LibraryError` that names the file and the cure.
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

    /// Gives the memory of idle connections, and what is free otherwise, back to the system; after work that needed
    /// much.
    /// - Isolation: any; happens in the background.
    package func releaseMemory() { database.releaseMemory() }

    /// Makes sure that the disk has room for what a client adds to playlists and stickers, so that queues, plays and
    /// other programs find theirs.
    /// - Throws: `LibraryError.diskFull`.
    func checkDisk() throws {
        guard keepFree > 0, let free = DiskSpace.free(at: database.path), free < keepFree else { return }
        let folder = (database.path as NSString).deletingLastPathComponent
        throw LibraryError(
            .diskFull,
            "The disk with the state directory \(folder) is nearly full; make room there, or lower keep_free.")
    }

    /// Tells the service that sends changes to the server that a transaction left some; called after the transaction.
    func noteUpstreamWork() { upstreamWork.ring() }
}
