extension UserSchema {
    /// The version that brought the server's answers about which artists are alike.
    static let similarArtists = """
        CREATE TABLE similar_artist (
            artist TEXT PRIMARY KEY,            -- the name of the one that the server was asked about
            asked INTEGER NOT NULL,             -- Unix seconds
            names TEXT NOT NULL                 -- of those that it named, a line each
        ) WITHOUT ROWID;
        """
}
