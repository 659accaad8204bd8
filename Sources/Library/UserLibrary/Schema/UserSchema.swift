import GRDB
import LibraryIndex

enum UserSchema {
    static let tables = """
        CREATE TABLE partition (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
        INSERT INTO partition VALUES (1, 'default');
        CREATE TABLE queue (
            partition INTEGER PRIMARY KEY,
            version INTEGER NOT NULL,
            entries BLOB NOT NULL               -- the ids in the queue's order, 4 bytes each, little-endian
        );
        CREATE TABLE queue_entry (
            partition INTEGER NOT NULL,
            id INTEGER NOT NULL,                -- the id that clients know
            song INTEGER,                       -- NULL for a stream
            url TEXT,
            tags BLOB,                          -- see TagPairs
            priority INTEGER NOT NULL,
            range_start INTEGER,                -- milliseconds; NULL for a whole song
            range_end INTEGER,                  -- milliseconds; NULL for the song's end
            PRIMARY KEY (partition, id)
        ) WITHOUT ROWID;
        CREATE TABLE player (
            partition INTEGER NOT NULL, key TEXT NOT NULL, value ANY, PRIMARY KEY (partition, key)
        ) WITHOUT ROWID;
        CREATE TABLE player_output (
            partition INTEGER NOT NULL,
            place INTEGER NOT NULL,             -- in the partition's list
            name TEXT NOT NULL,
            enabled INTEGER NOT NULL,
            moved_away INTEGER NOT NULL,        -- whether only its place is left here
            PRIMARY KEY (partition, place)
        ) WITHOUT ROWID;
        CREATE TABLE dj (
            partition INTEGER PRIMARY KEY,
            is_on INTEGER NOT NULL,
            mode TEXT NOT NULL,
            adventure REAL NOT NULL,            -- 0 to 1
            seeds TEXT NOT NULL                 -- song.id of what the listener chose, between commas, newest last
        );
        CREATE TABLE pick (                     -- what the auto-DJ added
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            partition INTEGER NOT NULL,
            entry INTEGER NOT NULL,             -- queue_entry.id
            song INTEGER NOT NULL,              -- song.id, also while the song is gone
            picked INTEGER NOT NULL,            -- Unix seconds
            why TEXT NOT NULL,
            outcome INTEGER NOT NULL            -- PickOutcome
        );
        CREATE INDEX pick_waiting ON pick(partition, outcome);
        CREATE TABLE mount (name TEXT PRIMARY KEY, uri TEXT NOT NULL) WITHOUT ROWID;

        CREATE TABLE playlist (
            id INTEGER PRIMARY KEY,
            name TEXT NOT NULL UNIQUE,
            modified INTEGER NOT NULL,          -- Unix seconds
            server_id TEXT,                     -- NULL for playlists of our own
            locked TEXT,                        -- NULL may be edited; '' is smart; else whose it is
            edited INTEGER                      -- Unix milliseconds of an edit that the server lacks
        );
        CREATE INDEX playlist_edited ON playlist(edited) WHERE edited IS NOT NULL;
        CREATE INDEX playlist_server ON playlist(server_id) WHERE server_id IS NOT NULL;
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
        CREATE TABLE playlist_sync (            -- what both sides had last; ids of songs stand one a line
            playlist INTEGER PRIMARY KEY,       -- playlist.id
            server_name TEXT NOT NULL,          -- the name there when both were the same
            shown_name TEXT NOT NULL,           -- playlist.name then
            stamp TEXT,                         -- when it changed last there, in the server's words; NULL fetches it
            fetched INTEGER NOT NULL,           -- Unix seconds
            songs TEXT NOT NULL,                -- what the server had
            attempt TEXT                        -- what is being sent; NULL once that is known to have come
        );
        CREATE TABLE playlist_deletion (        -- of playlists that the server still has
            server_id TEXT PRIMARY KEY,
            name TEXT NOT NULL,
            songs TEXT NOT NULL
        ) WITHOUT ROWID;
        CREATE TABLE station (                  -- of internet radio
            source TEXT NOT NULL,               -- 'configuration', or 'server' and the server's mount
            place INTEGER NOT NULL,             -- in the source's list
            name TEXT NOT NULL,
            url TEXT NOT NULL,                  -- may hold credentials
            modified INTEGER NOT NULL,          -- when the source's list changed, Unix seconds
            picture TEXT,                       -- see StationPicture; NULL without one
            country TEXT,
            genre TEXT,
            homepage TEXT,
            PRIMARY KEY (source, place)
        ) WITHOUT ROWID;
        """

