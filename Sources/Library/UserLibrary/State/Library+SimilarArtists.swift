import GRDB
import LibraryIndex
import MusicModel

/// The server's answer about which artists are like one.
package struct SavedSimilarArtists: Hashable, Sendable {
    /// When it was asked, in Unix seconds.
    package var asked: Int64
    /// Their names, without line feeds, in the server's order.
    package var names: [String]

    /// Notes an answer.
    package init(asked: Int64, names: [String]) { (self.asked, self.names) = (asked, names) }
}

extension Library {
    /// How many answers about artists are kept, the newest ones.
    package static let maxSimilarArtists = 200

    /// The answer about an artist that is kept; nil without one.
    @concurrent
    package func savedSimilarArtists(of artist: String) async throws -> SavedSimilarArtists? {
        try await read { database in
            try database.first(
                "SELECT asked, names FROM similar_artist WHERE artist = ?", artist
            ) { SavedSimilarArtists(asked: $0.int(0), names: $0.text(1).split(separator: "\n").map(String.init)) }
        }
    }

    /// Keeps an answer of the server.
    @concurrent
    package func save(_ answer: SavedSimilarArtists, of artist: String) async throws {
        try await write { database in
            try database.run(
                "INSERT OR REPLACE INTO similar_artist (artist, asked, names) VALUES (?, ?, ?)", artist, answer.asked,
                answer.names.joined(separator: "\n"))
            try database.run(
                """
                DELETE FROM similar_artist WHERE artist NOT IN
                (SELECT artist FROM similar_artist ORDER BY asked DESC LIMIT ?)
                """, Self.maxSimilarArtists)
        }
    }

    /// The server's id of the artist of a name, once its lists of artists have been read; nil without one.
    @concurrent
    package func serverArtist(named name: String) async throws -> String? {
        try await read { try CatalogMarkStore($0, now: 0).ids(.artist, named: name).first }
    }
}
