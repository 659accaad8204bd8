import GRDB
import LibraryIndex

extension UserSchema {
    /// The entries of stored playlists as numbers, hundreds in a row, so that long lists are saved and loaded at once.
    static let playlistParts = """
        CREATE TABLE playlist_part (
            id INTEGER PRIMARY KEY,             -- playlist.id << 24, and the part's place in the playlist
            entries BLOB NOT NULL               -- 4 bytes each, little-endian: song.id, or 2^31 + playlist_other.number
        );
        CREATE TABLE playlist_other (           -- entries that are no song of the index
            playlist INTEGER NOT NULL,
            number INTEGER NOT NULL,
            url TEXT,                           -- of a stream
            tags BLOB,                          -- see TagPairs
            server_song TEXT,                   -- a song of the server that the index does not have yet; url is NULL then
            PRIMARY KEY (playlist, number)
        ) WITHOUT ROWID;
        """

    /// Takes over the entries from the table that had a row for each.
    static func movePlaylistItems(_ database: Database) throws {
        let parts = PlaylistParts(database)
        let playlists = try SQLStatement(database, "SELECT DISTINCT playlist FROM playlist_item")
        var ids: [Int64] = []
        try playlists.forEach { ids.append(playlists.int(0)) }
        for id in ids {
            let rows = try SQLStatement(
                database,
                "SELECT song, url, tags, server_song FROM playlist_item WHERE playlist = ? ORDER BY position")
            rows.bind(1, id)
            var entries: [PlaylistParts.Content] = []
            try rows.forEach {
                if let song = rows.optionalInt(0) {
                    entries.append(.song(song))
                } else if let url = rows.optionalText(1) {
                    entries.append(.stream(url: url, tags: TagPairs.decode(rows.bytes(2))))
                } else {
                    entries.append(.awaited(serverSong: rows.text(3)))
                }
            }
            try parts.append(id, entries)
        }
        try database.execute(sql: "DROP TABLE playlist_item")
    }
}
