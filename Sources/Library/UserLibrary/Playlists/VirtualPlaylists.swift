import GRDB
import LibraryIndex
import MusicModel
import Synchronization

/// The virtual playlists that are switched on. A playlist that a client saved under the name of one of them goes first,
/// so that nothing saved is ever hidden.
/// - Isolation: any.
package final class VirtualPlaylists: Sendable {
    /// Tells whether `listed` says the same as before, as long as the index is the same.
    struct Stamp: Equatable {
        fileprivate var version: Int
        fileprivate var made: [Int64?]
    }

    private struct State {
        var playlists: [ExactText: VirtualPlaylist] = [:]
        /// Those whose makers keep their entries.
        var made: [VirtualPlaylist] = []
        var version = 0

        mutating func set(_ playlist: VirtualPlaylist?, _ name: String) {
            playlists[ExactText(name)] = playlist
            made = playlists.values.filter { $0.made != nil }
            version += 1
        }
    }

    private let state = Mutex(State())

    /// Switches a playlist on; one of the same name is replaced.
    package func add(_ playlist: VirtualPlaylist) { state.withLock { $0.set(playlist, playlist.name) } }

    /// Switches a playlist off.
    package func remove(_ name: String) { state.withLock { $0.set(nil, name) } }

    /// The playlist of that name, also while it is empty.
    subscript(name: String) -> VirtualPlaylist? { state.withLock { $0.playlists[ExactText(name)] } }

    var stamp: Stamp {
        let (version, made) = state.withLock { ($0.version, $0.made) }
        return Stamp(version: version, made: made.map { $0.made?() })
    }

    /// Those that have entries and whose names are not taken, as clients see them.
    func listed(_ database: Database, besides taken: [StoredPlaylist]) throws -> [StoredPlaylist] {
        let all = state.withLock { $0.playlists }
        if all.isEmpty { return [] }
        let names = Set(taken.lazy.map { ExactText($0.name) })
        return try all.values.compactMap { playlist in
            guard !names.contains(ExactText(playlist.name)), let modified = try playlist.changed(database) else {
                return nil
            }
            return StoredPlaylist(name: playlist.name, lastModified: modified, isReadOnly: true)
        }
    }

    /// The entries that clients see of the playlist of that name; nil where there is none or it is empty.
    func entries(of name: String, _ database: Database) throws -> [QueueItem]? {
        guard let playlist = self[name], try playlist.changed(database) != nil else { return nil }
        let visible = try SQLStatement(database, "SELECT 1 FROM song WHERE id = ? AND walk IS NOT NULL")
        return try playlist.list(database).filter { item in
            guard case .song(let id) = item else { return true }
            return try visible.has(id.rawValue)
        }
    }
}
