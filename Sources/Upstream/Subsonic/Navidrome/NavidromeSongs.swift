import AsyncHTTPClient
import MusicModel
import NIOCore

/// A song as Navidrome's own API lists it: with the texts that the Subsonic API leaves out of lists.
package struct NavidromeSong: Hashable, Sendable {
    /// The id, which is the Subsonic API's, too.
    package var id: String
    /// The title, for people.
    package var title = ""
    /// How long it lasts; zero where that is unknown.
    package var duration = Duration.zero
    /// Its lyrics without times and its tags, as far as they have several lines.
    package var texts: [String] = []
}

extension NavidromeSession {
    /// Far more than a page of songs has; Navidrome cuts the lyrics of each at a megabyte.
    private static let largestList = 24 << 20

    /// Lists the server's songs, the longest first.
    ///
    /// - Parameters:
    ///   - start: how many are passed by.
    ///   - count: how many are listed at most.
    /// - Throws: `SubsonicError`, or `CancellationError`.
    @concurrent
    package func longestSongs(from start: Int, count: Int) async throws -> SubsonicPage<NavidromeSong> {
        let path = "/api/song?_sort=duration&_order=DESC&_start=\(start)&_end=\(start.addingClamped(count))"
        let response = try await open(path, accept: "application/json")
        let body: ByteBuffer
        do {
            body = try await response.body.gathered(upTo: Self.largestList)
        } catch { throw transport.failure(from: error) }
        do {
            return try body.withUnsafeReadableBytes { try NavidromeSong.page(in: $0, atMost: count) }
        } catch {
            throw SubsonicError(
                .badAnswer, "\(transport.shownAddress) lists songs in a form that is not understood.", cause: error)
        }
    }
}

/// How songs are read.
///
/// - Source: Navidrome 0.63 model/mediafile.go, whose `lyrics` is a text with JSON in it, and model/tag.go.
extension NavidromeSong {
    private enum Member: String, CaseIterable {
        case id, title, duration, lyrics, tags
    }

    private static let names = MemberNames<Member>()

    /// Longer ones are passed over.
    private static let longestText = 1 << 18
    /// The most texts of a song.
    private static let mostTexts = 100

    /// Reads a list, of which no more than `count` songs are taken.
    static func page(
        in bytes: UnsafeRawBufferPointer, atMost count: Int
    ) throws(JSONProblem) -> SubsonicPage<NavidromeSong> {
        var page = SubsonicPage<NavidromeSong>(items: [])
        var reader = JSONReader(bytes)
        try reader.collect(into: &page, atMost: count) { (reader) throws(JSONProblem) in try NavidromeSong(&reader) }
        try reader.end()
        return page
    }

    /// Reads a song; nil without an id.
    init?(_ reader: inout JSONReader) throws(JSONProblem) {
        var song = NavidromeSong(id: "")
        try reader.members { (reader, name) throws(JSONProblem) in
            switch Self.names[name] {
            case .id: song.id = try reader.text() ?? ""
            case .title: song.title = try reader.text() ?? ""
            case .duration: song.duration = try reader.double().map { .seconds(clamping: $0) } ?? .zero
            case .lyrics: song.add(try reader.text().map(Self.lyrics) ?? [])
            case .tags: song.add(try Self.tags(&reader))
            case nil: try reader.skip()
            }
        }
        if song.id.isEmpty { return nil }
        self = song
    }

    private mutating func add(_ found: [String]) {
        texts += found.lazy.filter { $0.utf8.count <= Self.longestText && $0.contains(where: \.isNewline) }
            .prefix(max(0, Self.mostTexts - texts.count))
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
