import Foundation
import GRDB
import LibraryIndex
import LibrarySamples
import MusicModel
import Testing

@testable import UserLibrary

@Suite("Stickers")
struct StickerTests {
    /// Three songs, two of them in a folder.
    private func library() async throws -> TestLibrary {
        try await TestLibrary([
            song("a/1.flac", id: "1", (.title, "One"), (.album, "X")),
            song("a/2.flac", id: "2", (.title, "Two"), (.album, "X")),
            song("b.flac", id: "3", (.title, "Three")),
        ])
    }

    private func found(_ test: TestLibrary, _ query: StickerQuery, below base: String = "") async throws -> [String] {
        try await test.library.findStickers(.song, below: base, query).map { "\($0.object)=\($0.value)" }
    }

    @Test("Each write tells what it changed, and an equal value changes nothing")
    func changes() async throws {
        let test = try await library()
        let object = StickerObject.song(try #require(try await test.library.index.songID(at: "b.flac")))
        let first = try await test.library.setSticker("rating", of: object, to: "7")
        #expect(first == StickerChange(object: object, name: "rating", oldValue: nil, newValue: "7"))
        #expect(try await test.library.setSticker("rating", of: object, to: "7") == nil)
        let counted = try await test.library.countSticker("rating", of: object, .up, by: "2")
        #expect(counted == StickerChange(object: object, name: "rating", oldValue: "7", newValue: "9"))
        #expect(try await test.library.countSticker("rating", of: object, .down, by: "0") == nil)
        let deleted = try await test.library.deleteSticker("rating", of: object)
        #expect(deleted == StickerChange(object: object, name: "rating", oldValue: "9", newValue: nil))
        #expect(try await test.library.deleteSticker("rating", of: object) == nil)
        #expect(try await test.library.deleteStickers(of: object).isEmpty)
    }

    @Test("Counting takes texts for 0, keeps fractions, and stores the first amount as it is")
    func counting() async throws {
        let test = try await library()
        let object = StickerObject.playlist("mine")
        func value() async throws -> String? { try await test.library.sticker("n", of: object) }
        _ = try await test.library.countSticker("n", of: object, .down, by: "abc")
        #expect(try await value() == "abc")
        _ = try await test.library.countSticker("n", of: object, .down, by: "3")
        #expect(try await value() == "-3")
        _ = try await test.library.countSticker("n", of: object, .up, by: "0.5")
        #expect(try await value() == "-2.5")
    }

    @Test("Values compare as texts or as numbers")
    func operators() async throws {
        let test = try await library()
        for (uri, value) in [("a/1.flac", "10"), ("a/2.flac", "4"), ("b.flac", "Abc")] {
            let id = try #require(try await test.library.index.songID(at: uri))
            try await test.library.setSticker("n", of: .song(id), to: value)
        }
        typealias Case = (StickerQuery.Operator, String?, [String])
        let cases: [Case] = [
            (.equals, "4", ["a/2.flac=4"]), (.lessThan, "4", ["a/1.flac=10"]), (.greaterThan, "4", ["b.flac=Abc"]),
            (.equalsNumber, "0", ["b.flac=Abc"]), (.lessThanNumber, "10", ["a/2.flac=4", "b.flac=Abc"]),
            (.greaterThanNumber, "4", ["a/1.flac=10"]), (.contains, "B", ["b.flac=Abc"]),
            (.startsWith, "a", ["b.flac=Abc"]), (.startsWith, "b", []), (.equals, nil, []),
        ]
        for (comparison, value, expected) in cases {
            #expect(try await found(test, StickerQuery(name: "n", test: (comparison, value))) == expected)
        }
    }

    @Test("They are sorted, cut to a window and found below a directory only")
    func sorting() async throws {
        let test = try await library()
        for (uri, value) in [("a/1.flac", "10"), ("a/2.flac", "4"), ("b.flac", "10")] {
            let id = try #require(try await test.library.index.songID(at: uri))
            try await test.library.setSticker("n", of: .song(id), to: value)
        }
        var query = StickerQuery(name: "n", sort: .number, isDescending: true)
        #expect(try await found(test, query) == ["a/1.flac=10", "b.flac=10", "a/2.flac=4"])
        query.window = 1..<2
        #expect(try await found(test, query) == ["b.flac=10"])
        query.sort = .object
        query.window = 0..<2
        #expect(try await found(test, query) == ["b.flac=10", "a/2.flac=4"])
        query.window = 7..<Int.max
        #expect(try await found(test, query) == [])
        query = StickerQuery(name: "n", sort: .value)
        #expect(try await found(test, query, below: "a") == ["a/1.flac=10", "a/2.flac=4"])
        query.sort = nil
        #expect(try await found(test, query, below: "a") == ["a/1.flac=10", "a/2.flac=4"])
        #expect(try await found(test, query, below: "a/") == [])
        #expect(try await found(test, query, below: "b.flac") == [])
    }

    @Test("They follow a song that is moved, and wait for one that goes and comes back")
    func identity() async throws {
        let test = try await library()
        let id = try #require(try await test.library.index.songID(at: "a/1.flac"))
        try await test.library.setSticker("rating", of: .song(id), to: "8")
        let moved = song("c/moved.flac", id: "1", hash: 2, (.title, "One"), (.album, "X"))
        _ = try await test.library.index.apply(LibraryChanges(mount: "", upserts: [moved]))
        #expect(try await found(test, StickerQuery(name: "rating")) == ["c/moved.flac=8"])
        _ = try await test.library.index.apply(LibraryChanges(mount: "", removals: ["1"]))
        #expect(try await found(test, StickerQuery(name: "rating")) == [])
        #expect(try await found(test, StickerQuery(name: "rating", sort: .value)) == [])
        #expect(try await test.library.stickerNames().isEmpty)
        _ = try await test.library.index.apply(LibraryChanges(mount: "", upserts: [moved]))
        #expect(try await found(test, StickerQuery(name: "rating", sort: .value)) == ["c/moved.flac=8"])
        #expect(try await test.library.stickerNames() == [StickerNameType(name: "rating", type: "song")])
    }

    @Test("Other objects are found by the beginnings of their names; tag values that are gone are hidden")
    func objects() async throws {
        let test = try await library()
        try await test.library.setSticker("n", of: .tag(.album, "X"), to: "1")
        try await test.library.setSticker("n", of: .tag(.album, "Gone"), to: "2")
        try await test.library.setSticker("n", of: .playlist("Mine"), to: "3")
        try await test.library.setSticker("n", of: .playlist("other"), to: "20")
        let albums = try await test.library.findStickers(.tag(.album), below: "", StickerQuery(name: "n"))
        #expect(albums == [FoundSticker(object: "X", value: "1")])
        let lists = try await test.library.findStickers(.playlist, below: "m", StickerQuery(name: "n"))
        #expect(lists == [FoundSticker(object: "Mine", value: "3")])
        let query = StickerQuery(name: "n", sort: .value, window: 0..<1)
        #expect(try await test.library.findStickers(.playlist, below: "", query).map(\.object) == ["other"])
        #expect(try await test.library.stickerNames().map(\.type) == ["Album", "playlist"])
    }

    @Test("Thousands of them give the same answers as a few", arguments: [StickerQuery.Sort.object, .value, .number])
    func many(sort: StickerQuery.Sort) async throws {
        let songs = (0..<3000).map { song("d\($0 % 7)/\($0).flac", (.title, "T\($0)")) }
        let test = try await TestLibrary(songs)
        try await test.library.write { database in
            try database.execute(
                sql: "INSERT INTO song_sticker SELECT id, 'rating', CAST(id % 11 AS TEXT) FROM song")
        }
        for isDescending in [false, true] {
            var query = StickerQuery(
                name: "rating", test: (.greaterThan, "7"), sort: sort, isDescending: isDescending)
            let all = try await found(test, query)
            #expect(all.count == 3000 * 2 / 11 || all.count == 3000 * 2 / 11 + 1)
            query.window = 10..<60
            #expect(try await found(test, query) == Array(all[10..<60]))
            let paths = all.map { $0.prefix { $0 != "=" } }
            if sort == .object { #expect(paths == (isDescending ? paths.sorted(by: >) : paths.sorted())) }
            query.window = nil
            query.test = nil
            #expect(try await found(test, query).count == 3000)
            #expect(try await found(test, query, below: "d3").allSatisfy { $0.hasPrefix("d3/") })
        }
    }
}
