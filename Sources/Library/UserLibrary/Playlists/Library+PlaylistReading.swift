import Coordination
import GRDB
import LibraryIndex
package import MusicModel

/// Reading of playlists; of a single one it throws `LibraryError.noSuchPlaylist` and `.badPlaylistName`.
extension Library {
    /// All stored playlists with the virtual ones, sorted by name as people expect.
    package func storedPlaylists(isolation: isolated (any Actor)? = #isolation) async throws -> [StoredPlaylist] {
        let writes = database.writeCount
        let stamp = virtualPlaylists.stamp
        if let known = playlistListing.playlists(afterWrites: writes, stamp) { return known }
        let playlists = try await readFew { database in
            let isShort = try database.integer("SELECT count(*) FROM playlist") <= PlaylistListing.few
            return isShort ? try PlaylistListing.read(database, virtualPlaylists) : nil
        } orElse: { [virtualPlaylists] database in
            try PlaylistListing.read(database, virtualPlaylists)
        }
        playlistListing.keep(playlists, afterWrites: writes, stamp)
        return playlists
    }

    /// The entries of a playlist; songs that are gone are left out until they are back.
    package func storedPlaylist(
        _ name: String, isolation: isolated (any Actor)? = #isolation
    ) async throws -> [QueueItem] {
        try await reading(name) { [self] in try visibleItems(name, 0..<Int.max, $0, atMost: $1)?.items }
    }

    /// The entries of a part of a playlist with what the queue needs of them; the range is clipped.
    package func queueable(
        inStoredPlaylist name: String, _ range: Range<Int>, isolation: isolated (any Actor)? = #isolation
    ) async throws -> [QueueablePlaylistItem] {
        try await reading(name) { [self] database, limit in
            try visibleItems(name, range, database, atMost: limit).map { try queueable($1, from: $0, database) }
        }
    }

    /// How many entries of a playlist clients see, and how long its songs play together; takes a few bytes an entry.
    package func lengthOfStoredPlaylist(
        _ name: String, isolation: isolated (any Actor)? = #isolation
    ) async throws -> PlaylistLength {
        try await reading(name, setsMemoryAside: false) { [self] in try length(of: name, $0, atMost: $1) }
    }

    /// Reads a short playlist on the caller's thread, and others elsewhere.
    /// - Parameter body: gets the number of entries up to which it is to answer; nil for more, or without a playlist.
    private func reading<Value: Sendable>(
        _ name: String, setsMemoryAside: Bool = true, isolation: isolated (any Actor)? = #isolation,
        _ body: @escaping @Sendable (Database, _ limit: Int) throws -> Value?
    ) async throws -> Value {
        try PlaylistName.check(name)
        if let few = database.quickly({ try body($0, MusicIndex.few) }) { return few }
        let room = setsMemoryAside ? try await roomForEntries(of: name) : nil
        defer { room?.release() }
        return try await read { database in
            guard let found = try body(database, .max) else { throw PlaylistStore.missing }
            return found
        }
    }

    /// The same of several playlists, by name; without those that Segue makes, and those after `maxCounted` entries.
    package func lengthsOfStoredPlaylists(_ names: [String]) async throws -> [String: PlaylistLength] {
        try await read { [self] database in
            let store = PlaylistStore(database, virtualPlaylists)
            var room = Self.maxCounted
            var found: [String: PlaylistLength] = [:]
            for name in names {
                guard let playlist = try store.playlist(name) else { continue }
                room -= try store.stored.count(playlist.id)
                guard room >= 0 else { break }
                found[name] = try length(of: name, database, atMost: .max)
            }
            return found
        }
    }

    /// The maximum number of entries that are counted for one list of playlists: as many take about 20 ms.
    private static let maxCounted = 100_000

