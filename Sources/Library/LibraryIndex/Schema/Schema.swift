/// The tables of the index. Every distinct text of a tag is one row of `value`, so that a search checks each once
/// however many songs share it (`song_value`). What a client gets of a song stands ready in `block`. A song that its
/// source lost keeps its row and number with `uri` and `walk` NULL, and a row of `gone_song` for queues. One that a cue
/// sheet hides has a path, and with `walk` NULL no place in the tree: only its path or number finds it.
enum Schema {
    /// Bits of `song.walk` that count songs within a directory; the bits above are the directory's `number`.
    static let positionBits: Int64 = 22

    /// Version 20: songs, their texts, the tree, and the playlist files of the music folders.
    static let songs = """
        CREATE TABLE library (
            id INTEGER PRIMARY KEY CHECK (id = 1),
            generation INTEGER NOT NULL,        -- moves on every real change of what clients see
            updated INTEGER NOT NULL,           -- Unix seconds of that change
            songs INTEGER NOT NULL,
            playtime INTEGER NOT NULL,          -- milliseconds
            block_version INTEGER               -- of the text in `block`; see SongBlock
        );
        INSERT INTO library VALUES (1, 0, 0, 0, 0, NULL);

        CREATE TABLE directory (
            id INTEGER PRIMARY KEY,
            parent INTEGER,                     -- NULL for the root
            path TEXT NOT NULL,
            number INTEGER NOT NULL,            -- place in a walk of the tree, with gaps
            modified INTEGER                    -- of the newest song inside, Unix seconds
        );
        INSERT INTO directory VALUES (1, NULL, '', 0, NULL);
        CREATE UNIQUE INDEX directory_path ON directory(path);
        CREATE INDEX directory_parent ON directory(parent, number);

        CREATE TABLE song (
            id INTEGER PRIMARY KEY,
            mount TEXT NOT NULL,
            source_id TEXT NOT NULL,
            source_kind INTEGER NOT NULL,       -- 0 Navidrome, 1 local file, 2 and 3 a part of such
            source_value TEXT,                  -- server id or absolute path, of a part behind start and end in
                                                -- nanoseconds; NULL where it is source_id
            uri TEXT,                           -- the path that clients use; NULL while gone
            wanted TEXT,                        -- the path that the source asks for; NULL where it is uri
            directory INTEGER,                  -- NULL while gone or hidden
            walk INTEGER,                       -- directory.number and the place inside; NULL while gone or hidden
            duration INTEGER,                   -- milliseconds
            modified INTEGER,                   -- Unix seconds; NULL while gone
            added INTEGER,                      -- Unix seconds; NULL while gone
            sample_rate INTEGER,                -- NULL without a known format
            sample INTEGER,                     -- bits; -1 float, -2 DSD, 0 unknown
            channels INTEGER,
            track_gain REAL,
            track_peak REAL,
            album_gain REAL,
            album_peak REAL,
            suffix TEXT NOT NULL,
            size INTEGER,
            cover TEXT,
            starred INTEGER NOT NULL,
            rating INTEGER NOT NULL,
            hash INTEGER NOT NULL,
            recording INTEGER,                  -- hash of the MusicBrainz track id
            identity INTEGER,                   -- hash of artist, album and title
            tags BLOB NOT NULL,                 -- (kind, value.id) in the order of the tags; see TagList
            whole TEXT                          -- source_id of the song that it is a track of
        );
        CREATE UNIQUE INDEX song_source ON song(source_id, mount);
        CREATE UNIQUE INDEX song_uri ON song(uri);
        CREATE INDEX song_walk ON song(walk, duration) WHERE walk IS NOT NULL;
        CREATE INDEX song_modified ON song(modified) WHERE modified IS NOT NULL;
        CREATE INDEX song_added ON song(added) WHERE added IS NOT NULL;
        CREATE INDEX song_gone ON song(id) WHERE uri IS NULL;
        CREATE INDEX song_whole ON song(whole) WHERE whole IS NOT NULL;

        CREATE TABLE hidden_song (              -- files that cue sheets hide; their tags are in no search or list
            id INTEGER PRIMARY KEY,             -- song.id
            tags BLOB NOT NULL                  -- see TagPairs
        );

        CREATE TABLE block (
            id INTEGER PRIMARY KEY,             -- song.id
            block BLOB NOT NULL                 -- the answer text with the standard tags
        );

        CREATE TABLE value (
            id INTEGER PRIMARY KEY,
            kind INTEGER NOT NULL,              -- Tag.rawValue
            text TEXT NOT NULL,
            folded TEXT                         -- NULL where it is text
        );
        CREATE UNIQUE INDEX value_text ON value(kind, text);
        CREATE INDEX value_folded ON value(kind, folded) WHERE folded IS NOT NULL;
        CREATE TABLE song_value (
            value INTEGER NOT NULL,
            song INTEGER NOT NULL,
            place INTEGER NOT NULL,             -- of the tag within the song's tags
            PRIMARY KEY (value, song)
        ) WITHOUT ROWID;

        -- Without positions the trigrams of a needle are ANDed and the hits verified; see FilterEvaluation.
        CREATE VIRTUAL TABLE value_fts USING fts5(
            folded, content='', columnsize=0, detail=none, tokenize='trigram case_sensitive 1'
        );
        INSERT INTO value_fts(value_fts, rank) VALUES ('hashsize', 8388608);

        CREATE TABLE playlist_file (
            path TEXT PRIMARY KEY,              -- the path that clients use
            parent TEXT NOT NULL,               -- directory.path
            mount TEXT NOT NULL,
            source TEXT NOT NULL,               -- absolute path
            modified INTEGER NOT NULL           -- Unix seconds
        ) WITHOUT ROWID;
        CREATE INDEX playlist_file_parent ON playlist_file(parent, path);

        CREATE TABLE fact (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
        """

    /// Version 21: what a queue keeps showing of a song that its source lost.
    static let goneSongs = """
        CREATE TABLE gone_song (
            id INTEGER PRIMARY KEY,             -- song.id
            uri TEXT NOT NULL,                  -- as clients knew it last
            modified INTEGER,                   -- Unix seconds
            added INTEGER,                      -- Unix seconds
            tags BLOB NOT NULL                  -- see TagPairs
        );
        """
}

extension SchemaPart {
    /// The part of the songs, and of small facts, which every part may keep.
    package static let index = SchemaPart(
        steps: [20: statements(Schema.songs), 21: statements(Schema.goneSongs)],
        rescued: [knownSongs, facts])

    /// Songs keep their numbers; the next sync fills in the rest, and need not hear of damage.
    private static var knownSongs: RescuedTable {
        var table = RescuedTable("song", noun: "known songs")
        table.filter = "id BETWEEN 1 AND 2147483647"
        table.columns = [
            "id", "mount", "source_id", "source_kind", "source_value", "wanted", "suffix", "starred", "rating",
        ]
        table.fixed = ["hash": "0", "tags": "x''"]
        table.isChecked = false
        return table
    }

    /// The facts that syncs remember of the server belong to the index that is gone.
    private static var facts: RescuedTable {
        var table = RescuedTable("fact", order: "key")
        table.filter = "key NOT LIKE 'sync.%'"
        return table
    }
}
