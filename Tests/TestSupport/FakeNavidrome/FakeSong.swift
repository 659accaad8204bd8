import Coordination

/// A song of the fake server.
package struct FakeSong: Hashable, Sendable {
    /// The id.
    package var id: String
    /// The title.
    package var title: String
    /// Artists in order; the first is the main one.
    package var artists: [String]
    /// Album artists in order.
    package var albumArtists: [String]
    /// The album's name.
    package var album: String
    /// The number on the disc; 0 is not written.
    package var track: Int
    /// The disc's number; 0 is not written.
    package var disc: Int
    /// The year.
    package var year: Int?
    /// Genres in order.
    package var genres: [String]
    /// Composers in order.
    package var composers: [String]
    /// Who plays the violin.
    package var violinists: [String] = []
    /// Moods.
    package var moods: [String] = []
    /// The comment.
    package var comment = ""
    /// The recording's MusicBrainz id.
    package var musicBrainzID = ""
    /// Beats a minute; 0 is unknown.
    package var bpm = 0
    /// dB; nil writes no loudness values at all.
    package var trackGain: Double?
    /// dB.
    package var albumGain = -7.89
    /// All of its loudness values as JSON, in place of the usual ones.
    package var loudness: String?
    /// The file that is sent as its sound, where that is not to be the library's.
    package var soundPath: String?
    /// Whole seconds.
    package var duration: Int
    /// The path that is shown.
    package var path: String
    /// The file name extension.
    package var suffix = "wav"
    /// The MIME type.
    package var contentType = "audio/x-wav"
    /// Bytes; nil is what the server will send.
    package var size: Int64?
    /// The length of its generated sound, where it is not that of all.
    package var soundMilliseconds: Int?
    /// kbit/s.
    package var bitRate = 1411
    /// Samples a second.
    package var samplingRate = 44100
    /// Bits a sample.
    package var bitDepth = 16
    /// Unix seconds.
    package var created: Int64 = 1_700_000_000
    /// Unix seconds of the file, part of its picture's id.
    package var modified: Int64 = 1_600_000_000
    /// Whether the user starred it.
    package var isStarred = false
    /// When, in Unix milliseconds; nil is when it came into the library.
    package var starredAt: Int64?
    /// 1 to 5; 0 is not rated.
    package var rating = 0
    /// How often it was played.
    package var playCount = 0
    /// Unix milliseconds.
    package var lastPlayed: Int64?
    /// Whether the file is gone: not listed, but still known by id.
    package var isMissing = false
    /// Whether Navidrome's own API doesn't list it, either.
    var isForgotten = false
    /// The library that its file is in.
    package var libraryID = 1
    /// Whether there is a picture; otherwise the placeholder is sent.
    package var hasPicture = true
    /// Tags that only Navidrome's own API tells, by the names that its administrator gave them.
    package var tags: [String: String] = [:]
    /// Members that only Navidrome's own API has, by their names.
    package var own: [String: String] = [:]
    /// The part of a second that it is longer, which only Navidrome's own API tells.
    package var fraction = 0.0
    /// Written in place of everything else, for odd cases.
    package var rawJSON: String?

    /// Makes a song; what isn't given has harmless values.
    package init(
        id: String, title: String, artists: [String] = ["Somebody"], album: String = "Something", track: Int = 1,
        disc: Int = 1, year: Int? = 2001, genres: [String] = ["Rock"], composers: [String] = [], duration: Int = 3,
        path: String? = nil
    ) {
        self.id = id
        self.title = title
        self.artists = artists
        albumArtists = Array(artists.prefix(1))
        self.album = album
        self.track = track
        self.disc = disc
        self.year = year
        self.genres = genres
        self.composers = composers
        self.duration = duration
        self.path = path ?? "\(artists.first ?? "Unknown")/\(album)/\(disc)-\(track) - \(title).wav"
    }

    /// The id of the song's album.
    package var albumID: String { SplitMix64.id(for: "album \(albumArtists.first ?? "") \(album)") }

    /// The id of the song's picture.
    package var coverArt: String { "mf-\(id)_\(String(modified, radix: 16))" }

    /// The id of an artist.
    package static func artistID(_ name: String) -> String { SplitMix64.id(for: "artist \(name)") }
}

