import GRDB
import LibraryIndex
package import MusicModel

/// The names that tell an album from others, both as the songs' tags have them.
package struct AlbumName: Hashable, Sendable {
    /// As the tag `Album` has it.
    package var title: String
    /// The album artist, or else the songs' artist.
    package var artist: String
}

/// Plays and edits that the server does not have yet.
package struct WaitingChanges: Hashable, Sendable {
    static let maxNamed = 200

    /// How many times a song was heard without the server knowing.
    package var plays = 0
    /// How many stars, ratings, playlists and bookmarks changed.
    package var edits = 0
    /// Songs whose star or rating waits, the newest edits first.
    package var songs: [SongID] = []
    /// The albums whose star or rating waits, where their artists are known.
    package var albums: [AlbumName] = []
    /// The names of artists whose star or rating waits.
    package var artists: [String] = []
    /// The names of playlists that were edited.
    package var playlists: [String] = []

    /// Nothing waits.
    package init() {}
}

extension Library {
    /// Counts the plays and edits that the server does not have yet, and names what they belong to.
    package func waitingForServer() async throws -> WaitingChanges {
        try await read { database in
            var waiting = WaitingChanges()
            waiting.plays = Int(clamping: try database.integer("SELECT count(*) FROM play"))
            // Marks in the state 2 were sent; they stay for a while, until a check of the server has shown them there.
            let edits = try database.integer(
                """
                SELECT (SELECT count(*) FROM mark_edit WHERE state <> 2)
                    + (SELECT count(*) FROM playlist WHERE edited IS NOT NULL)
                    + (SELECT count(*) FROM bookmark WHERE waits)
                """)
            waiting.edits = Int(clamping: edits)
            guard waiting.edits > 0 else { return waiting }
            waiting.songs = try Self.marked(.song, database).compactMap { Int64($0).map(SongID.init(rawValue:)) }
            waiting.albums = try Self.albums(database)
            waiting.artists = try Self.marked(.artist, database)
            waiting.playlists = try database.rows(
                "SELECT name FROM playlist WHERE edited IS NOT NULL ORDER BY edited DESC LIMIT ?",
                WaitingChanges.maxNamed
            ) { $0.text(0) }
            return waiting
        }
    }

    private static func albums(_ database: Database) throws -> [AlbumName] {
        try database.rows(
            """
            SELECT c.name, c.artist FROM mark_edit e JOIN catalog_mark c ON c.kind = e.kind AND c.server_id = e.target
            WHERE e.kind = ? AND e.state <> 2 AND c.artist IS NOT NULL
            GROUP BY c.name, c.artist ORDER BY max(e.number) DESC LIMIT ?
            """, MarkedKind.album.rawValue, WaitingChanges.maxNamed
        ) { AlbumName(title: $0.text(0), artist: $0.text(1)) }
    }

    private static func marked(_ kind: MarkedKind, _ database: Database) throws -> [String] {
        try database.rows(
            """
            SELECT CASE e.kind WHEN 0 THEN e.target
                ELSE (SELECT name FROM catalog_mark c WHERE c.kind = ?1 AND c.server_id = e.target) END AS name
            FROM mark_edit e WHERE e.kind = ?1 AND e.state <> 2 AND e.field <> ?2 AND name IS NOT NULL
            GROUP BY name ORDER BY max(e.number) DESC LIMIT ?3
            """, kind.rawValue, MarkEditStore.plays, WaitingChanges.maxNamed
        ) { $0.text(0) }
    }
}
