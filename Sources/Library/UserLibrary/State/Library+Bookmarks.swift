import GRDB
import LibraryIndex
package import MusicModel

/// Places at which long songs resume, here and on the server.
extension Library {
    /// Every bookmark of a song, also of songs that are gone at the moment.
    @concurrent
    package func bookmarks() async throws -> [SongID: Duration] {
        var found: [SongID: Duration] = [:]
        for case (.song(let song), let place) in try await places() { found[song] = place.place }
        return found
    }

    /// Every place at which a song or a stream resumes, also of songs that are gone at the moment.
    @concurrent
    package func places() async throws -> [PlaceKey: KeptPlace] { try await read { try Self.places($0) } }

    /// Every place, read on the caller's thread; for the start of the program.
    package func savedPlaces() throws -> [PlaceKey: KeptPlace] { try database.readNow { try Self.places($0) } }

    private static func places(_ database: Database) throws -> [PlaceKey: KeptPlace] {
        var found: [PlaceKey: KeptPlace] = [:]
        try database.forEach("SELECT song, position, speed FROM bookmark WHERE position IS NOT NULL") { row in
            found[.song(SongID(rawValue: row.int(0)))] = KeptPlace(
                .milliseconds(clamping: row.int(1)), speed: row.optionalDouble(2))
        }
        try database.forEach("SELECT url, position, speed FROM stream_place") { row in
            found[.stream(url: row.text(0))] = KeptPlace(
                .milliseconds(clamping: row.int(1)), speed: row.optionalDouble(2))
        }
        return found
    }

    /// How many places in streams are kept at most; those that were set first go.
    static let maxStreamPlaces = 2000

    /// Sets the place at which a stream resumes, or removes it with nil.
    /// - Parameter milliseconds: when that was, in Unix milliseconds.
    @concurrent
    package func setPlace(inStream url: String, _ place: KeptPlace?, at milliseconds: Int64) async throws {
        try await write { database in
            guard let place else { return try database.run("DELETE FROM stream_place WHERE url = ?", url) }
            try database.run(
                "INSERT OR REPLACE INTO stream_place (url, position, speed, changed) VALUES (?, ?, ?, ?)", url,
                place.place.milliseconds, place.speed, milliseconds)
            try database.run(
                """
                DELETE FROM stream_place WHERE url IN (
                    SELECT url FROM stream_place ORDER BY changed DESC, url LIMIT -1 OFFSET ?)
                """, Int64(Self.maxStreamPlaces))
        }
    }

    /// Sets a song's bookmark, or removes it with nil; what the server has to hear of waits from then on.
    /// - Parameters:
    ///   - speed: how fast the song was heard, which the server doesn't keep; nil where that isn't known.
    ///   - milliseconds: when that was, in Unix milliseconds.
    @concurrent
    package func setBookmark(
        _ song: SongID, _ position: Duration?, speed: Double? = nil, at milliseconds: Int64
    ) async throws {
        let waits = try await write { database in
            let known = try BookmarkRow.all(database)[song.rawValue]
            if position == nil, known?.position == nil { return false }
            guard
                let isOnServer = try database.first(
                    "SELECT source_kind = 0 FROM song WHERE id = ?", song.rawValue, read: { $0.int(0) != 0 })
            else { return false }
            let row = BookmarkRow(
                position: position?.milliseconds, speed: speed, changed: milliseconds, waits: isOnServer)
            try row.write(song.rawValue, database)
            return isOnServer
        }
        if waits { noteUpstreamWork() }
    }

    /// The bookmarks that the server has to hear of, oldest first, with the server's ids of their songs.
    @concurrent
    package func waitingBookmarks() async throws -> [WaitingBookmark] {
        try await read { database in
            try database.rows(
                """
                SELECT b.song, ifnull(s.source_value, s.source_id), b.position, b.changed FROM bookmark b
                JOIN song s ON s.id = b.song AND s.source_kind = 0 WHERE b.waits ORDER BY b.changed
                """
            ) { row in
                WaitingBookmark(
                    song: SongID(rawValue: row.int(0)), serverSongID: row.text(1),
                    position: row.optionalInt(2).map { .milliseconds(clamping: $0) }, changed: row.int(3))
            }
        }
    }

