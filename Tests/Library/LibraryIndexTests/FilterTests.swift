import LibrarySamples
import MusicModel
import Testing

@testable import LibraryIndex

/// Songs that differ in everything a filter can ask for.
private let songs = [
    song(
        "a/1.flac", modified: 100, added: 1000,
        format: AudioFormat(sampleRate: 44100, sample: .integer(bits: 16), channels: 2),
        (.artist, "Sigur Rós"), (.albumArtist, "Sigur Rós"), (.album, "Takk…"), (.title, "Hoppípolla"), (.track, "3"),
        (.genre, "Post-Rock"), (.genre, "Ambient")),
    song(
        "a/2.flac", modified: 200, (.artist, "Sigur Rós"), (.artist, "Amiina"), (.album, "Takk…"), (.title, "Sé Lest"),
        (.track, "10"), (.comment, "Midnight Sun")),
    song(
        "b/x.mp3", added: 2000, format: AudioFormat(sampleRate: 48000, sample: .float, channels: 2),
        (.artist, "STRASSE"), (.artistSort, "Strasse, Die"), (.title, "Midnight Moon"), (.composer, "Bach")),
    song(
        "b/y.mp3", (.artist, "Straße"), (.title, "moon"), (.musicBrainzTrackID, "0d79da79-32c4-4a93-9be6-5a5a7f34c4f1")),
    song("b/Y Z.mp3", (.title, "A \"quoted\" 'title' \\ 100%_"), (.genre, "Rock")),
    song("c.ogg", modified: 300),
    song("d/e/f.opus", (.albumArtist, "Various"), (.artist, "ＦＵＬＬ　Ｗｉｄｔｈ"), (.title, "e\u{301}tude"), (.date, "1999")),
]

@Suite("Filters")
struct FilterTests {
    private static let everything = ["a/1.flac", "a/2.flac", "b/Y Z.mp3", "b/x.mp3", "b/y.mp3", "c.ogg", "d/e/f.opus"]

