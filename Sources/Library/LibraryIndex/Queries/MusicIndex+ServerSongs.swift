import GRDB
package import MusicModel

extension MusicIndex {
    /// The server's ids of those of the songs that are the server's.
    @concurrent
    package func serverIDs(_ songs: [SongID]) async throws -> [SongID: String] {
        try await read { database in
            let row = try SQLStatement(
                database,
                "SELECT ifnull(source_value, source_id) FROM song WHERE id = ? AND source_kind = 0")
            var ids: [SongID: String] = [:]
            for song in songs where ids[song] == nil {
                if let id = try row.first(song.rawValue, read: { $0.text(0) }) { ids[song] = id }
            }
            return ids
        }
    }

    /// The songs with these ids on the server, those that it still has.
    @concurrent
    package func songIDs(ofServerSongs serverIDs: [String]) async throws -> [String: SongID] {
        try await read { database in
            let row = try SQLStatement(
                database, "SELECT id FROM song WHERE source_id = ? AND source_kind = 0 AND uri IS NOT NULL")
            var songs: [String: SongID] = [:]
            for serverID in serverIDs where songs[serverID] == nil {
                if let id = try row.first(serverID, read: { SongID(rawValue: $0.int(0)) }) { songs[serverID] = id }
            }
            return songs
        }
    }

    /// The server's ids of the songs that have been here longest, to see whether the server still knows them.
    @concurrent
    package func oldestServerSongs(limit: Int) async throws -> [String] {
        try await read { database in
            try database.rows(
                """
                SELECT ifnull(source_value, source_id) FROM song WHERE source_kind = 0 AND walk IS NOT NULL
                ORDER BY id LIMIT ?
                """, limit
            ) { $0.text(0) }
        }
    }
}
