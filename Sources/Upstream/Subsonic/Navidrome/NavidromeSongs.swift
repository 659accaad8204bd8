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

extension NavidromeSession {
    /// Lists the server's songs, the longest first, with their texts.
    ///
    /// - Parameters:
    ///   - start: how many are passed by.
    ///   - count: how many are listed at most.
    /// - Throws: `SubsonicError`, or `CancellationError`.
    package func longestSongs(from start: Int, count: Int) async throws -> SubsonicPage<NavidromeSong> {
        try await songs("_sort=duration&_order=DESC", from: start, count: count, withTexts: true)
    }

    /// Lists the server's songs in an order that stays, those whose files are gone among them, without their texts.
    package func allSongs(from start: Int, count: Int) async throws -> SubsonicPage<NavidromeSong> {
        try await songs("_sort=id&_order=ASC", from: start, count: count, withTexts: false)
    }

    /// Lists the songs of an album, those whose files are gone among them, with their texts.
    ///
    /// - Parameter count: how many are listed at most.
    package func songs(ofAlbum id: String, count: Int) async throws -> SubsonicPage<NavidromeSong> {
        guard Self.isPlain(id) else { throw SubsonicError(.unsupported, "An album's id is not one of Navidrome's.") }
        return try await songs("album_id=\(id)&_sort=id&_order=ASC", from: 0, count: count, withTexts: true)
    }

    private func songs(
        _ query: String, from start: Int, count: Int, withTexts: Bool
    ) async throws -> SubsonicPage<NavidromeSong> {
        try await list(
            "/api/song?\(query)&_start=\(start)&_end=\(start.addingClamped(count))", atMost: count
        ) { (reader) throws(JSONProblem) in
            try NavidromeSong(&reader, withTexts: withTexts)
        }
    }
}

/// How songs are read.
///
/// - Source: Navidrome 0.63 model/mediafile.go, whose `lyrics` is a text with JSON in it and whose `updatedAt` is the
///   file's time, and model/tag.go.
extension NavidromeSong {
    private enum Member: String, CaseIterable {
        case id, title, duration, lyrics, tags, missing
        case date, originalDate, releaseDate, sortTitle, sortAlbumName, sortArtistName, sortAlbumArtistName
        case mbzReleaseTrackId, mbzReleaseTrackID, mbzReleaseGroupId, mbzReleaseGroupID, updatedAt
    }

    private static let names = MemberNames<Member>()

    /// Longer ones are passed over.
    private static let maxTextLength = 1 << 18
    /// The most texts of a song.
    private static let maxTexts = 100

    /// Reads a song; nil without an id.
    init?(_ reader: inout JSONReader, withTexts: Bool = true) throws(JSONProblem) {
        var song = NavidromeSong(id: "")
        try reader.members { (reader, name) throws(JSONProblem) in
            switch Self.names[name] {
            case .id: song.id = try reader.text() ?? ""
            case .title: song.title = try reader.text() ?? ""
            case .duration: song.duration = try reader.double().map { .seconds(clamping: $0) } ?? .zero
            case .missing: song.isMissing = try reader.bool() ?? false
            case .lyrics where withTexts: song.add(try reader.text().map(Self.lyrics) ?? [])
            case .tags where withTexts: song.add(try Self.tags(&reader))
            case .lyrics, .tags, nil: try reader.skip()
            case let member?: try song.readDetail(member, &reader)
            }
        }
        if song.id.isEmpty { return nil }
        if song.duration > .zero {
            // Written in decimals, of which clients see three.
            song.details.duration = .milliseconds((song.duration / .milliseconds(1)).rounded())
        }
        self = song
    }

    private mutating func readDetail(_ member: Member, _ reader: inout JSONReader) throws(JSONProblem) {
        switch member {
        case .date: details.date = try reader.tag()
        case .originalDate: details.originalDate = try reader.tag()
        case .releaseDate: details.releaseDate = try reader.tag()
        case .sortTitle: details.titleSort = try reader.tag()
        case .sortAlbumName: details.albumSort = try reader.tag()
        case .sortArtistName: details.artistSort = try reader.tag()
        case .sortAlbumArtistName: details.albumArtistSort = try reader.tag()
        case .mbzReleaseTrackId, .mbzReleaseTrackID: details.releaseTrackID = try reader.tag()
        case .mbzReleaseGroupId, .mbzReleaseGroupID: details.releaseGroupID = try reader.tag()
        case .updatedAt: details.modified = try reader.text().flatMap(TimeText.seconds)
        default: try reader.skip()
        }
    }

    private mutating func add(_ found: [String]) {
        texts += found.lazy.filter { $0.utf8.count <= Self.maxTextLength && $0.contains(where: \.isNewline) }
            .prefix(max(0, Self.maxTexts - texts.count))
    }

    /// The values of all tags, whatever they are called.
    private static func tags(_ reader: inout JSONReader) throws(JSONProblem) -> [String] {
        var values: [String] = []
        try reader.members { (reader, _) throws(JSONProblem) in
            try reader.elements { (reader) throws(JSONProblem) in
                if let value = try reader.text() { values.append(value) }
            }
        }
        return values
    }

    /// The lyrics without times in a text of JSON, or the text itself, as Navidrome kept it before 0.50.
    private static func lyrics(_ text: String) -> [String] {
        guard text.utf8.first == UInt8(ascii: "[") else { return [text] }
        var copy = text
        return copy.withUTF8 { bytes in
            var reader = JSONReader(UnsafeRawBufferPointer(bytes))
            var found: [String] = []
            do {
                try reader.elements { (reader) throws(JSONProblem) in
                    guard let lyrics = try SubsonicLyrics(&reader), !lyrics.isSynced else { return }
                    found.append(lyrics.lines.map(\.text).joined(separator: "\n"))
                }
            } catch {
                // Broken lyrics are none.
                return []
            }
            return found
        }
    }
}
