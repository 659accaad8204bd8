import Foundation

/// A song as the server describes it: Subsonic's `Child` with OpenSubsonic's fields.
///
/// Absent, null and unusable fields are nil or empty. Navidrome writes 0 or `""` for many unknown values: numbers that
/// can't be 0 (`bitDepth`, `year`, ...) and empty texts are nil here.
package struct SubsonicSong: Hashable, Sendable {
    /// The server's id, never empty.
    package var id: String
    /// As the file's tags have them, but for the sort name, which is in lower case on Navidrome.
    package var title, sortName, album, comment: String?
    /// All artists, album artists or composers in one text, as they should be shown.
    package var artist, displayAlbumArtist, displayComposer: String?
    /// Artists in order, one each; empty on servers without OpenSubsonic.
    package var artists: [ArtistReference] = []
    /// Album artists in order, one each.
    package var albumArtists: [ArtistReference] = []
    /// The album's id.
    package var albumID: String?
    /// Counted from 1.
    package var track, discNumber: Int?
    /// The disc's title, on servers that send it with songs; otherwise see `SubsonicAlbum.discTitles`.
    package var discSubtitle: String?
    /// Of the recording, or of the release where tags have nothing else (`year`).
    package var year: Int?
    /// When this release came out, and when the work did first, on servers that send it with songs; otherwise see
    /// `SubsonicAlbum`.
    package var releaseDate, originalReleaseDate: PartialDate?
    /// Genres in order: `genres`, or the single `genre` where the server has no list.
    package var genres: [String] = []
    /// Composers, performers and others, in order.
    package var contributors: [Contributor] = []
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
    /// The recording's MusicBrainz id.
    package var musicBrainzID: String?
    /// Loudness values.
    package var replayGain = SubsonicReplayGain()
    /// Samples a second, bits a sample, channels, and kbit/s.
    package var samplingRate, bitDepth, channelCount, bitRate: Int?
    /// Whole seconds.
    package var duration: Int?
    /// Bytes.
    package var size: Int64?
    /// The file name extension, without the dot.
    package var suffix: String?
    /// The path that the server shows.
    package var path: String?
    /// The picture's id.
    package var coverArt: String?
    /// When the song came into the server's library, when the user starred it, and when it was played last: ISO 8601
    /// with 0 to 9 digits of fraction and `Z` or an offset.
    package var created, starred, played: String?
    /// 1 to 5; nil if not rated.
    package var userRating: Int?
    /// How often it was played.
    package var playCount: Int?
}

/// An artist as songs and albums name it.
package struct ArtistReference: Hashable, Sendable {
    /// The server's id.
    package var id: String?
    /// Never empty.
    package var name: String
    /// The name for sorting and the MusicBrainz id, on servers that send them here; otherwise see `SubsonicArtist`.
    package var sortName, musicBrainzID: String?
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

/// A work that a song belongs to, such as `Goldberg Variations`.
package struct Work: Hashable, Sendable {
    /// As it is shown.
    package var name: String
    /// The UUID of the work, not of a recording of it.
    package var musicBrainzID: String?
}

/// A movement of a work, such as `Allegro`.
package struct Movement: Hashable, Sendable {
    /// As it is shown.
    package var name: String
    /// Counted from 1.
    package var number: Int?
}

/// Loudness values.
package struct SubsonicReplayGain: Hashable, Sendable {
    /// Gains that bring the track or the whole album to the reference loudness, and the one where they are missing, in
    /// dB.
    package var trackGain, albumGain, fallbackGain: Double?
    /// The largest sample as a factor of full scale.
    package var trackPeak, albumPeak: Double?
}

/// A date of which the day or the month may be unknown: `YYYY`, `YYYY-MM` or `YYYY-MM-DD`.
package struct PartialDate: Hashable, Sendable, CustomStringConvertible {
    /// Of the Gregorian calendar.
    package var year: Int
    var month, day: Int?

    init(year: Int, month: Int? = nil, day: Int? = nil) {
        (self.year, self.month, self.day) = (year, month, month == nil ? nil : day)
    }

    package var description: String {
        let parts = [String(format: "%04d", year)] + [month, day].compactMap(\.self).map { String(format: "%02d", $0) }
        return parts.joined(separator: "-")
    }
}

extension SubsonicSong: JSONReadable {
    init?(_ reader: inout JSONReader) throws {
        self.init(id: "")
        var genre: String?
        try reader.members { reader, name in
            if "genre" ~= name { genre = try reader.nonEmptyText() } else { try read(name, &reader) }
        }
        if id.isEmpty { return nil }
        if genres.isEmpty, let genre { genres = [genre] }
    }

    private mutating func read(_ name: UnsafeRawBufferPointer, _ reader: inout JSONReader) throws {
        switch name {
        case "id": id = try reader.text() ?? ""
        case "title": title = try reader.nonEmptyText()
        case "sortName": sortName = try reader.nonEmptyText()
        case "artist": artist = try reader.nonEmptyText()
        case "artists": artists = try reader.list()
        case "albumArtists": albumArtists = try reader.list()
        case "displayAlbumArtist": displayAlbumArtist = try reader.nonEmptyText()
        case "album": album = try reader.nonEmptyText()
        case "albumId": albumID = try reader.nonEmptyText()
        case "track": track = try reader.positive()
        case "discNumber": discNumber = try reader.positive()
        case "discSubtitle": discSubtitle = try reader.nonEmptyText()
        case "year": year = try reader.positive()
        case "releaseDate": releaseDate = try reader.partialDate()
        case "originalReleaseDate": originalReleaseDate = try reader.partialDate()
        case "genres": genres = try reader.names()
        case "contributors": contributors = try reader.contributors()
        case "displayComposer": displayComposer = try reader.nonEmptyText()
        case "moods": moods = try reader.names()
        case "groupings": groupings = try reader.names()
        case "works": works = try reader.works()
        case "movements": movements = try reader.movements()
        case "recordLabels": recordLabels = try reader.names()
        case "comment": comment = try reader.nonEmptyText()
        case "musicBrainzId": musicBrainzID = try reader.nonEmptyText()
        case "replayGain": replayGain = try reader.replayGain()
        case "samplingRate": samplingRate = try reader.positive()
        case "bitDepth": bitDepth = try reader.positive()
        case "channelCount": channelCount = try reader.positive()
        case "bitRate": bitRate = try reader.positive()
        case "duration": duration = try reader.notNegative()
        case "size": size = try reader.integer().flatMap { $0 < 0 ? nil : $0 }
        case "suffix": suffix = try reader.nonEmptyText()
        case "path": path = try reader.nonEmptyText()
        case "created": created = try reader.nonEmptyText()
        case "coverArt": coverArt = try reader.nonEmptyText()
        case "starred": starred = try reader.nonEmptyText()
        case "userRating": userRating = try reader.positive()
        case "playCount": playCount = try reader.notNegative()
        case "played": played = try reader.nonEmptyText()
        default: try reader.skip()
        }
    }
}
