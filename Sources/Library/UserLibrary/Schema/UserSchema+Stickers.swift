extension UserSchema {
    /// Version 2: stickers.
    static let stickers = """
        CREATE TABLE song_sticker (
            song INTEGER NOT NULL,              -- song.id, also while the song is gone
            name TEXT NOT NULL,
            value TEXT NOT NULL,
            PRIMARY KEY (song, name)
        ) WITHOUT ROWID;
        CREATE INDEX song_sticker_value ON song_sticker(name, value);
        CREATE INDEX song_sticker_number ON song_sticker(name, CAST(value AS INT), value);

        CREATE TABLE sticker (
            type TEXT NOT NULL,                 -- playlist, filter, or the name of a tag
            object TEXT NOT NULL,               -- the playlist's name, the expression or the tag's value
            name TEXT NOT NULL,
            value TEXT NOT NULL,
            PRIMARY KEY (type, object, name)
        ) WITHOUT ROWID;
        """
}
