import MusicModel

/// A song as Navidrome's own API lists it: with what the Subsonic API leaves out.
package struct NavidromeSong: Hashable, Sendable {
    /// The id, which is the Subsonic API's, too.
    package var id: String
    /// The title, for people.
    package var title = ""
    /// How long it lasts; zero where that is unknown.
    package var duration = Duration.zero
    /// Its lyrics without times and its tags, as far as they have several lines; empty in lists without texts.
    package var texts: [String] = []
    /// True if its file is gone.
    package var isMissing = false
    /// Tags of its file that the Subsonic API leaves out.
    package var details = NavidromeDetails()
}

/// The part of a song's tags that a Navidrome reads in its file and tells by its own API alone; nil is what the file
/// does not have.
package struct NavidromeDetails: Hashable, Sendable {
    /// With the fraction that the Subsonic API cuts off.
    package var duration: Duration?
    /// When it was recorded, see `fileDate`; when the work came out first; and when this release did.
    package var date, originalDate, releaseDate: String?
    /// As the tagger wrote them, those of the first artist and album artist.
    package var titleSort, albumSort, artistSort, albumArtistSort: String?
    /// The MusicBrainz ids of the track on the release, and of the release group.
    package var releaseTrackID, releaseGroupID: String?
    /// When the file changed, in Unix seconds.
    package var modified: Int64?

    /// Knows nothing.
    package init() {}

    /// The date that stands in the file.
    ///
    /// A file with a date and an earlier original one has the former as its release's to Navidrome, and the latter as
    /// its date.
    /// - Source: Navidrome 0.63 model/metadata/map_mediafile.go, `mapDates`.
    package var fileDate: String? { date == originalDate ? releaseDate ?? date : date }
}

/// How songs are read.
/// - Source: Navidrome 0.63 model/mediafile.go, whose `lyrics` is a text with JSON in it and whose `updatedAt` is the
///   file's time, and model/tag.go.
extension NavidromeSong {
    /// Longer ones are passed over.
    private static let maxTextLength = 1 << 18
    private static let maxTexts = 100

    init?(_ reader: inout JSONReader, withTexts: Bool = true) throws {
        self.init(id: "")
        try reader.members { reader, name in
            switch name {
            case "id": id = try reader.text() ?? ""
            case "title": title = try reader.text() ?? ""
            case "duration": duration = try reader.double().map { .seconds(clamping: $0) } ?? .zero
            case "missing": isMissing = try reader.bool() ?? false
            case "lyrics" where withTexts: add(try reader.text().map(Self.lyrics) ?? [])
            case "tags" where withTexts: add(try Self.tags(&reader))
            default: try details.read(name, &reader)
            }
        }
        if id.isEmpty { return nil }
        // Written in decimals, of which clients see three.
        if duration > .zero { details.duration = .milliseconds((duration / .milliseconds(1)).rounded()) }
    }

    private mutating func add(_ found: [String]) {
        texts += found.lazy.filter { $0.utf8.count <= Self.maxTextLength && $0.contains(where: \.isNewline) }
            .prefix(max(0, Self.maxTexts - texts.count))
    }

    /// The values of all tags, whatever they are called.
    private static func tags(_ reader: inout JSONReader) throws -> [String] {
        var values: [String] = []
        try reader.members { reader, _ in values += try reader.list { try $0.text() } }
        return values
    }

    /// The lyrics without times in a text of JSON, or the text itself, as Navidrome kept it before 0.50.
    private static func lyrics(_ text: String) -> [String] {
        guard text.utf8.first == UInt8(ascii: "[") else { return [text] }
        var copy = text
        return copy.withUTF8 { bytes in
            var reader = JSONReader(UnsafeRawBufferPointer(bytes))
            // Broken lyrics are none.
            guard let all: [SubsonicLyrics] = try? reader.list() else { return [] }
            return all.filter { !$0.isSynced }.map { $0.lines.map(\.text).joined(separator: "\n") }
        }
    }
}

extension NavidromeDetails {
    fileprivate mutating func read(_ name: UnsafeRawBufferPointer, _ reader: inout JSONReader) throws {
        switch name {
        case "date": date = try reader.tag()
        case "originalDate": originalDate = try reader.tag()
        case "releaseDate": releaseDate = try reader.tag()
        case "sortTitle": titleSort = try reader.tag()
        case "sortAlbumName": albumSort = try reader.tag()
        case "sortArtistName": artistSort = try reader.tag()
        case "sortAlbumArtistName": albumArtistSort = try reader.tag()
        case "mbzReleaseTrackId", "mbzReleaseTrackID": releaseTrackID = try reader.tag()
        case "mbzReleaseGroupId", "mbzReleaseGroupID": releaseGroupID = try reader.tag()
        case "updatedAt": modified = try reader.text().flatMap(TimeText.seconds)
        default: try reader.skip()
        }
    }
}

extension JSONReader {
    /// The text of a tag, of which more than a sort name or a date could have is left out.
    mutating func tag() throws -> String? {
        guard let text = TagText.clean(try nonEmptyText()) else { return nil }
        return text.utf8.count <= 1000 ? text : nil
    }
}
