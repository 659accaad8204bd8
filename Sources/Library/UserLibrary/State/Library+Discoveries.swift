import GRDB
import LibraryIndex
package import MusicModel

/// The playlists that were made for a day.
package struct SavedMixes: Hashable, Sendable {
    /// One playlist.
    package struct Mix: Hashable, Sendable {
        /// The name that clients see.
        package var name: String
        /// Its songs in their order; some may be gone by now.
        package var songs: [SongID]

        /// Names a playlist's songs.
        package init(name: String, songs: [SongID]) { (self.name, self.songs) = (name, songs) }
    }

    /// Days since 1970 by the listener's clock.
    package var day: Int64
    /// Seconds from midnight to where the part of the day began.
    package var part: Int64
    /// The kinds of playlists that were made, in words.
    package var families: [String]
    /// How many songs the library had.
    package var songs: Int
    /// The playlists in their order.
    package var mixes: [Mix] = []

    /// Says what was made of what.
    package init(day: Int64, part: Int64, families: [String], songs: Int) {
        (self.day, self.part, self.families, self.songs) = (day, part, families, songs)
    }
}

/// The server's answer about which songs are like one.
package struct SavedLikeness: Hashable, Sendable {
    /// When it was asked, in Unix seconds.
    package var asked: Int64
    /// The songs, each with a likeness from 0 to 1.
    package var songs: [SongID: Float]

    /// Notes an answer.
    package init(asked: Int64, songs: [SongID: Float]) { (self.asked, self.songs) = (asked, songs) }

    fileprivate init(asked: Int64, text: String) {
        (self.asked, songs) = (asked, [:])
        for pair in text.split(separator: ",") {
            let parts = pair.split(separator: " ")
            guard parts.count == 2, let song = Int64(parts[0]), let likeness = Float(parts[1]), likeness.isFinite else {
                continue
            }
            songs[SongID(rawValue: song)] = likeness
        }
    }
}

extension Library {
    static let maxLikenesses = 200

    /// The playlists that were saved last; nil where none were.
    package func savedMixes() async throws -> SavedMixes? {
        try await read { database in
            let saved = try database.first("SELECT day, part, families, songs FROM mix_day") { row in
                SavedMixes(
                    day: row.int(0), part: row.int(1), families: row.text(2).split(separator: ",").map(String.init),
                    songs: Int(clamping: row.int(3)))
            }
            guard var saved else { return nil }
            try database.forEach("SELECT name, songs FROM mix ORDER BY place") { row in
                let songs = row.text(1).split(separator: ",").compactMap { Int64($0).map(SongID.init(rawValue:)) }
                saved.mixes.append(.init(name: row.text(0), songs: songs))
            }
            return saved
        }
    }

    /// Saves playlists in place of those that were saved before.
    package func save(_ mixes: SavedMixes) async throws {
        try await write { database in
            try database.execute(sql: "DELETE FROM mix_day; DELETE FROM mix")
            try database.run(
                "INSERT INTO mix_day (id, day, part, families, songs) VALUES (1, ?, ?, ?, ?)", mixes.day, mixes.part,
                mixes.families.joined(separator: ","), mixes.songs)
            let insertion = try SQLStatement(database, "INSERT INTO mix (place, name, songs) VALUES (?, ?, ?)")
            for (index, mix) in mixes.mixes.enumerated() {
                try insertion.run(index, mix.name, mix.songs.map { String($0.rawValue) }.joined(separator: ","))
            }
        }
    }

    /// The server's answers that are kept about songs.
    package func savedLikenesses(of songs: [SongID]) async throws -> [SongID: SavedLikeness] {
        try await read { database in
            let row = try SQLStatement(database, "SELECT asked, songs FROM likeness WHERE song = ?")
            return try songs.reduce(into: [:]) { answers, song in
                answers[song] = try row.first(song.rawValue) { SavedLikeness(asked: $0.int(0), text: $0.text(1)) }
            }
        }
    }

    /// Keeps an answer of the server.
    package func save(_ likeness: SavedLikeness, of song: SongID) async throws {
        try await write { database in
            try database.run(
                "INSERT OR REPLACE INTO likeness (song, asked, songs) VALUES (?, ?, ?)", song.rawValue, likeness.asked,
                likeness.songs.sorted { $0.key.rawValue < $1.key.rawValue }
                    .map { "\($0.key.rawValue) \($0.value)" }.joined(separator: ","))
            try database.run(
                "DELETE FROM likeness WHERE song NOT IN (SELECT song FROM likeness ORDER BY asked DESC LIMIT ?)",
                Self.maxLikenesses)
        }
    }
}

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
    static let maxSimilarArtists = 200

    /// The answer about an artist that is kept; nil without one.
    package func savedSimilarArtists(of artist: String) async throws -> SavedSimilarArtists? {
        try await database.first("SELECT asked, names FROM similar_artist WHERE artist = ?", artist) {
            SavedSimilarArtists(asked: $0.int(0), names: $0.text(1).split(separator: "\n").map(String.init))
        }
    }

    /// Keeps an answer of the server.
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
    package func serverArtist(named name: String) async throws -> String? {
        try await read { try CatalogMarkStore($0, now: 0).ids(.artist, named: name).first }
    }

    /// The values of songs by their ids on the server; those that the library lacks are left out.
    package func songs(onServer values: [String: Float], mount: String) async throws -> [SongID: Float] {
        try await read { database in
            let row = try SQLStatement(
                database, "SELECT id FROM song WHERE source_id = ? AND mount = ? AND walk IS NOT NULL")
            return try values.reduce(into: [:]) { songs, found in
                if let song = try row.first(found.key, mount, read: { $0.int(0) }) {
                    songs[SongID(rawValue: song)] = found.value
                }
            }
        }
    }
}
