/// A song as the server describes it: Subsonic's `Child` with OpenSubsonic's fields.
///
/// Absent, null and unusable fields are nil or empty. Navidrome writes 0 or `""` for many unknown values: numbers that
/// can't be 0 (`bpm`, `bitDepth`, `year`, ...) and empty texts are nil here.
package struct SubsonicSong: Hashable, Sendable {
    /// The server's id, never empty.
    package var id: String
    /// As the file's tags have it; nil where the server found none.
    package var title: String?
    /// The title for sorting, in lower case on Navidrome.
    package var sortName: String?
    /// Artists in order, one each; empty on servers without OpenSubsonic.
    package var artists: [ArtistReference] = []
    /// All artists in one text (`artist`).
    package var artist: String?
    /// Album artists in order, one each.
    package var albumArtists: [ArtistReference] = []
    /// All album artists as they should be shown.
    package var displayAlbumArtist: String?
    /// The album's name.
    package var album: String?
    /// The album's id.
    package var albumID: String?
    /// The number on the disc.
    package var track: Int?
    /// The disc's number.
    package var discNumber: Int?
    /// The disc's title, on servers that send it with songs; otherwise see `SubsonicAlbum.discTitles`.
    package var discSubtitle: String?
    /// Of the recording, or of the release where tags have nothing else (`year`).
    package var year: Int?
    /// When this release came out, on servers that send it with songs; otherwise see `SubsonicAlbum`.
    package var releaseDate: PartialDate?
    /// When the work came out first, on servers that send it with songs; otherwise see `SubsonicAlbum`.
    package var originalReleaseDate: PartialDate?
    /// Genres in order: `genres`, or the single `genre` where the server has no list.
    package var genres: [String] = []
    /// Composers, performers and others, in order.
    package var contributors: [Contributor] = []
    /// All composers as they should be shown.
    package var displayComposer: String?
    /// OpenSubsonic's `moods`, one text each.
    package var moods: [String] = []
    /// OpenSubsonic's `groupings`, one text each.
    package var groupings: [String] = []
    /// OpenSubsonic's `works`: what was composed.
    package var works: [Work] = []
    /// OpenSubsonic's `movements`: the parts of the work that this recording is.
    package var movements: [Movement] = []
    /// Record labels, on servers that send them with songs; otherwise see `SubsonicAlbum`.
    package var recordLabels: [String] = []
    /// Free text of the file's tags.
    package var comment: String?
    /// The recording's MusicBrainz id.
    package var musicBrainzID: String?
    /// Loudness values.
    package var replayGain = SubsonicReplayGain()
    /// Samples a second.
    package var samplingRate: Int?
    /// Bits a sample.
    package var bitDepth: Int?
    /// 1 is mono, 2 is stereo.
    package var channelCount: Int?
    /// kbit/s.
    package var bitRate: Int?
    /// Whole seconds.
    package var duration: Int?
    /// Bytes.
    package var size: Int64?
    /// The file name extension, without the dot.
    package var suffix: String?
    /// The path that the server shows.
    package var path: String?
    /// When the song came into the server's library: ISO 8601 with 0 to 9 digits of fraction and `Z` or an offset.
    package var created: String?
    /// The picture's id.
    package var coverArt: String?
    /// When the user starred it, as `created`; nil if not starred.
    package var starred: String?
    /// 1 to 5; nil if not rated.
    package var userRating: Int?
    /// How often it was played.
    package var playCount: Int?
    /// When it was played last, as `created`.
    package var played: String?

    /// Makes a song of which nothing but the id is known.
    package init(id: String) { self.id = id }
}

/// An artist as songs and albums name it.
package struct ArtistReference: Hashable, Sendable {
    /// The server's id.
    package var id: String?
    /// The name, never empty.
    package var name: String
    /// The name for sorting, on servers that send it here; otherwise see `SubsonicArtist`.
    package var sortName: String?
    /// The MusicBrainz id, on servers that send it here; otherwise see `SubsonicArtist`.
    package var musicBrainzID: String?
}

/// A person or group that took part in a song.
package struct Contributor: Hashable, Sendable {
    /// `composer`, `performer`, `conductor`, `lyricist`, `arranger`, ... in lower case.
    package var role: String
    /// The instrument, for performers.
    package var subRole: String?
    /// The one who took part.
    package var artist: ArtistReference
}

/// A work that a song belongs to.
package struct Work: Hashable, Sendable {
    /// As it is shown, such as `Goldberg Variations`.
    package var name: String
    /// The UUID of the work, not of a recording of it.
    package var musicBrainzID: String?

    /// Makes a work.
    package init(name: String, musicBrainzID: String? = nil) {
        self.name = name
        self.musicBrainzID = musicBrainzID
    }
}

/// A movement of a work.
package struct Movement: Hashable, Sendable {
    /// As it is shown, such as `Allegro`.
    package var name: String
    /// Its number, from 1.
    package var number: Int?
}

/// Loudness values: gains in dB, peaks as a factor of full scale.
package struct SubsonicReplayGain: Hashable, Sendable {
    /// Gain that brings the track to the reference loudness.
    package var trackGain: Double?
    /// Largest sample of the track.
    package var trackPeak: Double?
    /// Gain that brings the whole album to the reference loudness.
    package var albumGain: Double?
    /// Largest sample of the album.
    package var albumPeak: Double?
    /// The gain where one is missing.
    package var fallbackGain: Double?
}

/// A date of which the day or the month may be unknown.
package struct PartialDate: Hashable, Sendable, CustomStringConvertible {
    /// Of the Gregorian calendar.
    package var year: Int
    /// 1 to 12.
    package var month: Int?
    /// 1 to 31; nil where the month is nil.
    package var day: Int?

    /// Makes a date.
    package init(year: Int, month: Int? = nil, day: Int? = nil) {
        self.year = year
        self.month = month
        self.day = month == nil ? nil : day
    }

    /// `YYYY`, `YYYY-MM` or `YYYY-MM-DD`.
    package var description: String {
        [Self.padded(year, 4), month.map { Self.padded($0, 2) }, day.map { Self.padded($0, 2) }]
            .compactMap { $0 }.joined(separator: "-")
    }

    private static func padded(_ number: Int, _ width: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
}