    static let table: [(SongFilter, [String])] = [
        (.all, everything),
        (.tag(.artist, .equals, "Amiina"), ["a/2.flac"]),
        (.tag(.artist, .equals, "amiina"), []),
        (.tag(.artist, .equals, "amiina", folds: true), ["a/2.flac"]),
        (.tag(.artist, .equals, "Sigur Rós", not: true), ["b/Y Z.mp3", "b/x.mp3", "b/y.mp3", "c.ogg", "d/e/f.opus"]),
        (.tag(.artist, .equals, "strasse", folds: true), ["b/x.mp3", "b/y.mp3"]),
        (.tag(.artist, .equals, "full width", folds: true), ["d/e/f.opus"]),
        (.tag(.artist, .equals, ""), ["b/Y Z.mp3", "c.ogg"]),
        (.tag(.artist, .equals, "", not: true), ["a/1.flac", "a/2.flac", "b/x.mp3", "b/y.mp3", "d/e/f.opus"]),
        (.tag(.artist, .contains, ""), everything),
        // Fall-backs: AlbumArtist is Artist where it is absent, and only there.
        (.tag(.albumArtist, .equals, "Sigur Rós"), ["a/1.flac", "a/2.flac"]),
        (.tag(.albumArtist, .equals, "Amiina"), ["a/2.flac"]),
        (.tag(.albumArtist, .equals, "ＦＵＬＬ　Ｗｉｄｔｈ"), []),
        (.tag(.albumArtist, .equals, ""), ["b/Y Z.mp3", "c.ogg"]),
        (.tag(.artistSort, .equals, "STRASSE"), []),
        (.tag(.artistSort, .equals, "Strasse, Die"), ["b/x.mp3"]),
        (.tag(.artistSort, .contains, "amii", folds: true), ["a/2.flac"]),
        (.tag(.albumArtistSort, .equals, "Strasse, Die"), []),
        (.tag(.albumArtistSort, .equals, "Various"), ["d/e/f.opus"]),
        (.tag(.albumArtistSort, .equals, "", not: true), ["a/1.flac", "a/2.flac", "b/x.mp3", "b/y.mp3", "d/e/f.opus"]),
        (.tag(.composerSort, .equals, "Bach"), ["b/x.mp3"]),
        (.tag(.titleSort, .contains, "moon", folds: true), ["b/x.mp3", "b/y.mp3"]),
        // Parts of texts, by trigrams and without.
        (.tag(.title, .contains, "moon", folds: true), ["b/x.mp3", "b/y.mp3"]),
        (.tag(.title, .contains, "moon"), ["b/y.mp3"]),
        (.tag(.title, .contains, "mo", folds: true), ["b/x.mp3", "b/y.mp3"]),
        (.tag(.title, .contains, "N M", folds: true), []),
        (.tag(.title, .contains, "t m", folds: true), ["b/x.mp3"]),
        (.tag(.title, .contains, "\"quoted\" 'T", folds: true), ["b/Y Z.mp3"]),
        (.tag(.title, .contains, "\\ 100%_"), ["b/Y Z.mp3"]),
        (.tag(.title, .contains, "100_"), []),
        (.tag(.title, .startsWith, "Mid"), ["b/x.mp3"]),
        (.tag(.title, .startsWith, "moon", folds: true), ["b/y.mp3"]),
        (.tag(.title, .startsWith, "m", folds: true), ["b/x.mp3", "b/y.mp3"]),
        (.tag(.title, .startsWith, "oon"), []),
        (.tag(.title, .contains, "étude", folds: true), ["d/e/f.opus"]),
        (.tag(.title, .equals, "étude"), []),
        (.tag(.album, .contains, "kk...", folds: true), ["a/1.flac", "a/2.flac"]),
        (.tag(.title, .regularExpression, "^M.*n$"), ["b/x.mp3"]),
        (.tag(.title, .regularExpression, "^m.*n$", folds: true), ["b/x.mp3", "b/y.mp3"]),
        (.tag(.title, .regularExpression, "o", not: true), ["a/2.flac", "c.ogg", "d/e/f.opus"]),
        (.tag(.track, .equals, "3"), ["a/1.flac"]),
        (.any("midnight"), ["b/x.mp3"]),
        (.any("ros"), []),
        (.any("rós"), ["a/1.flac", "a/2.flac"]),
        (.any("rock"), ["a/1.flac", "b/Y Z.mp3"]),
        (.any("32c4-4a9"), ["b/y.mp3"]),
        (.any("79"), ["b/y.mp3"]),
        (.any("zzqqxx"), []),
        (.any(""), ["a/1.flac", "a/2.flac", "b/Y Z.mp3", "b/x.mp3", "b/y.mp3", "d/e/f.opus"]),
        (.text(.any, StringTest(.equals, "Rock")), ["b/Y Z.mp3"]),
        (.text(.any, StringTest(.equals, "")), []),
        (.text(.any, StringTest(.equals, "Rock", isNegated: true)), everything.filter { $0 != "b/Y Z.mp3" }),
        (.tag(.comment, .contains, "midnight", folds: true), ["a/2.flac"]),
        // The URI.
        (.text(.file, StringTest(.equals, "b/y.mp3")), ["b/y.mp3"]),
        (.text(.file, StringTest(.equals, "b/y Z.mp3", foldsCase: true)), ["b/Y Z.mp3"]),
        (.text(.file, StringTest(.contains, "b/y", foldsCase: true)), ["b/Y Z.mp3", "b/y.mp3"]),
        (.text(.file, StringTest(.contains, "b/y")), ["b/y.mp3"]),
        (.text(.file, StringTest(.startsWith, "b/")), ["b/Y Z.mp3", "b/x.mp3", "b/y.mp3"]),
        (.text(.file, StringTest(.regularExpression, "^[ab].*\\.flac$")), ["a/1.flac", "a/2.flac"]),
        (.text(.file, StringTest(.contains, "/", isNegated: true)), ["c.ogg"]),
        // The rest.
        (.base("b"), ["b/Y Z.mp3", "b/x.mp3", "b/y.mp3"]),
        (.base("d"), ["d/e/f.opus"]),
        (.base("d/e"), ["d/e/f.opus"]),
        (.base("c.ogg"), ["c.ogg"]),
        (.base(""), everything),
        (.not(.base("b")), ["a/1.flac", "a/2.flac", "c.ogg", "d/e/f.opus"]),
        (.not(.base("nowhere")), everything),
        (.modifiedSince(200), ["a/2.flac", "c.ogg"]),
        (.not(.modifiedSince(200)), ["a/1.flac", "b/Y Z.mp3", "b/x.mp3", "b/y.mp3", "d/e/f.opus"]),
        (.addedSince(1001), ["b/x.mp3"]),
        (.audioFormat(AudioFormat(sampleRate: 44100, sample: .integer(bits: 16), channels: 2)), ["a/1.flac"]),
        (.audioFormat(AudioFormat(sampleRate: 0, sample: .unknown, channels: 2)), ["a/1.flac", "b/x.mp3"]),
        (.audioFormat(AudioFormat(sampleRate: 0, sample: .float, channels: 0)), ["b/x.mp3"]),
        (.priority(0), everything),
        (.priority(1), []),
        (.and([.tag(.title, .contains, "moon", folds: true), .tag(.artist, .equals, "Straße")]), ["b/y.mp3"]),
        (.and([.base("b"), .not(.tag(.genre, .equals, "Rock"))]), ["b/x.mp3", "b/y.mp3"]),
        (
            .and([.tag(.album, .equals, "", not: true), .tag(.albumArtist, .equals, "", not: true)]),
            ["a/1.flac", "a/2.flac"]
        ),
        (
            .not(.and([.tag(.artist, .equals, "STRASSE"), .tag(.composer, .equals, "Bach")])),
            everything.filter { $0 != "b/x.mp3" }
        ),
        (.and([]), everything),
    ]

