extension UserSchema {
    /// The version that brought what was measured of songs.
    static let analysis = """
        CREATE TABLE analysis (
            song INTEGER PRIMARY KEY,           -- song.id, also while the song is gone
            version INTEGER NOT NULL,           -- of what measured it
            made INTEGER NOT NULL,              -- Unix seconds
            size INTEGER,                       -- of the file; a replaced one is measured anew
            tries INTEGER NOT NULL,             -- that failed; 0 once it was measured
            loudness REAL,                      -- LUFS; NULL for silence
            range REAL,                         -- LU
            peak REAL,                          -- of full scale
            tempo REAL,                         -- beats a minute
            confidence REAL,                    -- of the tempo, 0 to 1
            key TEXT,
            energy REAL,                        -- 0 to 1
            vector BLOB                         -- 4 bytes each, little-endian
        );
        """

    /// The version that brought ramps, and why a song could not be measured.
    static let ramps = """
        ALTER TABLE analysis ADD COLUMN ramp_start TEXT;    -- as the tag MIXRAMP_START
        ALTER TABLE analysis ADD COLUMN ramp_end TEXT;
        ALTER TABLE analysis ADD COLUMN problem TEXT;       -- NULL once it was measured
        """

    /// The version that brought beats: the second of one, the seconds from each to the next, and how sure that is.
    static let beats = """
        ALTER TABLE analysis ADD COLUMN beats_start TEXT;   -- of the beginning
        ALTER TABLE analysis ADD COLUMN beats_end TEXT;
        """
}
