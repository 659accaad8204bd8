import Foundation
import GRDB
import LibrarySamples
import MusicModel
import Testing

@testable import LibraryIndex

@Suite("Writing by the sync")
struct SyncTests {
    private func apply(_ test: TestIndex, _ songs: [IndexedSong] = [], remove: [String] = []) async throws
        -> AppliedChanges
    {
        try await test.index.apply(LibraryChanges(mount: songs.first?.mount ?? "", upserts: songs, removals: remove))
    }

    @Test("The same walk again writes nothing and the generation stays")
    func unchanged() async throws {
        let songs = [song("a/1", (.title, "x")), song("a/2")]
        let test = try await TestIndex(songs)
        let before = try await test.index.statistics()
        let generation = try test.inspect { try Int.fetchOne($0, sql: "SELECT generation FROM library") }
        let result = try await apply(test, songs, remove: ["never", "known"])
        #expect(result == AppliedChanges())
        #expect(try await test.index.statistics() == before)
        #expect(try test.inspect { try Int.fetchOne($0, sql: "SELECT generation FROM library") } == generation)
        let known = try await test.index.knownSongs(mount: "")
        #expect(Set(known.keys) == ["a/1", "a/2"])
        #expect(known["a/1"]?.hash == 1)
    }

    @Test("db_update moves on with every change, also within a second")
    func updatedMoves() async throws {
        let test = try await TestIndex([song("1")])
        let first = try await test.index.statistics().updated
        _ = try await apply(test, [song("2")])
        #expect(try await test.index.statistics().updated > first)
    }

    @Test("A changed song keeps its number, gets its new text, and old values go")
    func update() async throws {
        let test = try await TestIndex([
            song("a/1", (.title, "old"), (.genre, "Rock")), song("a/2", (.genre, "Rock")),
        ])
        let numbers = try await test.numbers()
        let result = try await apply(test, [song("a/1", hash: 2, (.title, "new"), (.genre, "Jazz"))])
        let number = try #require(numbers["a/1"])
        #expect(result.updated == [number])
        #expect(result.added == 0 && result.removed.isEmpty && result.changedAnything)
        #expect(try await test.numbers() == numbers)
        #expect(try await test.uris(.any("old")).isEmpty)
        #expect(try await test.uris(.any("new")) == ["a/1"])
        #expect(try await test.index.list(.genre, filter: .all, groups: []).map(\.value) == ["Jazz", "Rock"])
        #expect(try await test.index.list(.title, filter: .all, groups: []).map(\.value) == ["", "new"])
        #expect(try await test.index.song(at: "a/1")?.first(.title) == "new")
        try check(test)
    }

    @Test("A song that comes back has its old number")
    func restore() async throws {
        let test = try await TestIndex([song("a/1", (.title, "x")), song("b/2")])
        let numbers = try await test.numbers()
        let gone = try await apply(test, remove: ["a/1"])
        let number = try #require(numbers["a/1"])
        #expect(gone.removed == [number])
        #expect(try await test.uris(.all) == ["b/2"])
        #expect(try await test.index.kind(of: "a") == nil)
        #expect(try await test.index.songs([number]) == [nil])
        #expect(try await test.index.knownSongs(mount: "").keys.sorted() == ["b/2"])
        #expect(try await test.index.statistics().songs == 1)
        let back = try await apply(test, [song("a/1", (.title, "x"))])
        #expect(back.added == 1 && back.updated.isEmpty)
        #expect(try await test.numbers() == numbers)
        try check(test)
    }

