/// The content of `segue export`: everything that only Segue knows, and enough of each song to find it elsewhere. The
/// format is described in docs/export.md; another meaning of a field means another `version`.
package struct LibrarySnapshot: Encodable, Sendable {
    /// A song that something else refers to by its number.
    package struct Song: Encodable, Sendable {
        /// Its number within the file.
        package var id: Int64
        /// The path that clients use; the last one known for a song that is gone.
        package var file: String
        /// Its id on the server; nil for a song of a music folder.
        package var navidromeID: String?
        /// As its tags have it.
        package var title: String?
        /// First artist.
        package var artist: String?
        /// The title of its album.
        package var album: String?
        /// First album artist.
        package var albumArtist: String?
        /// MusicBrainz's id of the recording.
        package var musicBrainzTrackID: String?
        /// Seconds.
        package var duration: Double?
        /// True if the library does not have it any more.
        package var isGone: Bool?

        enum CodingKeys: String, CodingKey {
            case id, file, title, artist, album, albumArtist, duration, navidromeID = "navidromeId"
            case musicBrainzTrackID = "musicBrainzTrackId", isGone = "gone"
        }
    }

    /// An entry of a playlist: a song or a stream.
    package struct Entry: Encodable, Sendable {
        /// The song's number.
        package var song: Int64?
        /// The stream's address.
        package var url: String?
        /// The stream's title, if it has one.
        package var title: String?
    }

    /// A stored playlist.
    package struct Playlist: Encodable, Sendable {
        /// The name that clients see; unique.
        package var name: String
        /// When it changed last: Unix seconds.
        package var modified: Int64
        /// Its id on the server; nil for one of Segue's own.
        package var navidromeID: String?
        /// The entries in order, hidden ones included.
        package var entries: [Entry]

        enum CodingKeys: String, CodingKey { case name, modified, entries, navidromeID = "navidromeId" }
    }

    /// A sticker that a client attached to a song, a playlist, a tag's value or a filter.
    package struct Sticker: Encodable, Sendable {
        /// `song`, `playlist`, `filter`, or a tag's name.
        package var type: String
        /// The song's number, for `song`.
        package var song: Int64?
        /// The playlist's name, the expression or the tag's value, for the other types.
        package var object: String?
        /// The sticker's name.
        package var name: String
        /// The text that it says.
        package var value: String
    }

    /// The listener's rating of a song.
    package struct Rating: Encodable, Sendable {
        /// The song's number.
        package var song: Int64
        /// 1 to 10; nil is not rated.
        package var rating: Int?
        /// True if it is starred.
        package var isStarred: Bool

        enum CodingKeys: String, CodingKey { case song, rating, isStarred = "starred" }
    }

    /// A song that was heard, with when and how much of it.
    package struct Play: Encodable, Sendable {
        /// The song's number.
        package var song: Int64
        /// When it began: Unix milliseconds.
        package var started: Int64
        /// How much of it was heard: milliseconds.
        package var heard: Int64
    }

    /// Tells that a file is an export of Segue.
    package let format = "segue-export"
    /// Grows when a reader of the version before would misread it.
    package let version = 1
    /// When it was written: Unix seconds.
    package var exported: Int64
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
