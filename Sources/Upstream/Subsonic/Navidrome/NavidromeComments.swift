import AsyncHTTPClient
import MusicModel
import NIOCore

extension NavidromeSession {
    /// A song has some kilobytes; its lyrics and its sheet may have a megabyte each.
    private static let maxSongSize = 8 << 20

    /// Everything that Navidrome read in a song's file and the Subsonic API leaves out: names as taggers write them,
    /// with their values.
    /// - Throws: `SubsonicError`, or `CancellationError`.
    package func comments(ofSong id: String) async throws -> [SongComment] {
        guard Self.isPlain(id) else { return [] }
        return try await read("/api/song/\(id)", upTo: Self.maxSongSize) { try SongComment.all(in: $0) }
    }
}

/// A value of a song's file with the name that taggers give it.
package struct SongComment: Hashable, Sendable {
    /// Letters, digits and underscores.
    package var name: String
    /// One line.
    package var value: String

    init(_ name: String, _ value: String) { (self.name, self.value) = (name, value) }
}

/// How they are read.
/// - Source: Navidrome 0.63 model/mediafile.go, model/participants.go and resources/mappings.yaml.
extension SongComment {
    private static let maxComments = 400

    /// The name in a file of what a member holds; nil for other members.
    private static func name(of member: UnsafeRawBufferPointer) -> String? {
        switch member {
        case "bpm", "comment", "date", "originalDate", "releaseDate": String(decoding: member, as: UTF8.self)
        case "catalogNum": "catalognumber"
        case "explicitStatus": "itunesadvisory"
        case "sortTitle": "titlesort"
        case "sortAlbumName": "albumsort"
        case "sortArtistName": "artistsort"
        case "sortAlbumArtistName": "albumartistsort"
        case "mbzReleaseTrackID", "mbzReleaseTrackId": "musicbrainz_releasetrackid"
        case "mbzReleaseGroupID", "mbzReleaseGroupId": "musicbrainz_releasegroupid"
        case "rgTrackGain": "replaygain_track_gain"
        case "rgTrackPeak": "replaygain_track_peak"
        case "rgAlbumGain": "replaygain_album_gain"
        case "rgAlbumPeak": "replaygain_album_peak"
        default: nil
        }
    }

    /// Reads a song.
    static func all(in bytes: UnsafeRawBufferPointer) throws -> [SongComment] {
        var reader = JSONReader(bytes)
        var comments: [SongComment] = []
        func add(_ name: String, _ text: String?) {
            guard comments.count < maxComments, let name = cleaned(name), let value = TagText.clean(text) else {
                return
            }
            comments.append(SongComment(name, String(value.prefix(utf8: 2000))))
        }
        try reader.members { reader, member in
            switch member {
            case "tags":
                try reader.members { reader, name in
                    let key = String(decoding: name, as: UTF8.self)
                    try reader.elements { add(key, try $0.text()) }
                }
            case "participants":
                try reader.members { reader, role in
                    let key = String(decoding: role, as: UTF8.self)
                    try reader.elements { add(key, try $0.personName()) }
                }
            default:
                guard let key = name(of: member) else { return try reader.skip() }
                add(key, try reader.anyText(zeroIsNone: key == "bpm"))
            }
        }
        try reader.end()
        return comments
    }

    private static func cleaned(_ name: String) -> String? {
        let name = name.lowercased()
        return (1...64).contains(name.utf8.count) && NavidromeSession.isPlain(name) ? name : nil
    }
}

extension JSONReader {
    /// The name of an artist, with what the artist played.
    fileprivate mutating func personName() throws -> String? {
        var (person, part): (String?, String?) = (nil, nil)
        try members { reader, name in
            switch name {
            case "name": person = try reader.nonEmptyText()
            case "subRole": part = try reader.nonEmptyText()
            default: try reader.skip()
            }
        }
        guard let person, let part else { return person }
        return "\(person) (\(part))"
    }

    /// A text, or a number as one; zero stands for none where that is said.
    fileprivate mutating func anyText(zeroIsNone: Bool) throws -> String? {
        guard try peek() == .number else { return try nonEmptyText() }
        guard let number = try double(), number != 0 || !zeroIsNone else { return nil }
        return number == number.rounded() && abs(number) < 1e9 ? String(Int(number)) : String(number)
    }
}
