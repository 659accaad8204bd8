import GRDB
import LibraryIndex
package import MusicModel

/// Places at which long songs resume, here and on the server.
extension Library {
    /// Every bookmark of a song, also of songs that are gone at the moment.
    package func bookmarks() async throws -> [SongID: Duration] {
        var found: [SongID: Duration] = [:]
        for case (.song(let song), let place) in try await places() { found[song] = place.place }
        return found
    }

    /// Every place at which a song or a stream resumes, also of songs that are gone at the moment.
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

    static let maxStreamPlaces = 2000

    /// Sets the place at which a stream resumes, or removes it with nil, at a time in Unix milliseconds.
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

    /// Sets a song's bookmark, or removes it with nil, at a time in Unix milliseconds; the speed is only kept here.
    package func setBookmark(
        _ song: SongID, _ position: Duration?, speed: Double? = nil, at milliseconds: Int64
    ) async throws {
        let waits = try await write { database in
            if let position {
                try database.run(
                    """
                    INSERT OR REPLACE INTO bookmark (song, position, speed, changed, waits)
                    SELECT id, ?2, ?3, ?4, source_kind = 0 FROM song WHERE id = ?1
                    """, song.rawValue, position.milliseconds, speed, milliseconds)
            } else {
                try database.run(
                    """
                    UPDATE bookmark SET position = NULL, changed = ?2, waits = 1
                    WHERE song = ?1 AND position IS NOT NULL
                    """, song.rawValue, milliseconds)
                try Self.deleteKnown(database)
            }
            return try database.has("SELECT 1 FROM bookmark WHERE song = ? AND waits", song.rawValue)
        }
        if waits { noteUpstreamWork() }
    }

    /// Removes rows that say nothing any more: without a place, and known to the server or none of its songs.
    private static func deleteKnown(_ database: Database) throws {
        try database.run(
            """
            DELETE FROM bookmark WHERE position IS NULL
                AND (NOT waits OR song NOT IN (SELECT id FROM song WHERE source_kind = 0))
            """)
    }

    /// The bookmarks that the server has to hear of, oldest first, with the server's ids of their songs.
    package func waitingBookmarks() async throws -> [WaitingBookmark] {
        try await database.rows(
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

    /// Notes that the server knows of a bookmark, or never will; one that changed meanwhile keeps waiting.
    package func bookmarkIsSent(_ bookmark: WaitingBookmark) async throws {
        try await write { database in
            try database.run(
                "UPDATE bookmark SET waits = 0 WHERE song = ? AND changed = ?", bookmark.song.rawValue,
                bookmark.changed)
            try Self.deleteKnown(database)
        }
    }

    /// Takes over the server's bookmarks, except where a later one waits here; true if any is another one now.
    package func mergeBookmarks(_ server: [ServerBookmark]) async throws -> Bool {
        try await write { database in
            let before = try Self.positions(database)
            let taking = try SQLStatement(
                database,
                """
                INSERT INTO bookmark (song, position, changed, waits)
                SELECT id, ?2, ?3, 0 FROM song WHERE source_id = ?1 AND source_kind = 0
                ON CONFLICT (song) DO UPDATE SET position = excluded.position, changed = excluded.changed, waits = 0
                WHERE NOT waits OR changed < excluded.changed
                """)
            for bookmark in server {
                try taking.run(bookmark.serverSongID, bookmark.position.milliseconds, bookmark.changed)
            }
            // Those of local songs are only here; those of the server's that it doesn't have any more are gone.
            try database.run(
                """
                DELETE FROM bookmark WHERE NOT waits AND song NOT IN (SELECT id FROM song
                    WHERE source_kind <> 0 OR source_id IN (SELECT value FROM json_each(?)))
                """, server.map(\.serverSongID).json())
            return try Self.positions(database) != before
        }
    }

    private static func positions(_ database: Database) throws -> [Int64: Int64?] {
        var found: [Int64: Int64?] = [:]
        try database.forEach(
            "SELECT song, position FROM bookmark"
        ) { found.updateValue($0.optionalInt(1), forKey: $0.int(0)) }
        return found
    }
}

/// A bookmark that the server has to hear of.
package struct WaitingBookmark: Hashable, Sendable {
    var song: SongID
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