    /// Version 20: plays, places in long songs, stickers, and marks, which say what of the stickers the server knows.
    static let marks = """
        CREATE TABLE play (                     -- those that the server does not have yet
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            song INTEGER NOT NULL,
            started INTEGER NOT NULL            -- Unix milliseconds
        );
        CREATE INDEX play_song ON play(song);
        CREATE TABLE play_echo (                -- plays that a client and the scrobbler both count; see PlayCounting
            song INTEGER PRIMARY KEY,
            is_clients INTEGER NOT NULL,        -- whether the client counted first
            counted INTEGER NOT NULL,           -- Unix milliseconds
            until INTEGER NOT NULL              -- Unix milliseconds
        );
        CREATE TABLE history (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            song INTEGER NOT NULL,              -- song.id, also while the song is gone
            started INTEGER NOT NULL,           -- Unix milliseconds
            heard INTEGER NOT NULL              -- milliseconds
        );
        CREATE INDEX history_song ON history(song, started);
        CREATE TABLE bookmark (
            song INTEGER PRIMARY KEY,           -- song.id, also while the song is gone
            position INTEGER,                   -- milliseconds; NULL once removed, until the server knows
            changed INTEGER NOT NULL,           -- Unix milliseconds
            waits INTEGER NOT NULL,             -- whether the server has to hear of it
            speed REAL                          -- NULL where it isn't known
        );
        CREATE INDEX bookmark_waits ON bookmark(changed) WHERE waits;
        CREATE TABLE stream_place (
            url TEXT PRIMARY KEY,
            position INTEGER NOT NULL,          -- milliseconds
            speed REAL,
            changed INTEGER NOT NULL            -- Unix milliseconds
        ) WITHOUT ROWID;

        CREATE TABLE song_sticker (
            song INTEGER NOT NULL,              -- song.id, also while the song is gone
            name TEXT NOT NULL,
            value TEXT NOT NULL,
            PRIMARY KEY (song, name)
        ) WITHOUT ROWID;
        CREATE INDEX song_sticker_value ON song_sticker(name, value);
        CREATE INDEX song_sticker_number ON song_sticker(name, CAST(value AS INT), value);
        CREATE TABLE sticker (
            type TEXT NOT NULL,                 -- playlist, filter, or the name of a tag
            object TEXT NOT NULL,               -- the playlist's name, the expression or the tag's value
            name TEXT NOT NULL,
            value TEXT NOT NULL,
            PRIMARY KEY (type, object, name)
        ) WITHOUT ROWID;
        CREATE TABLE album_mark (               -- see AlbumMarkStore
            title TEXT NOT NULL,
            artist TEXT NOT NULL,
            name TEXT NOT NULL,                 -- of the sticker that shows it
            value TEXT NOT NULL,                -- empty where the album has none
            PRIMARY KEY (title, name, artist)
        ) WITHOUT ROWID;
        CREATE TABLE song_mark (
            song INTEGER PRIMARY KEY,           -- song.id
            server_id TEXT NOT NULL,            -- the song's id on the server that had these values
            starred INTEGER,                    -- Unix milliseconds, 0 is not starred; NULL is not known, as below
            rating INTEGER,                     -- 0 to 5
            plays INTEGER,
            played INTEGER                      -- Unix seconds; 0 is never
        );
        CREATE INDEX song_mark_starred ON song_mark(starred) WHERE starred <> 0;
        CREATE TABLE catalog_mark (             -- the server's albums and artists
            kind INTEGER NOT NULL,              -- 1 album, 2 artist
            server_id TEXT NOT NULL,
            name TEXT NOT NULL,
            starred INTEGER,                    -- as in song_mark
            rating INTEGER,
            artist TEXT,                        -- an album's, as in tags; NULL is not known
            PRIMARY KEY (kind, server_id)
        ) WITHOUT ROWID;
        CREATE INDEX catalog_mark_name ON catalog_mark(kind, name, artist);
        CREATE TABLE mark_edit (
            number INTEGER PRIMARY KEY AUTOINCREMENT,
            kind INTEGER NOT NULL,              -- 0 song, 1 album, 2 artist
            target TEXT NOT NULL,               -- song.id, or the server's id of an album or artist
            field INTEGER NOT NULL,             -- 0 star, 1 rating, 2 plays
            value INTEGER NOT NULL,             -- 0 or 1; 0 to 5
            edited INTEGER NOT NULL,            -- Unix milliseconds
            state INTEGER NOT NULL              -- MarkMerge.Edit.State
        );
        CREATE UNIQUE INDEX mark_edit_target ON mark_edit(kind, target, field);
        """