    /// Nil without such a playlist, and for one that has more entries than `limit`.
    private func length(of name: String, _ database: Database, atMost limit: Int) throws -> PlaylistLength? {
        let store = PlaylistStore(database, virtualPlaylists)
        guard let playlist = try store.playlist(name) else {
            guard limit == .max, let items = try virtualPlaylists.entries(of: name, database) else { return nil }
            return PlaylistLength(songs: items.count, playtime: try playtime(of: Self.songs(of: items), database))
        }
        if try limit < .max && store.stored.count(playlist.id) > limit { return nil }
        let codes = try visibleCodes(of: store.stored.list(playlist.id), database)
        let songs = codes.filter { $0 & StoredEntries.otherBit == 0 }
        return PlaylistLength(
            songs: codes.count, playtime: try playtime(of: songs, database),
            first: songs.first.map { SongID(rawValue: Int64($0)) })
    }

    private func playtime(of songs: [UInt32], _ database: Database) throws -> Duration {
        var sum = Duration.zero
        for start in stride(from: 0, to: songs.count, by: Self.manyEntries) {
            let part = songs[start..<min(start + Self.manyEntries, songs.count)]
            for song in try index.queueable(part, database) { sum += song.duration ?? .zero }
        }
        return sum
    }

    private static func songs(of items: [QueueItem]) -> [UInt32] {
        items.compactMap { item in if case .song(let id) = item { UInt32(clamping: id.rawValue) } else { nil } }
    }

    private func roomForEntries(of name: String) async throws -> MemoryBudget.Reservation? {
        let count = try await read { [virtualPlaylists] database in
            let store = PlaylistStore(database, virtualPlaylists)
            return try store.playlist(name).map { try store.stored.count($0.id) } ?? 0
        }
        guard count >= Self.manyEntries else { return nil }
        return try await memoryBudget.reserve(count.multipliedClamped(by: 384), for: "a saved playlist")
    }

    /// Handling this many entries of playlists takes memory that is worth giving back.
    static let manyEntries = 10_000

    func releaseMemory(afterEntries count: Int) { if count >= Self.manyEntries { releaseMemory() } }

    /// The entries of a playlist that clients see, and the first one's place; nil without one or for more than `limit`.
    private func visibleItems(
        _ name: String, _ range: Range<Int>, _ database: Database, atMost limit: Int
    ) throws -> (first: Int, items: [QueueItem])? {
        let store = PlaylistStore(database, virtualPlaylists)
        guard let playlist = try store.playlist(name) else {
            guard limit == .max, let items = try virtualPlaylists.entries(of: name, database) else { return nil }
            let part = range.clamped(to: 0..<items.count)
            return (part.lowerBound, Array(items[part]))
        }
        if try limit < .max && store.stored.count(playlist.id) > limit { return nil }
        let entries = try store.stored.list(playlist.id)
        let visible = try visibleCodes(of: entries, database)
        let part = range.clamped(to: 0..<visible.count)
        return (part.lowerBound, visible[part].map(entries.item))
    }

    private func visibleCodes(of entries: StoredEntries.List, _ database: Database) throws -> [UInt32] {
        let isLong = entries.codes.count > MusicIndex.few
        if let songs = try index.presentSongs(database, readsThem: isLong) {
            return entries.visible { songs.contains(Int64($0)) }
        }
        let row = try SQLStatement(database, "SELECT 1 FROM song WHERE id = ? AND uri IS NOT NULL")
        return try entries.visible { try row.has(Int64($0)) }
    }

    private func queueable(
        _ items: [QueueItem], from first: Int, _ database: Database
    ) throws -> [QueueablePlaylistItem] {
        var found = try index.queueable(Self.songs(of: items)[...], database)[...]
        return zip(first..., items).map { place, item in
            guard case .song(let id) = item, let song = found.first, song.id == id else {
                return QueueablePlaylistItem(place: place, item: item)
            }
            found.removeFirst()
            return QueueablePlaylistItem(place: place, item: item, duration: song.duration, replayGain: song.replayGain)
        }
    }
}

/// An entry of a stored playlist on its way into the queue.
package struct QueueablePlaylistItem: Hashable, Sendable {
    /// Its place in the playlist.
    package var place: Int
    /// The item that it plays.
    package var item: QueueItem
    /// The playing time, if known.
    package var duration: Duration?
    /// Loudness values.
    package var replayGain = ReplayGain()
}
