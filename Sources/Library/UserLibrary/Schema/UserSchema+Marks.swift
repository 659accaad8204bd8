extension UserSchema {
    /// Stars, ratings and plays as the server had them last, and edits of them that it does not have yet.
    ///
    /// Clients see ordinary stickers; these tables only say what of them the server knows.
    static let marks = """
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
            PRIMARY KEY (kind, server_id)
        ) WITHOUT ROWID;
        CREATE INDEX catalog_mark_name ON catalog_mark(kind, name);

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

        CREATE INDEX play_song ON play(song);

        -- Plays that a client and the scrobbler both count; see PlayCounting.
        CREATE TABLE play_echo (
            song INTEGER PRIMARY KEY,
            is_clients INTEGER NOT NULL,        -- whether the client counted first
            counted INTEGER NOT NULL,           -- Unix milliseconds
            until INTEGER NOT NULL              -- Unix milliseconds
        );
        """
}
