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
    /// How many of each kind are named at most.
    package static let maxNamed = 200

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
    @concurrent
    package func waitingForServer() async throws -> WaitingChanges {
        try await read { database in
            var waiting = WaitingChanges()
            waiting.plays = Int(clamping: try database.integer("SELECT count(*) FROM play"))
            // Marks in the state 2 were sent; they stay for a while, until a check of the server has shown them there.
            waiting.edits = Int(
                clamping: try database.integer(
                    """
                    SELECT (SELECT count(*) FROM mark_edit WHERE state <> 2)
                        + (SELECT count(*) FROM playlist WHERE edited IS NOT NULL)
                        + (SELECT count(*) FROM bookmark WHERE waits)
                    """))
            guard waiting.edits > 0 else { return waiting }
            let names = WaitingNames(database)
            waiting.songs = try names.marked(.song).compactMap { Int64($0).map(SongID.init(rawValue:)) }
            waiting.albums = try names.albums()
            waiting.artists = try names.marked(.artist)
            waiting.playlists = try names.playlists()
            return waiting
        }
    }
}

private struct WaitingNames {
    let database: Database

    init(_ database: Database) { self.database = database }

    func albums() throws -> [AlbumName] {
        try database.rows(
            """
            SELECT c.name, c.artist FROM mark_edit e JOIN catalog_mark c ON c.kind = e.kind AND c.server_id = e.target
            WHERE e.kind = \(MarkedKind.album.rawValue) AND e.state <> 2 AND c.artist IS NOT NULL
            GROUP BY c.name, c.artist ORDER BY max(e.number) DESC LIMIT \(WaitingChanges.maxNamed)
            """
        ) { AlbumName(title: $0.text(0), artist: $0.text(1)) }
    }

    func marked(_ kind: MarkedKind) throws -> [String] {
        let name =
            kind == .song
            ? "e.target" : "(SELECT name FROM catalog_mark c WHERE c.kind = ?1 AND c.server_id = e.target)"
        return try database.rows(
            """
            SELECT \(name) AS name FROM mark_edit e
            WHERE e.kind = ?1 AND e.state <> 2 AND e.field <> \(MarkEditStore.plays) AND name IS NOT NULL
            GROUP BY name ORDER BY max(e.number) DESC LIMIT \(WaitingChanges.maxNamed)
            """, kind.rawValue
        ) { $0.text(0) }
    }

    func playlists() throws -> [String] {
        try database.rows(
            "SELECT name FROM playlist WHERE edited IS NOT NULL ORDER BY edited DESC LIMIT ?", WaitingChanges.maxNamed
        ) { $0.text(0) }
    }
}
