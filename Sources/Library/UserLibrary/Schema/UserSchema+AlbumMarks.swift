extension UserSchema {
    /// The version that tells albums of one title apart by their artists.
    static let albumMarks = """
        ALTER TABLE catalog_mark ADD COLUMN artist TEXT; -- an album's, as in tags; NULL is not known
        DROP INDEX catalog_mark_name;
        CREATE INDEX catalog_mark_name ON catalog_mark(kind, name, artist);
        CREATE TABLE album_mark (               -- see AlbumMarkStore
            title TEXT NOT NULL,
            artist TEXT NOT NULL,
            name TEXT NOT NULL,                 -- of the sticker that shows it
            value TEXT NOT NULL,                -- empty where the album has none
            PRIMARY KEY (title, name, artist)
        ) WITHOUT ROWID;
        """
}
