extension UserSchema {
    /// The version that brought the places at which long songs go on.
    static let bookmarks = """
        CREATE TABLE bookmark (
            song INTEGER PRIMARY KEY,           -- song.id, also while the song is gone
            position INTEGER,                   -- milliseconds; NULL once removed, until the server knows
            changed INTEGER NOT NULL,           -- Unix milliseconds
            waits INTEGER NOT NULL              -- whether the server has to hear of it
        );
        CREATE INDEX bookmark_waits ON bookmark(changed) WHERE waits;
        """

    /// The version that brought the speed at which long songs are heard, and places in streams.
    static let speeds = """
        ALTER TABLE bookmark ADD COLUMN speed REAL;     -- NULL where it isn't known
        CREATE TABLE stream_place (
            url TEXT PRIMARY KEY,
            position INTEGER NOT NULL,          -- milliseconds
            speed REAL,
            changed INTEGER NOT NULL            -- Unix milliseconds
        ) WITHOUT ROWID;
        """
}