    /// Notes that the server knows of a bookmark, or never will; one that changed meanwhile keeps waiting.
    @concurrent
    package func bookmarkIsSent(_ bookmark: WaitingBookmark) async throws {
        try await write { database in
            guard var row = try BookmarkRow.all(database)[bookmark.song.rawValue], row.changed == bookmark.changed
            else { return }
            row.waits = false
            try row.write(bookmark.song.rawValue, database)
        }
    }

    /// Takes over the server's bookmarks: what waits here stays where it is newer than the server's.
    /// - Returns: whether a bookmark is another one now.
    @concurrent
    package func mergeBookmarks(_ server: [ServerBookmark]) async throws -> Bool {
        try await write { database in
            let known = try BookmarkRow.all(database)
            var merged = known.filter { $0.value.waits }
            let onServer = try Self.songs(of: server, database)
            for (song, bookmark) in onServer {
                if let ours = known[song], ours.waits, ours.changed >= bookmark.changed { continue }
                merged[song] = BookmarkRow(
                    position: bookmark.position.milliseconds, speed: known[song]?.speed, changed: bookmark.changed,
                    waits: false)
            }
            // Those of local songs are only here; those of the server's that it doesn't have any more are gone.
            for (song, row) in known where merged[song] == nil {
                if try Self.isOnServer(song, database) { continue }
                merged[song] = row
            }
            guard merged != known else { return false }
            for song in known.keys where merged[song] == nil { try BookmarkRow.remove(song, database) }
            for (song, row) in merged where known[song] != row { try row.write(song, database) }
            return merged.mapValues(\.position) != known.mapValues(\.position)
        }
    }

    private static func songs(
        of bookmarks: [ServerBookmark], _ database: Database
    ) throws -> [Int64: ServerBookmark] {
        let row = try SQLStatement(database, "SELECT id FROM song WHERE source_id = ? AND source_kind = 0")
        var found: [Int64: ServerBookmark] = [:]
        for bookmark in bookmarks {
            if let song = try row.first(bookmark.serverSongID, read: { $0.int(0) }) { found[song] = bookmark }
        }
        return found
    }

    private static func isOnServer(_ song: Int64, _ database: Database) throws -> Bool {
        try database.first("SELECT source_kind = 0 FROM song WHERE id = ?", song) { $0.int(0) != 0 } ?? true
    }
}

private struct BookmarkRow: Hashable {
    var position: Int64?
    var speed: Double?
    var changed: Int64
    var waits: Bool

    static func all(_ database: Database) throws -> [Int64: BookmarkRow] {
        var found: [Int64: BookmarkRow] = [:]
        try database.forEach("SELECT song, position, speed, changed, waits FROM bookmark") { row in
            found[row.int(0)] = BookmarkRow(
                position: row.optionalInt(1), speed: row.optionalDouble(2), changed: row.int(3),
                waits: row.int(4) != 0)
        }
        return found
    }

    static func remove(_ song: Int64, _ database: Database) throws {
        try database.run("DELETE FROM bookmark WHERE song = ?", song)
    }

    func write(_ song: Int64, _ database: Database) throws {
        guard position != nil || waits else { return try Self.remove(song, database) }
        try database.run(
            "INSERT OR REPLACE INTO bookmark (song, position, speed, changed, waits) VALUES (?, ?, ?, ?, ?)", song,
            position, speed, changed, waits)
    }
}

/// A bookmark that the server has to hear of.
package struct WaitingBookmark: Hashable, Sendable {
    /// The song in the index.
    package var song: SongID
    /// The server's id of the song.
    package var serverSongID: String
    /// Where to resume; nil removes the bookmark.
    package var position: Duration?
    /// When it was set, Unix milliseconds.
    package var changed: Int64
}

/// A place in a song as the server reports it.
package struct ServerBookmark: Hashable, Sendable {
    /// The server's id of the song.
    package var serverSongID: String
    /// Where to resume.
    package var position: Duration
    /// When it was set, Unix milliseconds.
    package var changed: Int64

    /// Makes a bookmark.
    package init(serverSongID: String, position: Duration, changed: Int64) {
        (self.serverSongID, self.position, self.changed) = (serverSongID, position, changed)
    }
}
