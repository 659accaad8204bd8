import Foundation
import GRDB
import LibraryIndex
import MusicModel

/// Reads what `segue export` writes, from a database that a server may be using at the same time.
package enum LibraryExport {
    /// Reads everything in one snapshot; nothing is written.
    /// - Throws: `LibraryError`, also when another version of Segue wrote the database.
    package static func read(path: String) throws -> LibrarySnapshot {
        try LibraryDatabase.inspect(path, cure: "export with the one that uses it") { database in
            try SnapshotReader(database: database).snapshot()
        }
    }
}

extension LibraryDatabase {
    /// Reads a database that a server may be using at the same time, in one snapshot; nothing is written.
    static func inspect<Value>(_ path: String, cure: String, _ body: (Database) throws -> Value) throws -> Value {
        var configuration = Configuration()
        configuration.label = "segue.inspection"
        configuration.readonly = true
        configuration.busyMode = .timeout(5)
        do {
            return try DatabaseQueue(path: path, configuration: configuration).read { database in
                guard Int(try database.integer("PRAGMA user_version")) == SchemaVersion.newest else {
                    throw LibraryError(
                        .otherVersion, "The database \(path) belongs to another version of Segue; \(cure).")
                }
                return try body(database)
            }
        } catch let error as DatabaseError {
            throw LibraryError(error, path: path)
        }
    }
}

private struct SnapshotReader {
    let database: Database

    func snapshot() throws -> LibrarySnapshot {
        var snapshot = LibrarySnapshot(exported: Int64(Date().timeIntervalSince1970))
        snapshot.playlists = try playlists()
        snapshot.stickers = try songStickers() + otherStickers()
        snapshot.ratings = try ratings()
        snapshot.history = try history()
        var needed = Set(snapshot.playlists.flatMap { $0.entries.compactMap(\.song) })
        needed.formUnion(snapshot.stickers.compactMap(\.song))
        needed.formUnion(snapshot.ratings.map(\.song))
        needed.formUnion(snapshot.history.map(\.song))
        snapshot.songs = try songs(needed.sorted())
        return snapshot
    }

    private func playlists() throws -> [LibrarySnapshot.Playlist] {
        let stored = StoredEntries(database)
        return try database.rows("SELECT id, name, modified, server_id FROM playlist ORDER BY name") { row in
            let list = try stored.list(row.int(0))
            let entries = list.codes.map { code -> LibrarySnapshot.Entry in
                switch list.content(code) {
                case .song(let song): return .init(song: song)
                case .stream(let url, let tags):
                    let title = tags.first { [.title, .name].contains($0.tag) }?.value
                    return .init(url: StreamURL.withoutCredentials(url), title: title)
                case .awaited: return .init()
                }
            }
            return LibrarySnapshot.Playlist(
                name: row.text(1), modified: row.int(2), navidromeID: row.optionalText(3), entries: entries)
        }
    }

    private func songStickers() throws -> [LibrarySnapshot.Sticker] {
        try database.rows(
            "SELECT song, name, value FROM song_sticker ORDER BY song, name"
        ) { LibrarySnapshot.Sticker(type: "song", song: $0.int(0), name: $0.text(1), value: $0.text(2)) }
    }

    private func otherStickers() throws -> [LibrarySnapshot.Sticker] {
        try database.rows("SELECT type, object, name, value FROM sticker ORDER BY type, object, name") { row in
            LibrarySnapshot.Sticker(type: row.text(0), object: row.text(1), name: row.text(2), value: row.text(3))
        }
    }

    /// Ratings and stars as stickers have them; where a song has no such sticker, as the server had them.
    private func ratings() throws -> [LibrarySnapshot.Rating] {
        try database.rows(
            """
            SELECT s.id, ifnull(CAST(r.value AS INT), s.rating * 2) AS shown,
                ifnull(CAST(l.value AS INT) > 1, s.starred <> 0) AS star
            FROM song s LEFT JOIN song_sticker r ON r.song = s.id AND r.name = 'rating'
            LEFT JOIN song_sticker l ON l.song = s.id AND l.name = 'like'
            WHERE shown > 0 OR star ORDER BY s.id
            """
        ) { row in
            LibrarySnapshot.Rating(
                song: row.int(0), rating: row.int(1) > 0 ? Int(row.int(1)) : nil, isStarred: row.int(2) != 0)
        }
    }

    private func history() throws -> [LibrarySnapshot.Play] {
        try database.rows(
            "SELECT song, started, heard FROM history ORDER BY started, id"
        ) { LibrarySnapshot.Play(song: $0.int(0), started: $0.int(1), heard: $0.int(2)) }
    }

    private func songs(_ ids: [Int64]) throws -> [LibrarySnapshot.Song] {
        let row = try SQLStatement(
            database,
            """
            SELECT ifnull(uri, wanted), CASE source_kind WHEN 0 THEN ifnull(source_value, source_id) END, uri IS NULL,
                duration FROM song WHERE id = ?
            """)
        return try zip(ids, SongReader(database).songs(ids)).compactMap { id, found in
            try row.first(id) { row in
                LibrarySnapshot.Song(
                    id: id, file: row.text(0), navidromeID: row.optionalText(1), title: found?.first(.title),
                    artist: found?.first(.artist), album: found?.first(.album),
                    albumArtist: found?.first(.albumArtist), musicBrainzTrackID: found?.first(.musicBrainzTrackID),
                    duration: row.optionalInt(3).map { Double($0) / 1000 }, isGone: row.int(2) != 0 ? true : nil)
            }
        }
    }
}