    @Test("A moved song keeps its number and leaves no empty directory")
    func move() async throws {
        let test = try await TestIndex([song("a/b/c/1", id: "x"), song("a/2", id: "y")])
        let number = try await test.numbers()["a/b/c/1"]
        let result = try await apply(test, [song("d/1", id: "x", hash: 2)])
        #expect(result.updated.count == 1)
        #expect(try await test.numbers()["d/1"] == number)
        #expect(
            try await test.index.walk("", detail: .uris, mask: .standard).lines() == [
                "directory: a", "file: a/2", "directory: d", "file: d/1",
            ])
        try check(test)
    }

    @Test("Songs whose paths swap places do not collide")
    func swap() async throws {
        let test = try await TestIndex([song("a", id: "1"), song("b", id: "2")])
        let numbers = try await test.numbers()
        _ = try await apply(test, [song("b", id: "1", hash: 2), song("a", id: "2", hash: 2)])
        #expect(try await test.numbers() == ["a": numbers["b"], "b": numbers["a"]])
        try check(test)
    }

    @Test("A rebuilt server with new ids for everything keeps every number")
    func rebuild() async throws {
        let uuid = "0d79da79-32c4-4a93-9be6-5a5a7f34c4f1"
        let tags: [(MusicModel.Tag, String)] = [(.artist, "A"), (.album, "B"), (.title, "T")]
        let test = try await TestIndex([
            song("by/path", id: "1"), song("by/mbid", id: "2", (.musicBrainzTrackID, uuid)),
            song("by/tags", id: "3", tags[0], tags[1], tags[2]),
            song("two/same", id: "4", (.title, "S"), (.musicBrainzTrackID, "shared")),
            song("two/other", id: "5", (.title, "S"), (.album, "Best of"), (.musicBrainzTrackID, "shared")),
            song("really gone", id: "6"),
        ])
        let numbers = try await test.numbers()
        let result = try await apply(
            test,
            [
                song("by/path", id: "n1"), song("elsewhere/mbid", id: "n2", (.musicBrainzTrackID, uuid)),
                song("elsewhere/tags", id: "n3", tags[0], tags[1], tags[2]),
                song("two/other2", id: "n5", (.title, "S"), (.album, "Best of"), (.musicBrainzTrackID, "shared")),
                song("two/same2", id: "n4", (.title, "S"), (.musicBrainzTrackID, "shared")),
                song("brand new", id: "n6"),
            ], remove: ["1", "2", "3", "4", "5", "6"])
        let lost = try #require(numbers["really gone"])
        #expect(result.added == 1 && result.updated.count == 5 && result.removed == [lost])
        let after = try await test.numbers()
        for (old, new) in [
            ("by/path", "by/path"), ("by/mbid", "elsewhere/mbid"), ("by/tags", "elsewhere/tags"),
            ("two/same", "two/same2"), ("two/other", "two/other2"),
        ] { #expect(after[new] == numbers[old], "\(old)") }
        let number = try #require(after["by/path"])
        #expect(try await test.index.source(of: number)?.source == .navidrome(id: "n1"))
        try check(test)
    }

    @Test("Odd songs are taken as they are: no tags, 10 kB, line feeds, no length, the same path and id twice")
    func oddSongs() async throws {
        let test = try await TestIndex([
            song("x/a.flac", id: "1"), song("x/a.flac", id: "2"), song("x//a.flac", id: "3"), song("", id: "4"),
            song("/../..", id: "5"), song("l\nf\u{0}.flac", id: "6", duration: .zero, (.title, "a\nb")),
            song("long.flac", id: "7", duration: nil, (.title, String(repeating: "ä", count: 5000)), (.artist, "")),
            song("twice.flac", id: "8", (.title, "first")), song("twice.flac", id: "8", (.title, "last")),
            song("same value.flac", id: "9", (.genre, "Rock"), (.genre, "Rock")),
        ])
        #expect(
            Set(try await test.uris(.all)) == [
                "x/a.flac", "x/a (2).flac", "x/a (3).flac", "untitled.flac", "untitled (2).flac", "l f .flac",
                "long.flac", "twice.flac", "same value.flac",
            ])
        for line in try await test.index.walk("", detail: .blocks, mask: .everything).lines() {
            #expect(line.utf8.count < 4095)
            #expect(line.contains(": "))
        }
        #expect(try await test.index.song(at: "twice.flac")?.first(.title) == "last")
        #expect(try await test.index.song(at: "same value.flac")?.tags.count == 2)
        #expect(try await test.index.song(at: "l f .flac")?.duration == .zero)
        try check(test)
        // The numbers stay with the songs that have them.
        let numbers = try await test.numbers()
        _ = try await apply(test, [song("x/a.flac", id: "2", hash: 5, (.title, "t"))], remove: ["1"])
        #expect(try await test.numbers()["x/a (2).flac"] == numbers["x/a (2).flac"])
    }

    @Test("A song and a directory of the same name don't collide, whichever comes first")
    func songAgainstDirectory() async throws {
        let test = try await TestIndex([song("a", id: "1"), song("a/b", id: "2"), song("c", id: "3")])
        #expect(try await test.uris(.all).sorted() == ["a (2)", "a/b", "c"])
        let numbers = try await test.numbers()
        _ = try await apply(test, [song("c/d", id: "4"), song("a", id: "5")])
        #expect(try await test.uris(.all).sorted() == ["a (2)", "a (3)", "a/b", "c (2)", "c/d"])
        #expect(try await test.numbers()["c (2)"] == numbers["c"])
        let number = try #require(numbers["c"])
        #expect(try await test.index.source(of: number)?.source == .navidrome(id: "3"))
        try check(test)
    }

    @Test("Two sources stand side by side below their mounts")
    func mounts() async throws {
        let test = try TestIndex()
        _ = try await apply(test, [song("a/1", id: "1", mount: "navi"), song("a/2", id: "2", mount: "navi")])
        _ = try await apply(test, [song("a/1", id: "1", mount: "local")])
        #expect(try await test.uris(.all) == ["local/a/1", "navi/a/1", "navi/a/2"])
        #expect(try await test.index.knownSongs(mount: "navi").count == 2)
        _ = try await test.index.apply(LibraryChanges(mount: "navi", removals: ["1"]))
        #expect(try await test.uris(.all) == ["local/a/1", "navi/a/2"])
        try check(test)
    }

    @Test("Songs and directories that are added between others find their places")
    func growingTree() async throws {
        let names = (0..<60).map { "d\(String(format: "%03d", ($0 * 37) % 60))/s\(($0 * 11) % 7)" }
        let test = try TestIndex()
        for chunk in stride(from: 0, to: names.count, by: 7) {
            _ = try await apply(test, names[chunk..<min(chunk + 7, names.count)].map { song($0) })
        }
        #expect(try await test.uris(.all) == names.sorted())
        try check(test)
    }

    @Test("When the gaps between directories are used up, all are numbered anew")
    func numberingAnew() async throws {
        let test = try await TestIndex([song("a/1"), song("b/1")])
        var name = "a"
        for _ in 0..<25 {
            name += "b"
            _ = try await apply(test, [song("\(name)/1")])
        }
        let uris = try await test.uris(.all)
        #expect(uris.count == 27)
        #expect(uris == uris.sorted())
        try check(test)
    }

    @Test("A failing write leaves the index as it was")
    func atomicity() async throws {
        let test = try await TestIndex([song("a/1", (.title, "x"))])
        try await DatabaseQueue(path: test.path).write {
            try $0.execute(
                sql:
                    "CREATE TRIGGER stop BEFORE INSERT ON song WHEN new.uri = 'a/3' BEGIN SELECT RAISE(ABORT, ''); END"
            )
        }
        let before = try await test.index.statistics()
        await #expect(throws: LibraryError.self) {
            _ = try await apply(test, [song("a/2"), song("a/3"), song("a/1", hash: 2, (.title, "y"))])
        }
        #expect(try await test.index.statistics() == before)
        #expect(try await test.uris(.any("x")) == ["a/1"])
        try check(test)
    }

    @Test("Everything is there after the library is opened again, with blocks of an older version written again")
    func reopening() async throws {
        let test = try await TestIndex((0..<1200).map { song("\($0)", (.track, "\($0)")) })
        let numbers = try await test.numbers()
        let query = SongQuery(.tag(.track, .equals, "7"))
        let text = try await test.index.find(query, mask: .standard).text()
        try await test.index.database.write {
            try $0.execute(sql: "UPDATE library SET block_version = 0; UPDATE block SET block = 'old'")
        }
        try test.index.database.close()
        let again = try MusicIndex(path: test.path)
        #expect(try await again.find(query, mask: .standard).text() == text)
        #expect(try await again.song(at: "7")?.id == numbers["7"])
        let old = try test.inspect { try Int.fetchOne($0, sql: "SELECT count(*) FROM block WHERE block = 'old'") }
        #expect(old == 0)
        try again.database.close()
    }

    /// Rows that no index may have.
    private static let faults = [
        "SELECT count(*) FROM song WHERE uri IS NOT NULL AND id NOT IN (SELECT id FROM block)",
        "SELECT count(*) FROM block WHERE id NOT IN (SELECT id FROM song WHERE uri IS NOT NULL)",
        "SELECT count(*) FROM song WHERE (uri IS NOT NULL AND walk IS NULL) <> (id IN (SELECT id FROM hidden_song))",
        "SELECT count(*) FROM value WHERE id NOT IN (SELECT value FROM song_value)",
        "SELECT count(*) FROM song_value WHERE song NOT IN (SELECT id FROM song WHERE walk IS NOT NULL)",
        """
        SELECT count(*) FROM song s LEFT JOIN directory d ON d.id = s.directory
        WHERE s.walk IS NOT NULL AND (d.id IS NULL OR d.number <> s.walk >> 22)
        """,
        "SELECT count(*) - count(DISTINCT walk) FROM song WHERE walk IS NOT NULL",
        "SELECT count(*) FROM song WHERE walk IS NOT NULL AND uri IN (SELECT path FROM directory)",
        """
        SELECT count(*) FROM directory c LEFT JOIN directory p ON p.id = c.parent
        WHERE c.id > 1 AND (p.id IS NULL OR p.number >= c.number)
        """,
        "SELECT songs - (SELECT count(*) FROM song WHERE walk IS NOT NULL) FROM library",
    ]

    private func check(_ test: TestIndex) throws {
        let integrity = try test.inspect { try String.fetchOne($0, sql: "PRAGMA integrity_check") }
        #expect(integrity == "ok")
        for fault in Self.faults {
            let count = try test.inspect { try Int.fetchOne($0, sql: fault) }
            #expect(count == 0, "\(fault)")
        }
    }
}
