/// A song as the server describes it: Subsonic's `Child` with OpenSubsonic's fields.
///
/// Absent, null and unusable fields are nil or empty. Navidrome writes 0 or `""` for many unknown values: numbers that
/// can't be 0 (`bpm`, `bitDepth`, `year`, ...) and empty texts are nil here.
public struct SubsonicSong: Hashable, Sendable {
    /// The server's id, never empty.
    public var id: String
    /// As the file's tags have it; nil where the server found none.
    public var title: String?
    /// The title for sorting, in lower case on Navidrome.
    public var sortName: String?
    /// Artists in order, one each; empty on servers without OpenSubsonic.
    public var artists: [ArtistReference] = []
    /// All artists in one text (`artist`).
    public var artist: String?
    /// The first artist's id (`artistId`).
    public var artistID: String?
    /// All artists as they should be shown.
    public var displayArtist: String?
    /// Album artists in order, one each.
    public var albumArtists: [ArtistReference] = []
    /// All album artists as they should be shown.
    public var displayAlbumArtist: String?
    /// The album's name.
    public var album: String?
    /// The album's id.
    public var albumID: String?
    /// The number on the disc.
    public var track: Int?
    /// The disc's number.
    public var discNumber: Int?
    /// The disc's title, on servers that send it with songs; otherwise see `SubsonicAlbum.discTitles`.
    public var discSubtitle: String?
    /// Of the recording, or of the release where tags have nothing else (`year`).
    public var year: Int?
    /// When this release came out, on servers that send it with songs; otherwise see `SubsonicAlbum`.
    public var releaseDate: PartialDate?
    /// When the work came out first, on servers that send it with songs; otherwise see `SubsonicAlbum`.
    public var originalReleaseDate: PartialDate?
    /// Genres in order: `genres`, or the single `genre` where the server has no list.
    public var genres: [String] = []
    /// Composers, performers and others, in order.
    public var contributors: [Contributor] = []
    /// All composers as they should be shown.
    public var displayComposer: String?
    /// OpenSubsonic's `moods`, one text each.
    public var moods: [String] = []
    /// OpenSubsonic's `groupings`, one text each.
    public var groupings: [String] = []
    /// OpenSubsonic's `works`: what was composed.
    public var works: [Work] = []
    /// OpenSubsonic's `movements`: the parts of the work that this recording is.
    public var movements: [Movement] = []
    /// Record labels, on servers that send them with songs; otherwise see `SubsonicAlbum`.
    public var recordLabels: [String] = []
    /// Free text of the file's tags.
    public var comment: String?
    /// The recording's MusicBrainz id.
    public var musicBrainzID: String?
    /// ISRCs.
    public var isrc: [String] = []
    /// Loudness values.
    public var replayGain = SubsonicReplayGain()
    /// Samples a second.
    public var samplingRate: Int?
    /// Bits a sample.
    public var bitDepth: Int?
    /// Channels.
    public var channelCount: Int?
    /// kbit/s.
    public var bitRate: Int?
    /// Whole seconds.
    public var duration: Int?
    /// Bytes.
    public var size: Int64?
    /// The file name extension, without the dot.
    public var suffix: String?
    /// The MIME type.
    public var contentType: String?
    /// The path that the server shows.
    public var path: String?
    /// When the song came into the server's library: ISO 8601 with 0 to 9 digits of fraction and `Z` or an offset.
    public var created: String?
    /// The picture's id.
    public var coverArt: String?
    /// When the user starred it, as `created`; nil if not starred.
    public var starred: String?
    /// 1 to 5; nil if not rated.
    public var userRating: Int?
    /// How often it was played.
    public var playCount: Int?
    /// When it was played last, as `created`.
    public var played: String?
    /// Beats a minute.
    public var bpm: Int?

    /// Makes a song of which nothing but the id is known.
    public init(id: String) { self.id = id }
}

/// An artist as songs and albums name it.
public struct ArtistReference: Hashable, Sendable {
    /// The server's id.
    public var id: String?
    /// The name, never empty.
    public var name: String
    /// The name for sorting, on servers that send it here; otherwise see `SubsonicArtist`.
    public var sortName: String?
    /// The MusicBrainz id, on servers that send it here; otherwise see `SubsonicArtist`.
    public var musicBrainzID: String?

    /// Makes a reference.
    public init(id: String? = nil, name: String, sortName: String? = nil, musicBrainzID: String? = nil) {
        self.id = id
        self.name = name
        self.sortName = sortName
        self.musicBrainzID = musicBrainzID
    }
}

/// Somebody who took part in a song.
public struct Contributor: Hashable, Sendable {
    /// `composer`, `performer`, `conductor`, `lyricist`, `arranger`, ... in lower case.
    public var role: String
    /// The instrument, for performers.
    public var subRole: String?
    /// Who.
    public var artist: ArtistReference

    /// Makes a contributor.
    public init(role: String, subRole: String? = nil, artist: ArtistReference) {
        self.role = role
        self.subRole = subRole
        self.artist = artist
    }
}

/// A work that a song belongs to.
public struct Work: Hashable, Sendable {
    /// As it is shown, such as `Goldberg Variations`.
    public var name: String
    /// The UUID of the work, not of a recording of it.
    public var musicBrainzID: String?

    /// Makes a work.
    public init(name: String, musicBrainzID: String? = nil) {
        self.name = name
        self.musicBrainzID = musicBrainzID
    }
}

/// A movement of a work.
public struct Movement: Hashable, Sendable {
    /// As it is shown, such as `Allegro`.
    public var name: String
    /// Its number, from 1.
    public var number: Int?

    /// Makes a movement.
    public init(name: String, number: Int? = nil) {
        self.name = name
        self.number = number
    }
}

/// Loudness values: gains in dB, peaks as a factor of full scale.
public struct SubsonicReplayGain: Hashable, Sendable {
    /// Gain that brings the track to the reference loudness.
    public var trackGain: Double?
    /// Largest sample of the track.
    public var trackPeak: Double?
    /// Gain that brings the whole album to the reference loudness.
    public var albumGain: Double?
    /// Largest sample of the album.
    public var albumPeak: Double?
    /// What to take where a gain is missing.
    public var fallbackGain: Double?

    /// Collects what is known.
    public init(
        trackGain: Double? = nil, trackPeak: Double? = nil, albumGain: Double? = nil, albumPeak: Double? = nil,
        fallbackGain: Double? = nil
    ) {
        self.trackGain = trackGain
        self.trackPeak = trackPeak
        self.albumGain = albumGain
        self.albumPeak = albumPeak
        self.fallbackGain = fallbackGain
    }
}

/// A date of which the day or the month may be unknown.
public struct PartialDate: Hashable, Sendable, CustomStringConvertible {
    /// Of the Gregorian calendar.
    public var year: Int
    /// 1 to 12.
    public var month: Int?
    /// 1 to 31; nil where the month is nil.
    public var day: Int?

    /// Makes a date.
    public init(year: Int, month: Int? = nil, day: Int? = nil) {
        self.year = year
        self.month = month
        self.day = month == nil ? nil : day
    }

    /// `YYYY`, `YYYY-MM` or `YYYY-MM-DD`.
    public var description: String {
        [Self.padded(year, 4), month.map { Self.padded($0, 2) }, day.map { Self.padded($0, 2) }]
            .compactMap { $0 }.joined(separator: "-")
    }

    private static func padded(_ number: Int, _ width: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
}
