import GRDB
import Glibc
import LibraryIndex
import Synchronization

/// The list of all stored playlists, kept until something that it is made of changes: clients ask for it often.
final class PlaylistListing: Sendable {
    private struct Kept {
        var writes: Int
        var virtual: VirtualPlaylists.Stamp
        /// Unix seconds between which it stays the same: from when it was read to the end of the day.
        var begin: Int
        var end: Int
        var playlists: [StoredPlaylist]
    }

    static let few: Int64 = 500

    private let kept = Mutex<Kept?>(nil)

    func playlists(afterWrites writes: Int, _ virtual: VirtualPlaylists.Stamp) -> [StoredPlaylist]? {
        let now = time(nil)
        return kept.withLock { kept in
            guard let kept, kept.writes == writes, kept.virtual == virtual, kept.begin <= now,
                now < kept.end
            else { return nil }
            return kept.playlists
        }
    }

    func keep(_ playlists: [StoredPlaylist], afterWrites writes: Int, _ virtual: VirtualPlaylists.Stamp) {
        let (begin, end) = (time(nil), VirtualPlaylist.endOfToday)
        kept.withLock { $0 = Kept(writes: writes, virtual: virtual, begin: begin, end: end, playlists: playlists) }
    }

    /// Reads the list: those of the user by name, and behind them Segue's own, as scripts load the first one.
    static func read(_ database: Database, _ virtual: VirtualPlaylists) throws -> [StoredPlaylist] {
        var playlists: [StoredPlaylist] = []
        try database.forEach("SELECT name, modified, locked FROM playlist") { row in
            let locked = row.optionalText(2)
            playlists.append(
                StoredPlaylist(
                    name: row.text(0), lastModified: row.int(1), isReadOnly: locked != nil,
                    owner: locked.flatMap { $0.isEmpty ? nil : $0 }))
        }
        let own = try virtual.listed(database, besides: playlists)
        return [playlists, own].flatMap { $0.sorted { Collation.precedes($0.name, $1.name) } }
    }
}
