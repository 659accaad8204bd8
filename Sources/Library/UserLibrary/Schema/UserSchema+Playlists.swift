extension UserSchema {
    /// Stored playlists that are the server's as well: what waits to be sent there, and what both had last.
    static let playlists = """
        ALTER TABLE playlist ADD COLUMN locked TEXT;        -- NULL may be edited; '' is smart; else whose it is
        ALTER TABLE playlist ADD COLUMN edited INTEGER;     -- Unix milliseconds of an edit that the server lacks
        UPDATE playlist SET edited = modified * 1000 WHERE server_id IS NULL;
        CREATE INDEX playlist_edited ON playlist(edited) WHERE edited IS NOT NULL;
        CREATE INDEX playlist_server ON playlist(server_id) WHERE server_id IS NOT NULL;

        -- A song of the server that the index does not have yet; song and url are NULL then.
        ALTER TABLE playlist_item ADD COLUMN server_song TEXT;

        -- Ids of songs stand one a line.
        CREATE TABLE playlist_sync (
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

        DELETE FROM fact WHERE key LIKE 'sync.%.playlists';
        """
}
