import GRDB
import MusicModel
import Synchronization

/// The virtual playlists that are switched on.
///
/// A playlist that somebody saved under the name of one of them goes first, so that nothing saved is ever hidden.
/// - Isolation: any.
public final class VirtualPlaylists: Sendable {
    private let playlists = Mutex<[ExactText: VirtualPlaylist]>([:])

    /// Switches a playlist on; one of the same name is replaced.
    public func add(_ playlist: VirtualPlaylist) {
        playlists.withLock { $0[ExactText(playlist.name)] = playlist }
    }

    /// Switches a playlist off.
    public func remove(_ name: String) {
        playlists.withLock { _ = $0.removeValue(forKey: ExactText(name)) }
    }

    /// The playlist of that name, also while it is empty.
    subscript(name: String) -> VirtualPlaylist? { playlists.withLock { $0[ExactText(name)] } }

    /// Those that have entries and whose names nobody took, as clients see them.
    func listed(_ database: Database, besides taken: [StoredPlaylist]) throws -> [StoredPlaylist] {
        let all = playlists.withLock { $0 }
        if all.isEmpty { return [] }
        let names = Set(taken.lazy.map { ExactText($0.name) })
        return try all.values.compactMap { playlist in
            guard !names.contains(ExactText(playlist.name)), let modified = try playlist.look(database) else {
                return nil
            }
            return StoredPlaylist(name: playlist.name, lastModified: modified, isReadOnly: true)
        }
    }

    /// The entries that clients see of the playlist of that name; nil where there is none or it is empty.
    func entries(of name: String, _ database: Database) throws -> [QueueItem]? {
        guard let playlist = self[name], try playlist.look(database) != nil else { return nil }
        let visible = try SQLStatement(database, "SELECT 1 FROM song WHERE id = ? AND walk IS NOT NULL")
        return try playlist.list(database).filter { item in
            guard case .song(let id) = item else { return true }
            visible.bind(1, id.rawValue)
            return try visible.first { true } ?? false
        }
    }
}
