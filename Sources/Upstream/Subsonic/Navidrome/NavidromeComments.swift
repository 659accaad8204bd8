import AsyncHTTPClient
import MusicModel
import NIOCore

extension NavidromeSession {
    /// A song has some kilobytes; its lyrics and its sheet may have a megabyte each.
    private static let maxSongSize = 8 << 20

    /// Everything that Navidrome read in a song's file and the Subsonic API leaves out: names as taggers write them,
    /// with their values.
    ///
    /// - Throws: `SubsonicError`, or `CancellationError`.
    @concurrent
    package func comments(ofSong id: String) async throws -> [SongComment] {
        guard Self.isPlain(id) else { return [] }
        let response = try await open("/api/song/\(id)", accept: "application/json")
        do {
            let body = try await response.body.gathered(upTo: Self.maxSongSize)
            return try body.withUnsafeReadableBytes { try SongComment.all(in: $0) }
        } catch let problem as JSONProblem {
            throw SubsonicError(
                .badAnswer, "\(transport.shownAddress) describes a song in an unknown format.", cause: problem)
        } catch { throw transport.failure(from: error) }
    }
}

/// A value of a song's file with the name that taggers give it.
package struct SongComment: Hashable, Sendable {
    /// Letters, digits and underscores.
    package var name: String
    /// One line.
    package var value: String

    /// Pairs both.
    package init(_ name: String, _ value: String) { (self.name, self.value) = (name, value) }
}

/// How they are read.
///
/// - Source: Navidrome 0.63 model/mediafile.go, model/participants.go and resources/mappings.yaml.
extension SongComment {
    private enum Member: String, CaseIterable {
        case tags, participants, bpm, comment, date, originalDate, releaseDate, catalogNum, explicitStatus
        case sortTitle, sortAlbumName, sortArtistName, sortAlbumArtistName, mbzReleaseTrackID, mbzReleaseTrackId
        case mbzReleaseGroupID, mbzReleaseGroupId, rgTrackGain, rgTrackPeak, rgAlbumGain, rgAlbumPeak

        /// The name in a file; nil for members that hold others.
        var name: String? {
            switch self {
            case .tags, .participants: nil
            case .bpm, .comment, .date, .originalDate, .releaseDate: rawValue
            case .catalogNum: "catalognumber"
            case .explicitStatus: "itunesadvisory"
            case .sortTitle: "titlesort"
            case .sortAlbumName: "albumsort"
            case .sortArtistName: "artistsort"
            case .sortAlbumArtistName: "albumartistsort"
            case .mbzReleaseTrackID, .mbzReleaseTrackId: "musicbrainz_releasetrackid"
            case .mbzReleaseGroupID, .mbzReleaseGroupId: "musicbrainz_releasegroupid"
            case .rgTrackGain: "replaygain_track_gain"
            case .rgTrackPeak: "replaygain_track_peak"
            case .rgAlbumGain: "replaygain_album_gain"
            case .rgAlbumPeak: "replaygain_album_peak"
            }
        }
    }

    private static let names = MemberNames<Member>()
    private static let maxComments = 400

    /// Reads a song.
    static func all(in bytes: UnsafeRawBufferPointer) throws(JSONProblem) -> [SongComment] {
        var reader = JSONReader(bytes)
        var comments: [SongComment] = []
        func add(_ name: String, _ text: String?) {
            guard comments.count < maxComments, let name = cleaned(name), let value = TagText.clean(text) else {
                return
            }
            comments.append(SongComment(name, String(value.prefix(utf8: 2000))))
        }
        try reader.members { (reader, name) throws(JSONProblem) in
            switch Self.names[name] {
            case .tags:
                try reader.members { (reader, name) throws(JSONProblem) in
                    let key = String(decoding: name, as: UTF8.self)
                    try reader.elements { (reader) throws(JSONProblem) in add(key, try reader.text()) }
                }
            case .participants:
                try reader.members { (reader, role) throws(JSONProblem) in
                    let key = String(decoding: role, as: UTF8.self)
                    try reader.elements { (reader) throws(JSONProblem) in add(key, try reader.personName()) }
                }
            case let member?:
                if let key = member.name {
                    add(key, try reader.anyText(zeroIsNone: member == .bpm))
                } else {
                    try reader.skip()
                }
            case nil: try reader.skip()
            }
        }
        try reader.end()
        return comments
    }

    private static func cleaned(_ name: String) -> String? {
        let name = name.lowercased()
        let isName =
            (1...64).contains(name.utf8.count)
            && name.utf8.allSatisfy { byte in
                (0x61...0x7A).contains(byte) || (0x30...0x39).contains(byte) || byte == 0x5F || byte == 0x2D
            }
        return isName ? name : nil
    }
}

extension JSONReader {
    /// The name of an artist, with what the artist played.
    fileprivate mutating func personName() throws(JSONProblem) -> String? {
        var name: String?
        var part: String?
        try members { (reader, member) throws(JSONProblem) in
            if member.elementsEqual("name".utf8) {
                name = try reader.nonEmptyText()
            } else if member.elementsEqual("subRole".utf8) {
                part = try reader.nonEmptyText()
            } else {
                try reader.skip()
            }
        }
        guard let name, let part else { return name }
        return "\(name) (\(part))"
    }

    /// A text, or a number as one.
    ///
    /// - Parameter zeroIsNone: whether zero stands for none.
    fileprivate mutating func anyText(zeroIsNone: Bool) throws(JSONProblem) -> String? {
        guard try peek() == .number else { return try nonEmptyText() }
        guard let number = try double(), number != 0 || !zeroIsNone, number.isFinite else { return nil }
        return number == number.rounded() && abs(number) < 1e9 ? String(Int(number)) : String(number)
    }
}
