/// The content of `segue export`: everything that only Segue knows, and enough of each song to find it elsewhere.
/// docs/export.md describes the fields; another meaning of a field means another `version`.
package struct LibrarySnapshot: Encodable, Sendable {
    /// A song that something else refers to by its number within the file.
    package struct Song: Encodable, Sendable {
        var id: Int64
        var file: String
        var navidromeID: String?
        var title: String?
        var artist: String?
        var album: String?
        var albumArtist: String?
        var musicBrainzTrackID: String?
        /// Seconds.
        var duration: Double?
        var isGone: Bool?

        enum CodingKeys: String, CodingKey {
            case id, file, title, artist, album, albumArtist, duration, navidromeID = "navidromeId"
            case musicBrainzTrackID = "musicBrainzTrackId", isGone = "gone"
        }
    }

    /// An entry of a playlist: a song or a stream.
    package struct Entry: Encodable, Sendable {
        var song: Int64?
        var url: String?
        var title: String?
    }

    /// A stored playlist.
    package struct Playlist: Encodable, Sendable {
        var name: String
        /// Unix seconds.
        var modified: Int64
        var navidromeID: String?
        var entries: [Entry]

        enum CodingKeys: String, CodingKey { case name, modified, entries, navidromeID = "navidromeId" }
    }

    /// A sticker that a client attached to a song, a playlist, a tag's value or a filter.
    package struct Sticker: Encodable, Sendable {
        var type: String
        /// The song's number, for `song`; the others have an object.
        var song: Int64?
        var object: String?
        var name: String
        var value: String
    }

    /// The listener's rating of a song, 1 to 10, and star.
    package struct Rating: Encodable, Sendable {
        var song: Int64
        var rating: Int?
        var isStarred: Bool

        enum CodingKeys: String, CodingKey { case song, rating, isStarred = "starred" }
    }

    /// A song that was heard, with when (Unix milliseconds) and how much of it (milliseconds).
    package struct Play: Encodable, Sendable {
        /// The song's number.
        package var song: Int64
        /// When it began.
        package var started: Int64
        /// How much of it was heard.
        package var heard: Int64
    }

    let format = "segue-export"
    /// Grows when a reader of the version before would misread it.
    let version = 1
    /// Unix seconds.
    var exported: Int64
    /// The songs that the others refer to.
    package var songs: [Song] = []
    /// Stored playlists, by name.
    package var playlists: [Playlist] = []
    /// Ratings and stars of songs.
    package var ratings: [Rating] = []
    /// Stickers, those that show ratings and stars included.
    package var stickers: [Sticker] = []
    /// Plays, the oldest first.
    package var history: [Play] = []
}
