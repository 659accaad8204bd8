extension UserSchema {
    /// Several partitions with a queue, options and outputs each; parts of songs in the queue; folders mounted by
    /// clients.
    static let partitions = """
        CREATE TABLE partition (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
        INSERT INTO partition VALUES (1, 'default');

        ALTER TABLE queue_entry RENAME TO old_queue_entry;
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
        INSERT INTO queue_entry SELECT 1, id, song, url, tags, priority, NULL, NULL FROM old_queue_entry;
        DROP TABLE old_queue_entry;

        ALTER TABLE queue RENAME TO old_queue;
        CREATE TABLE queue (
            partition INTEGER PRIMARY KEY,
            version INTEGER NOT NULL,
            entries BLOB NOT NULL               -- the ids in the queue's order, 4 bytes each, little-endian
        );
        INSERT INTO queue SELECT 1, version, entries FROM old_queue;
        DROP TABLE old_queue;

        ALTER TABLE player RENAME TO old_player;
        CREATE TABLE player (
            partition INTEGER NOT NULL, key TEXT NOT NULL, value ANY, PRIMARY KEY (partition, key)
        ) WITHOUT ROWID;
        INSERT INTO player SELECT 1, key, value FROM old_player;
        DROP TABLE old_player;

        ALTER TABLE player_output RENAME TO old_player_output;
        CREATE TABLE player_output (
            partition INTEGER NOT NULL,
            place INTEGER NOT NULL,             -- in the partition's list
            name TEXT NOT NULL,
            enabled INTEGER NOT NULL,
            moved_away INTEGER NOT NULL,        -- whether only its place is left here
            PRIMARY KEY (partition, place)
        ) WITHOUT ROWID;
        INSERT INTO player_output
            SELECT 1, row_number() OVER (ORDER BY name) - 1, name, enabled, 0 FROM old_player_output;
        DROP TABLE old_player_output;

        CREATE TABLE mount (name TEXT PRIMARY KEY, uri TEXT NOT NULL) WITHOUT ROWID;
        """
}
