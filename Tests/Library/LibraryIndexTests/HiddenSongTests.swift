import GRDB
import LibrarySamples
import MusicModel
import Testing

@testable import LibraryIndex

@Suite("Songs that a cue sheet hides")
struct HiddenSongTests {
    private static func disc(isHidden: Bool, hash: UInt64 = 1) -> IndexedSong {
        var disc = song("a/disc.flac", modified: 5, (.title, "Whole"), (.artist, "Solo"))
        disc.isHidden = isHidden
        disc.hash = hash
        return disc
    }

    private static let track = song("a/disc.cue/track0001", modified: 6, (.title, "One"), (.artist, "Band"))

    private func apply(_ test: TestIndex, _ songs: [IndexedSong], removing: [String] = []) async throws {
        _ = try await test.index.apply(LibraryChanges(mount: "", upserts: songs, removals: removing))
    }

    @Test("They have a path, a block and tags, and are in no search, list, count or walk")
    func nowhereElse() async throws {
        let test = try await TestIndex([Self.disc(isHidden: true), Self.track])
        let index = test.index
        let found = try #require(try await index.song(at: "a/disc.flac"))
        #expect(found.tags == Self.disc(isHidden: true).tags)
        #expect(try await index.queueable([try #require(found.id)]).count == 1)
        #expect(try await test.uris(.all) == ["a/disc.cue/track0001"])
        for subject in [SongFilter.Subject.file, .any, .tag(.title)] {
            for needle in ["disc.flac", "a/disc.flac", "Whole", "who"] {
                for kind in [StringTest.Operator.equals, .contains] where needle != "disc.flac" || kind == .contains {
                    let filter = SongFilter.text(subject, StringTest(kind, needle))
                    #expect(try await !test.uris(filter).contains("a/disc.flac"), "\(subject) \(needle)")
                }
            }
        }
        #expect(try await test.uris(.modifiedSince(0)) == ["a/disc.cue/track0001"])
        #expect(try await test.uris(.not(.text(.file, StringTest(.equals, "x")))) == ["a/disc.cue/track0001"])
        #expect(try await test.uris(.base("a/disc.flac")) == ["a/disc.flac"])
        #expect(try await index.list(.artist, filter: .all, groups: []).map(\.value) == ["Band"])
        let statistics = try await index.statistics()
        #expect(statistics.songs == 1 && statistics.artists == 1)
        #expect(try await index.queueable(below: "").count == 1)
        #expect(try await index.kind(of: "a/disc.flac") == .song)
    }

    @Test("They keep their numbers while they are hidden, shown and hidden again, and texts of theirs don't stay")
    func comingAndGoing() async throws {
        let test = try await TestIndex([Self.disc(isHidden: false)])
        let number = try #require(try await test.index.songID(at: "a/disc.flac"))
        try await apply(test, [Self.disc(isHidden: true, hash: 2), Self.track])
        #expect(try await test.index.songID(at: "a/disc.flac") == number)
        #expect(try await test.uris(.all) == ["a/disc.cue/track0001"])
        try await apply(test, [Self.disc(isHidden: false, hash: 3)], removing: ["a/disc.cue/track0001"])
        #expect(try await test.numbers() == ["a/disc.flac": number])
        #expect(try await test.uris(.text(.tag(.title), StringTest(.equals, "Whole"))) == ["a/disc.flac"])
        try await apply(test, [Self.disc(isHidden: true, hash: 2)])
        try await apply(test, [], removing: ["a/disc.flac"])
        #expect(try await test.index.songID(at: "a/disc.flac") == nil)
        let left = try test.inspect { try Int.fetchOne($0, sql: "SELECT count(*) FROM hidden_song") }
        #expect(left == 0)
    }

    @Test("One may have the path of the folder of its tracks")
    func besideFolder() async throws {
        let track = song("a/disc.flac/track0001", (.title, "One"))
        let test = try await TestIndex([Self.disc(isHidden: false)])
        try await apply(test, [Self.disc(isHidden: true, hash: 2), track])
        #expect(try await test.index.song(at: "a/disc.flac")?.first(.title) == "Whole")
        #expect(try await test.index.queueable(below: "a/disc.flac").count == 1)
        #expect(try await test.uris(.base("a/disc.flac")) == ["a/disc.flac/track0001"])
        try await apply(test, [Self.disc(isHidden: false, hash: 3)], removing: ["a/disc.flac/track0001"])
        #expect(try await test.uris(.all) == ["a/disc.flac"])
    }
}
