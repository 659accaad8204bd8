import GRDB
import LibraryIndex

/// The tables of what people made of the library, by the version that brought them.
enum UserSchema {
    /// Version 1: playlists, the queue, the player and the outbox of plays.
    static let first = """
        CREATE TABLE playlist (
            id INTEGER PRIMARY KEY,
            name TEXT NOT NULL UNIQUE,
            modified INTEGER NOT NULL,          -- Unix seconds
            server_id TEXT                      -- NULL for playlists of our own
        );
        CREATE TABLE playlist_item (
            playlist INTEGER NOT NULL,
            position INTEGER NOT NULL,          -- ascending, with gaps
            song INTEGER,                       -- NULL for a stream
            url TEXT,
            tags BLOB,                          -- see TagPairs
            PRIMARY KEY (playlist, position)
        ) WITHOUT ROWID;

        CREATE TABLE queue_entry (
            id INTEGER PRIMARY KEY,             -- the id that clients know
            song INTEGER,                       -- NULL for a stream
            url TEXT,
            tags BLOB,                          -- see TagPairs
            priority INTEGER NOT NULL
        );
        CREATE TABLE queue (
            id INTEGER PRIMARY KEY CHECK (id = 1),
            version INTEGER NOT NULL,
            entries BLOB NOT NULL               -- the ids in the queue's order, 4 bytes each, little-endian
        );
        CREATE TABLE player (key TEXT PRIMARY KEY, value ANY) WITHOUT ROWID;
        CREATE TABLE player_output (name TEXT PRIMARY KEY, enabled INTEGER NOT NULL) WITHOUT ROWID;

        CREATE TABLE play (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            song INTEGER NOT NULL,
            started INTEGER NOT NULL            -- Unix milliseconds
        );
        """
}

extension SchemaPart {
    /// The newest version of the library's database, with both parts.
    static var newest: Int { max(index.latest, user.latest) }

    /// The part of what people made: playlists, stickers and marks, queues, bookmarks, plays, mounts and stations.
    static let user = SchemaPart(
        steps: [
            1: statements(UserSchema.first),
            2: statements(UserSchema.stickers),
            3: statements(UserSchema.partitions),
            4: statements(UserSchema.playlists),
            5: statements(UserSchema.bookmarks),
            6: statements(UserSchema.marks),
            7: statements(UserSchema.history),
            8: statements(UserSchema.stations),
            9: { database in
                try database.execute(sql: UserSchema.playlistParts)
                try UserSchema.movePlaylistItems(database)
            },
            10: statements(UserSchema.picks),
            11: statements(UserSchema.analysis),
            12: statements(UserSchema.ramps),
            13: statements(UserSchema.stationDetails),
            14: statements(UserSchema.beats),
            15: statements(UserSchema.speeds),
            16: statements(UserSchema.discoveries),
            17: statements(UserSchema.similarArtists),
            18: statements(UserSchema.albumMarks),
        ],
        rescued: [
            RescuedTable("partition"),
            RescuedTable("queue"),
            RescuedTable("queue_entry", noun: "entries of queues", order: "partition, id"),
            RescuedTable("player", order: "partition, key"),
            RescuedTable("player_output", order: "partition, place"),
            RescuedTable("playlist", noun: "playlists"),
            RescuedTable("playlist_part"),
            RescuedTable("playlist_other", order: "playlist, number"),
            RescuedTable("playlist_sync"),
            RescuedTable("playlist_deletion", order: "server_id"),
            RescuedTable("song_sticker", noun: "stickers", order: "song, name"),
            RescuedTable("sticker", noun: "stickers", order: "type, object, name"),
            RescuedTable("album_mark", noun: "stars and ratings of albums", order: "title, name, artist"),
            RescuedTable("mount", order: "name"),
            RescuedTable("play", noun: "plays to be sent"),
            RescuedTable("play_echo"),
            RescuedTable("history", noun: "plays in the history"),
            RescuedTable("bookmark", noun: "bookmarks"),
            RescuedTable("stream_place", noun: "places in streams", order: "url"),
            RescuedTable("dj"),
            RescuedTable("pick"),
            RescuedTable("analysis"),
            RescuedTable("mix_day"),
            RescuedTable("mix"),
            RescuedTable("likeness"),
            RescuedTable("similar_artist"),
            RescuedTable("song_mark"),
            RescuedTable("mark_edit", noun: "stars and ratings to be sent"),
        ],
        fileSuffixes: [PlaylistAppends.fileSuffix])
}
