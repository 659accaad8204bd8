extension UserSchema {
    /// The version that brought the history of plays, which stays here whatever the server counts.
    static let history = """
        CREATE TABLE history (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            song INTEGER NOT NULL,              -- song.id, also while the song is gone
            started INTEGER NOT NULL,           -- Unix milliseconds
            heard INTEGER NOT NULL              -- milliseconds
        );
        """
}
