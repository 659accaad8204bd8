/// What `segue export` writes: everything that only Segue knows, and enough of each song to find it elsewhere.
///
/// The format is described in docs/export.md; another meaning of a field means another `version`.
public struct LibrarySnapshot: Encodable, Sendable {
    /// A song that something else refers to by its number.
    public struct Song: Encodable, Sendable {
        /// Its number within the file.
        public var id: Int64
        /// The path that clients use; the last one known for a song that is gone.
        public var file: String
        /// Its id on the server; nil for a song of a music folder.
        public var navidromeID: String?
        /// As its tags have it.
        public var title: String?
        /// First artist.
        public var artist: String?
        /// What its album is called.
        public var album: String?
        /// First album artist.
        public var albumArtist: String?
        /// MusicBrainz's id of the recording.
        public var musicBrainzTrackID: String?
        /// Seconds.
        public var duration: Double?
        /// Whether the library does not have it any more.
        public var isGone: Bool?

        enum CodingKeys: String, CodingKey {
            case id, file, title, artist, album, albumArtist, duration, navidromeID = "navidromeId"
            case musicBrainzTrackID = "musicBrainzTrackId", isGone = "gone"
        }
    }

    /// An entry of a playlist: a song or a stream.
    public struct Entry: Encodable, Sendable {
        /// The song's number.
        public var song: Int64?
        /// The stream's address.
        public var url: String?
        /// The stream's title, if it has one.
        public var title: String?
    }

    /// A stored playlist.
    public struct Playlist: Encodable, Sendable {
        /// What clients see; unique.
        public var name: String
        /// When it changed last: Unix seconds.
        public var modified: Int64
        /// Its id on the server; nil for one of Segue's own.
        public var navidromeID: String?
        /// The entries in order, hidden ones included.
        public var entries: [Entry]

        enum CodingKeys: String, CodingKey { case name, modified, entries, navidromeID = "navidromeId" }
    }

    /// What a client attached to a song, a playlist, a tag's value or a filter.
    public struct Sticker: Encodable, Sendable {
        /// `song`, `playlist`, `filter`, or a tag's name.
        public var type: String
        /// The song's number, for `song`.
        public var song: Int64?
        /// The playlist's name, the expression or the tag's value, for the other types.
        public var object: String?
        /// The sticker's name.
        public var name: String
        /// What it says.
        public var value: String
    }

    /// What the listener thinks of a song.
    public struct Rating: Encodable, Sendable {
        /// The song's number.
        public var song: Int64
        /// 1 to 10; nil is not rated.
        public var rating: Int?
        /// Whether it is starred.
        public var isStarred: Bool

        enum CodingKeys: String, CodingKey { case song, rating, isStarred = "starred" }
    }

    /// A song that was heard, with when and how much of it.
    public struct Play: Encodable, Sendable {
        /// The song's number.
        public var song: Int64
        /// When it began: Unix milliseconds.
        public var started: Int64
        /// How much of it was heard: milliseconds.
        public var heard: Int64
    }

    /// Tells that a file is an export of Segue.
    public let format = "segue-export"
    /// Grows when a reader of the version before would misread it.
    public let version = 1
    /// When it was written: Unix seconds.
    public var exported: Int64
    /// The songs that the others refer to.
    public var songs: [Song] = []
    /// Stored playlists, by name.
    public var playlists: [Playlist] = []
    /// Ratings and stars of songs.
    public var ratings: [Rating] = []
    /// Stickers, those that show ratings and stars included.
    public var stickers: [Sticker] = []
    /// Plays, the oldest first.
    public var history: [Play] = []
}