    @Test("Every comparison finds what MPD finds, in the index and in memory", arguments: table.indices)
    func finds(row: Int) async throws {
        let (filter, expected) = Self.table[row]
        let test = try await TestIndex(songs)
        let found = try await test.uris(filter)
        #expect(found.sorted() == expected.sorted(), "\(filter)")
        // Once the columns of the tags are in memory, parts of texts are looked for there.
        for tag in Tag.allCases { _ = try await test.index.list(tag, filter: .all, groups: []) }
        #expect(try await test.uris(filter).sorted() == expected.sorted(), "in columns: \(filter)")
        let matcher = try SongMatcher(filter)
        let all = try await test.index.songs(try await test.index.queueable(below: "").map(\.id)).compactMap { $0 }
        #expect(all.count == songs.count)
        let inMemory = try all.filter { try matcher.matches($0, priority: 0) }
        #expect(inMemory.map(\.uri).sorted() == expected.sorted(), "in memory: \(filter)")
        let ids = all.compactMap(\.id)
        let places = try #require(try await test.index.places(of: filter, among: ids))
        #expect(places.map { all[$0].uri }.sorted() == expected.sorted(), "among: \(filter)")
    }

    @Test("Short needles find titles in memory, within one title and not across two")
    func shortNeedles() async throws {
        let titles = ["ab", "cd", "Éab", "bcd", "B", "xAB", "", "b"]
        let test = try await TestIndex(titles.enumerated().map { song("\($0)", (.title, $1), (.title, "zz")) })
        func found(_ needle: String, _ comparison: StringTest.Operator, folds: Bool) async throws -> [String] {
            try await test.uris(.text(.tag(.title), StringTest(comparison, needle, foldsCase: folds)))
        }
        #expect(try await found("ab", .contains, folds: false) == ["0", "2"])
        #expect(try await found("AB", .contains, folds: true) == ["0", "2", "5"])
        #expect(try await found("bc", .contains, folds: true) == ["3"])
        #expect(try await found("b", .startsWith, folds: true) == ["3", "4", "7"])
        #expect(try await found("é", .startsWith, folds: true) == ["2"])
        #expect(try await found("zz", .contains, folds: false) == titles.indices.map(String.init))
        #expect(try await found("z", .startsWith, folds: false) == titles.indices.map(String.init))
        #expect(try await found("qq", .contains, folds: true) == [])
    }

