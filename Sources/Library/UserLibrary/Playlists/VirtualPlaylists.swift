import GRDB
import LibraryIndex
package import MusicModel
import Synchronization

/// The virtual playlists that are switched on; one that a client saved under the name of one of them goes first.
package final class VirtualPlaylists: Sendable {
    /// Tells whether `listed` says the same as before, as long as the index is the same.
    struct Stamp: Equatable {
        fileprivate var version: Int
        fileprivate var made: [Int64?]
    }

    private struct State {
        var playlists: [ExactText: VirtualPlaylist] = [:]
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

    func entries(of name: String, _ database: Database) throws -> [QueueItem]? {
        guard let playlist = self[name], try playlist.changed(database) != nil else { return nil }
        let visible = try SQLStatement(database, "SELECT 1 FROM song WHERE id = ? AND walk IS NOT NULL")
        return try playlist.list(database).filter { item in
            guard case .song(let id) = item else { return true }
            return try visible.has(id.rawValue)
        }
    }
}

/// A stored playlist that is never saved but made whenever a client reads it; nothing edits it or takes its name.
package struct VirtualPlaylist: Sendable {
    /// The name that clients use.
    package let name: String
    /// When it changed last, in Unix seconds; nil while it is empty and not shown. Every list of playlists asks for it.
    let changed: @Sendable (Database) throws -> Int64?
    /// When it changed, for one whose maker keeps its entries; nil for one that is made of what the index has.
    let made: (@Sendable () -> Int64?)?
    let list: @Sendable (Database) throws -> [QueueItem]

    init(
        _ name: String, changed: @escaping @Sendable (Database) throws -> Int64?, made: (@Sendable () -> Int64?)? = nil,
        list: @escaping @Sendable (Database) throws -> [QueueItem]
    ) { (self.name, self.changed, self.made, self.list) = (name, changed, made, list) }

    /// Makes a playlist whose maker keeps its entries: when it changed last in Unix seconds, or nil while it is empty,
    /// and the entries in order. Both closures must neither wait nor use the index.
    package init(
        _ name: String, modified: @escaping @Sendable () -> Int64?, items: @escaping @Sendable () -> [QueueItem]
    ) { self.init(name, changed: { _ in modified() }, made: modified, list: { _ in items() }) }

    var isReadOnly: LibraryError {
        LibraryError(.playlistReadOnly, "\(name) is made by Segue itself and can't be edited")
    }
}