/// How songs are written, in the order in which Navidrome 0.63.2 writes them.
extension FakeSong {
    func json(size: Int64) -> FakeJSON {
        if let rawJSON { return .raw(rawJSON) }
        var members: [(name: String, value: FakeJSON)] = [
            ("id", .string(id)), ("parent", .string(albumID)), ("isDir", .bool(false)), ("title", .string(title)),
            ("album", .string(album)), ("artist", .string(artists.joined(separator: " • "))),
        ]
        if track > 0 { members.append(("track", .int(Int64(track)))) }
        if let year { members.append(("year", .int(Int64(year)))) }
        if let genre = genres.first { members.append(("genre", .string(genre))) }
        members += [
            ("coverArt", .string(coverArt)), ("size", .int(self.size ?? size)), ("contentType", .string(contentType)),
            ("suffix", .string(suffix)),
        ]
        if isStarred { members.append(("starred", .string(FakeTime.iso(milliseconds: starredAt ?? created * 1000)))) }
        members += [("duration", .int(Int64(duration))), ("bitRate", .int(Int64(bitRate))), ("path", .string(path))]
        if playCount > 0 { members.append(("playCount", .int(Int64(playCount)))) }
        if disc > 0 { members.append(("discNumber", .int(Int64(disc)))) }
        members += [
            ("created", .string(FakeTime.iso(created, nanoseconds: 645_646_505 + Int64(track)))),
            ("albumId", .string(albumID)), ("artistId", .string(Self.artistID(artists.first ?? ""))),
            ("type", .string("music")),
        ]
        if rating > 0 { members.append(("userRating", .int(Int64(rating)))) }
        if let lastPlayed { members.append(("played", .string(FakeTime.iso(milliseconds: lastPlayed)))) }
        return .object(members + openSubsonicMembers)
    }

    private var openSubsonicMembers: [(name: String, value: FakeJSON)] {
        var gain: [(name: String, value: FakeJSON)] = []
        if let trackGain {
            gain = [
                ("trackGain", .double(trackGain)), ("albumGain", .double(albumGain)), ("trackPeak", .double(0.91)),
                ("albumPeak", .double(0.988)),
            ]
        }
        return [
            ("bpm", .int(Int64(bpm))), ("comment", .string(comment)), ("sortName", .string(title.lowercased())),
            ("mediaType", .string("song")), ("musicBrainzId", .string(musicBrainzID)), ("isrc", .array([])),
            ("genres", .array(genres.map { .object([("name", .string($0))]) })),
            ("replayGain", loudness.map { .raw($0) } ?? .object(gain)),
            ("channelCount", .int(2)), ("samplingRate", .int(Int64(samplingRate))), ("bitDepth", .int(Int64(bitDepth))),
            ("moods", .array(moods.map { .string($0) })), ("artists", Self.references(artists)),
            ("displayArtist", .string(artists.joined(separator: " • "))),
            ("albumArtists", Self.references(albumArtists)),
            ("displayAlbumArtist", .string(albumArtists.joined(separator: " • "))),
            ("contributors", .array(contributors)), ("displayComposer", .string(composers.joined(separator: " • "))),
            ("explicitStatus", .string("")), ("groupings", .array([])), ("works", .array([])),
            ("movements", .array([])),
        ]
    }

    private var contributors: [FakeJSON] {
        let composing: [FakeJSON] = composers.map {
            .object([("role", .string("composer")), ("artist", Self.reference($0))])
        }
        return composing
            + violinists.map {
                .object([
                    ("role", .string("performer")), ("subRole", .string("violin")), ("artist", Self.reference($0)),
                ])
            }
    }

    static func references(_ names: [String]) -> FakeJSON { .array(names.map { reference($0) }) }

    private static func reference(_ name: String) -> FakeJSON {
        .object([("id", .string(artistID(name))), ("name", .string(name))])
    }
}
