extension UserSchema {
    /// Internet radio stations, of the configuration and of the server.
    static let stations = """
        CREATE TABLE station (
            source TEXT NOT NULL,               -- 'configuration', or 'server' and the server's mount
            place INTEGER NOT NULL,             -- in the source's list
            name TEXT NOT NULL,
            url TEXT NOT NULL,                  -- may hold credentials
            modified INTEGER NOT NULL,          -- when the source's list changed, Unix seconds
            PRIMARY KEY (source, place)
        ) WITHOUT ROWID;
        """

    /// The version that brought what a page shows of them.
    static let stationDetails = """
        ALTER TABLE station ADD COLUMN picture TEXT;    -- see StationPicture; NULL without one
        ALTER TABLE station ADD COLUMN country TEXT;
        ALTER TABLE station ADD COLUMN genre TEXT;
        ALTER TABLE station ADD COLUMN homepage TEXT;
        """
}
