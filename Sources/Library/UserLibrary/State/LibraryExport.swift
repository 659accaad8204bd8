import Foundation
import GRDB
import LibraryIndex
import MusicModel

/// Reads what `segue export` writes, from a database that a server may be using at the same time.
package enum LibraryExport {
    /// Reads everything in one snapshot; nothing is written.
    /// - Throws: `LibraryError`, also when another version of Segue wrote the database.
    package static func read(path: String) throws -> LibrarySnapshot {
        var configuration = Configuration()
        configuration.label = "segue.export"
        configuration.readonly = true
        configuration.busyMode = .timeout(5)
        do {
            let queue = try DatabaseQueue(path: path, configuration: configuration)
            return try queue.read { database in
                let found = Int(try database.integer("PRAGMA user_version"))
                guard found == SchemaVersion.newest else {
                    throw LibraryError(
                        .otherVersion,
                        "The database \(path) belongs to another version of Segue; export with the one that uses it.")
                }
                return try SnapshotReader(database: database).snapshot()
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
        snapshot.ratings = try ratings(snapshot.stickers)
        snapshot.history = try history()
        var needed = Set(snapshot.playlists.flatMap { $0.entries.compactMap(\.song) })
        needed.formUnion(snapshot.stickers.compactMap(\.song))
        needed.formUnion(snapshot.ratings.map(\.song))
        needed.formUnion(snapshot.history.map(\.song))
        snapshot.songs = try songs(needed.sorted())
        return snapshot
    }

    private func playlists() throws -> [LibrarySnapshot.Playlist] {
        let lists: [(id: Int64, playlist: LibrarySnapshot.Playlist)] = try database.rows(
            "SELECT id, name, modified, server_id FROM playlist ORDER BY name"
        ) { row in
            (
                row.int(0),
                LibrarySnapshot.Playlist(
                    name: row.text(1), modified: row.int(2), navidromeID: row.optionalText(3), entries: [])
            )
        }
        let stored = StoredEntries(database)
        return try lists.map { id, playlist in
            var playlist = playlist
            let list = try stored.list(id)
            playlist.entries = list.codes.map { code in
                switch list.content(code) {
                case .song(let song): return LibrarySnapshot.Entry(song: song, url: nil, title: nil)
                case .stream(let url, let tags):
                    let title = tags.first { [.title, .name].contains($0.tag) }?.value
                    return LibrarySnapshot.Entry(song: nil, url: StreamURL.withoutCredentials(url), title: title)
                case .awaited: return LibrarySnapshot.Entry(song: nil, url: nil, title: nil)
                }
            }
            return playlist
        }
    }

    private func songStickers() throws -> [LibrarySnapshot.Sticker] {
        try database.rows(
            "SELECT song, name, value FROM song_sticker ORDER BY song, name"
        ) { LibrarySnapshot.Sticker(type: "song", song: $0.int(0), name: $0.text(1), value: $0.text(2)) }
    }

    private func otherStickers() throws -> [LibrarySnapshot.Sticker] {
        try database.rows("SELECT type, object, name, value FROM sticker ORDER BY type, object, name") { row in
            LibrarySnapshot.Sticker(
                type: row.text(0), object: row.text(1), name: row.text(2), value: row.text(3))
        }
    }

    /// Ratings and stars as stickers have them; where a song has no such sticker, as the server had them.
    private func ratings(_ stickers: [LibrarySnapshot.Sticker]) throws -> [LibrarySnapshot.Rating] {
        var ratings: [Int64: LibrarySnapshot.Rating] = [:]
        try database.forEach("SELECT id, rating, starred FROM song WHERE rating <> 0 OR starred <> 0") { row in
            let rating = Int(row.int(1)).multipliedClamped(by: 2)
            ratings[row.int(0)] = LibrarySnapshot.Rating(
                song: row.int(0), rating: rating > 0 ? rating : nil, isStarred: row.int(2) != 0)
        }
        for sticker in stickers where sticker.type == "song" && ["rating", "like"].contains(sticker.name) {
            guard let song = sticker.song, let value = Int(sticker.value) else { continue }
            var rating = ratings[song] ?? LibrarySnapshot.Rating(song: song, isStarred: false)
            if sticker.name == "rating" {
                rating.rating = value > 0 ? value : nil
            } else {
                rating.isStarred = value > 1
            }
            ratings[song] = rating
        }
        return ratings.values.filter { $0.rating != nil || $0.isStarred }.sorted { $0.song < $1.song }
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
        var songs: [LibrarySnapshot.Song] = []
        for (id, found) in zip(ids, try SongReader(database).songs(ids)) {
            guard
                var song = try row.first(
                    id,
                    read: { row in
                        LibrarySnapshot.Song(
                            id: id, file: row.text(0), navidromeID: row.optionalText(1),
                            duration: row.optionalInt(3).map { Double($0) / 1000 }, isGone: row.int(2) != 0 ? true : nil
                        )
                    })
            else { continue }
            song.title = found?.first(.title)
            song.artist = found?.first(.artist)
            song.album = found?.first(.album)
            song.albumArtist = found?.first(.albumArtist)
            song.musicBrainzTrackID = found?.first(.musicBrainzTrackID)
            songs.append(song)
        }
        return songs
    }
}
