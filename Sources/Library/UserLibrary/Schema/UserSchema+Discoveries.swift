extension UserSchema {
    /// The version that brought the day's playlists and the server's answers over a restart, and a quick way through
    /// the history by song.
    static let discoveries = """
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
        CREATE INDEX history_song ON history(song, started);
        """
}