    /// Version 20: what was measured of songs, the day's playlists, and the server's answers about what is alike.
    static let discoveries = """
        CREATE TABLE analysis (
            song INTEGER PRIMARY KEY,           -- song.id, also while the song is gone
            version INTEGER NOT NULL,           -- of what measured it
            made INTEGER NOT NULL,              -- Unix seconds
            size INTEGER,                       -- of the file; a replaced one is measured again
            tries INTEGER NOT NULL,             -- that failed; 0 once it was measured
            loudness REAL,                      -- LUFS; NULL for silence
            range REAL,                         -- LU
            peak REAL,                          -- of full scale
            tempo REAL,                         -- beats a minute
            confidence REAL,                    -- of the tempo, 0 to 1
            key TEXT,
            energy REAL,                        -- 0 to 1
            vector BLOB,                        -- 4 bytes each, little-endian
            ramp_start TEXT,                    -- as the tag MIXRAMP_START
            ramp_end TEXT,
            problem TEXT,                       -- why it could not be measured; NULL once it was
            beats_start TEXT,                   -- second of a beat, seconds from each to the next, how sure that is
            beats_end TEXT
        );
        CREATE TABLE mix_day (
            id INTEGER PRIMARY KEY CHECK (id = 1),
            day INTEGER NOT NULL,               -- days since 1970 by the listener's clock
            part INTEGER NOT NULL,              -- seconds from midnight to where the part of the day began
            families TEXT NOT NULL,             -- of the playlists that were made, between commas
            songs INTEGER NOT NULL              -- that the library had
        );
        CREATE TABLE mix (
            place INTEGER PRIMARY KEY,
            name TEXT NOT NULL,
            songs TEXT NOT NULL                 -- song.id, between commas
        );
        CREATE TABLE likeness (
            song INTEGER PRIMARY KEY,           -- song.id that the server was asked about
            asked INTEGER NOT NULL,             -- Unix seconds
            songs TEXT NOT NULL                 -- song.id and likeness of each that it named, between commas
        );
        CREATE TABLE similar_artist (
            artist TEXT PRIMARY KEY,            -- the name of the one that the server was asked about
            asked INTEGER NOT NULL,             -- Unix seconds
            names TEXT NOT NULL                 -- of those that it named, a line each
        ) WITHOUT ROWID;
        """

    /// Version 22: the entries of a playlist as one list.
    static func joinPlaylistParts(_ database: Database) throws {
        try database.execute(
            sql: """
                CREATE TABLE playlist_entries (
                    playlist INTEGER PRIMARY KEY,   -- playlist.id
                    entries BLOB NOT NULL           -- 4 bytes each, little-endian: song.id, or 2^31 + playlist_other.number
                );
                """)
        var lists: [Int64: [UInt8]] = [:]
        try database.forEach(
            "SELECT id >> 24, entries FROM playlist_part ORDER BY id"
        ) { lists[$0.int(0), default: []].append(contentsOf: $0.bytes(1)) }
        let insertion = try SQLStatement(database, "INSERT INTO playlist_entries (playlist, entries) VALUES (?, ?)")
        for (playlist, entries) in lists { try insertion.run(playlist, entries) }
        try database.execute(sql: "DROP TABLE playlist_part")
    }
}

extension SchemaPart {
    /// The part of what people made: playlists, stickers and marks, queues, bookmarks, plays, mounts and stations.
    static let user = SchemaPart(
        steps: [
            20: statements(UserSchema.tables + UserSchema.marks + UserSchema.discoveries),
            22: UserSchema.joinPlaylistParts,
        ],
        rescued: [
            RescuedTable("partition"),
            RescuedTable("queue"),
            RescuedTable("queue_entry", noun: "entries of queues", order: "partition, id"),
            RescuedTable("player", order: "partition, key"),
            RescuedTable("player_output", order: "partition, place"),
            RescuedTable("playlist", noun: "playlists"),
            RescuedTable("playlist_entries"),
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
        ])
}
