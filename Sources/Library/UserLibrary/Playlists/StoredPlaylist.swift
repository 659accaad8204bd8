package import MusicModel

/// A stored playlist in a list of them.
package struct StoredPlaylist: Hashable, Sendable {
    /// The name that clients use.
    package var name: String
    /// Unix seconds.
    package var lastModified: Int64
    /// True if it belongs to the server and can't be edited here.
    package var isReadOnly: Bool
    /// The other user of the server to whom it belongs; nil for one's own, smart ones, and those that Segue makes.
    package var owner: String?
}

/// How much is in a stored playlist.
package struct PlaylistLength: Hashable, Sendable {
    /// The entries that clients see.
    package var songs: Int
    /// How long its songs play together; streams play for no time.
    package var playtime: Duration
    /// Its first song, whose picture stands for the playlist; nil where it has none, and for those that Segue makes.
    package var first: SongID?
}
