extension UserSchema {
    /// The version that brought the auto-DJ: whether it is on in each partition, and what it picked.
    static let picks = """
        CREATE TABLE dj (
            partition INTEGER PRIMARY KEY,
            is_on INTEGER NOT NULL,
            mode TEXT NOT NULL,
            adventure REAL NOT NULL,            -- 0 to 1
            seeds TEXT NOT NULL                 -- song.id of what the listener chose, between commas, newest last
        );
        CREATE TABLE pick (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            partition INTEGER NOT NULL,
            entry INTEGER NOT NULL,             -- queue_entry.id
            song INTEGER NOT NULL,              -- song.id, also while the song is gone
            picked INTEGER NOT NULL,            -- Unix seconds
            why TEXT NOT NULL,
            outcome INTEGER NOT NULL            -- PickOutcome
        );
        CREATE INDEX pick_waiting ON pick(partition, outcome);
        """
}
