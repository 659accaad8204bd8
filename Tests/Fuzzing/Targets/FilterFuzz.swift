import LibraryIndex
import MPDProtocol
import MusicModel

/// Parses a filter, prints it in MPD's normal form, parses and prints that, and expects the same; then asks songs
/// whether they match.
///
/// - Shape: an even first byte parses as `find` does, an odd one as `search` does; the rest is the expression.
enum FilterFuzz {
    static func run(_ bytes: [UInt8]) throws {
        guard let first = bytes.first else { return }
        // The tokenizer cuts a line at a NUL, so no argument holds one.
        let text = String(decoding: bytes.dropFirst().prefix { $0 != 0 }, as: UTF8.self)
        let foldsCase = first & 1 == 1
        guard let filter = parse(text, foldsCase: foldsCase) else { return }
        let printed = filter.expression
        guard let again = parse(printed, foldsCase: foldsCase) else {
            throw FuzzFinding("\(text) is printed as \(printed), which is refused")
        }
        // The normal form doesn't tell whether case counts, hence the comparison of texts.
        guard again.expression == printed else {
            throw FuzzFinding("\(text) is printed as \(printed), and that as \(again.expression)")
        }
        guard let matcher = try? SongMatcher(filter) else { return }
        for song in songs { _ = try? matcher.matches(song, priority: 10) }
    }

    private static func parse(_ text: String, foldsCase: Bool) -> SongFilter? {
        var arguments = Arguments([text])
        return try? arguments.filter(foldsCase: foldsCase)
    }

    private static let songs = [
        Song(
            uri: "Artist 1/Söng 1.flac",
            tags: [TagValue(.artist, "Straße"), TagValue(.artist, "ÉTÉ"), TagValue(.title, "ﬁn\u{301}")],
            duration: .seconds(10), lastModified: 1_600_000_000, added: 1_700_000_000,
            format: AudioFormat(sampleRate: 44_100, sample: .integer(bits: 16), channels: 2)),
        Song(uri: "", tags: []),
    ]
}