    @Test("A base at the top that does not exist is an error, elsewhere it is empty")
    func missingBase() async throws {
        let test = try await TestIndex(songs)
        for filter in [SongFilter.base("nope"), .base("b/"), .and([.all, .and([.base("nope")])])] {
            await #expect(throws: LibraryError(.noSuchDirectory, "No such directory")) {
                _ = try await test.index.find(SongQuery(filter), mask: .standard)
            }
        }
        #expect(try await test.uris(.not(.base("nope"))).count == songs.count)
    }

    @Test("A bad regular expression is an error, not an empty answer")
    func badExpression() async throws {
        let test = try await TestIndex(songs)
        await #expect(throws: LibraryError.self) {
            _ = try await test.index.find(SongQuery(.tag(.title, .regularExpression, "(")), mask: .standard)
        }
    }

    @Test("Priorities are compared in the queue")
    func priorities() throws {
        let matcher = try SongMatcher(.priority(5))
        #expect(try matcher.matches(Song(uri: "x"), priority: 5))
        #expect(try !matcher.matches(Song(uri: "x"), priority: 4))
    }

    @Test("A quote with an accent on it is looked for like any other text")
    func accentedQuotes() async throws {
        let test = try await TestIndex([song("x.mp3", (.title, "ab\"\u{301}cd")), song("y.mp3", (.title, "abcd"))])
        #expect(try await test.uris(.tag(.title, .contains, "ab\"\u{301}cd", folds: true)) == ["x.mp3"])
        #expect(try await test.uris(.tag(.title, .contains, "b\"\u{301}c")) == ["x.mp3"])
    }

    @Test("A regular expression that backtracks without end is refused, wherever it is looked for")
    func catastrophicExpressions() async throws {
        let value = String(repeating: "a", count: 40) + "b"
        let test = try await TestIndex((0..<30).map { song("\($0)-\(value).mp3", (.title, "\(value)\($0)c")) })
        let title = SongFilter.tag(.title, .regularExpression, "^(a+)+$")
        let path = SongFilter.text(.file, StringTest(.regularExpression, "-(a+)+$", foldsCase: false))
        for filter in [title, path, .and([.all, .not(title)])] {
            await #expect(throws: LibraryError.self) { _ = try await test.uris(filter) }
            await #expect(throws: LibraryError.self) {
                _ = try await test.index.list(.album, filter: filter, groups: [])
            }
            let songs = (0..<30).map { number -> (song: Song?, priority: Int) in
                (Song(uri: "\(number)-\(value).mp3", tags: [TagValue(.title, "\(value)\(number)c")]), 0)
            }
            let search = try await test.index.search(for: filter)
            await #expect(throws: LibraryError.self) { _ = try await search.places(in: songs) }
        }
    }

    @Test("A song with very many values in several tags can't blow up a list in groups")
    func combinations() async throws {
        let values = (0..<100).map(String.init)
        var tags: [TagValue] = []
        for tag in [Tag.artist, .performer, .composer] { tags += values.map { TagValue(tag, $0) } }
        var many = song("x.mp3")
        many.tags = tags
        let test = try await TestIndex([many])
        #expect(try await test.index.list(.artist, filter: .all, groups: [.performer]).count == 10_000)
        await #expect(throws: LibraryError.self) {
            _ = try await test.index.list(.artist, filter: .all, groups: [.performer, .composer])
        }
        await #expect(throws: LibraryError.self) {
            _ = try await test.index.count(filter: .all, groups: [.artist, .performer, .composer])
        }
    }
}
