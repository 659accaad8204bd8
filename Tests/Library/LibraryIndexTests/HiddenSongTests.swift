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

    private static func track(_ path: String, of whole: String, hash: UInt64 = 1) -> IndexedSong {
        var track = song(path, hash: hash, (.title, "One"))
        track.wholeID = whole
        return track
    }

    private func realURI(_ test: TestIndex, _ path: String) async throws -> String? {
        let songs = try await test.index.songs([try #require(try await test.index.songID(at: path))])
        let lines = try await test.index.find(SongQuery(.base(path)), mask: .standard).lines()
        let told = lines.firstIndex { $0.hasPrefix("RealUri: ") }.map { (lines[$0 - 1], lines[$0]) }
        #expect(told.map(\.0) == songs[0]?.wholeURI.map { _ in "file: \(path)" })
        #expect(told?.1.value(of: "RealUri") == songs[0]?.wholeURI)
        return songs[0]?.wholeURI
    }

    @Test("Tracks name the path that clients use of the song that they are parts of, and no other song names any")
    func realURI() async throws {
        let track = Self.track("a/disc.cue/track0001", of: "d")
        var disc = song("a/disc.flac", id: "d", (.title, "Whole"))
        disc.isHidden = true
        let test = try await TestIndex([track, disc, song("b.flac", (.title, "B"))])
        #expect(try await realURI(test, "a/disc.cue/track0001") == "a/disc.flac")
        #expect(try await realURI(test, "a/disc.flac") == nil)
        #expect(try await realURI(test, "b.flac") == nil)
        // A song with the path of another one has a number.
        let other = song("c.flac", id: "e", hash: 2, (.title, "Other"))
        try await apply(test, [other, Self.track("c.cue/track0001", of: "f"), song("c.flac", id: "f")])
        #expect(try await realURI(test, "c.cue/track0001") == "c (2).flac")
    }

    @Test("A whole song that moves or comes later is named anew by tracks that did not change")
    func movedWhole() async throws {
        let test = try await TestIndex([Self.track("a.cue/track0001", of: "d")])
        #expect(try await realURI(test, "a.cue/track0001") == nil)
        try await apply(test, [song("a.flac", id: "d")])
        #expect(try await realURI(test, "a.cue/track0001") == "a.flac")
        try await apply(test, [song("z/a.flac", id: "d", hash: 2)])
        #expect(try await realURI(test, "a.cue/track0001") == "z/a.flac")
        // Now a folder needs the name.
        try await apply(test, [song("z/a.flac/b.flac")])
        #expect(try await realURI(test, "a.cue/track0001") == "z/a (2).flac")
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
