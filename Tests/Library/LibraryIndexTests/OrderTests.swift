import LibrarySamples
import MPDProtocol
import MusicModel
import Testing

@testable import LibraryIndex

@Suite("Order, lists and counts")
struct OrderTests {
    @Test("Paths out of memory are those of the index, in the root and in folders; gone songs have none")
    func pathsInMemory() async throws {
        let paths = ["a", "B/1", "B/2", "B/c/d/3", "B/e/4", "f/5"]
        let test = try await TestIndex(paths.map { song($0) })
        let numbers = try await test.numbers()
        _ = try await test.index.apply(LibraryChanges(mount: "", removals: ["B/2"]))
        for isInMemory in [false, true] {
            if isInMemory { _ = try await test.index.walk("", detail: .uris, mask: .standard).text() }
            var listing = SongListing(.uris)
            for path in paths.reversed() + paths { listing.append(try #require(numbers[path])) }
            #expect(
                try await test.index.text(of: listing, mask: .standard).lines()
                    == (paths.reversed() + paths).filter { $0 != "B/2" }.map { "file: \($0)" })
        }
    }

    @Test("Songs of a directory come by album, disc, track and name; then the directories as people sort them")
    func walkOrder() async throws {
        let test = try await TestIndex([
            song("B/z.flac", (.album, "Y"), (.track, "2")), song("B/y.flac", (.album, "Y"), (.track, "10")),
            song("B/x.flac", (.album, "Y"), (.disc, "2"), (.track, "1")), song("B/w.flac", (.album, "x")),
            song("B/v.flac"), song("b2/é.flac"), song("b2/f.flac"), song("b2/E.flac"), song("Á/1.flac"),
            song("root.flac"), song("_/1.flac"), song("B/sub/1.flac"), song("10/1.flac"), song("9/1.flac"),
        ])
        #expect(
            try await test.index.walk("", detail: .uris, mask: .standard).lines() == [
                "file: root.flac", "directory: _", "file: _/1.flac", "directory: 10", "file: 10/1.flac",
                "directory: 9", "file: 9/1.flac", "directory: Á", "file: Á/1.flac", "directory: B", "file: B/v.flac",
                "file: B/w.flac", "file: B/z.flac", "file: B/y.flac", "file: B/x.flac", "directory: B/sub",
                "file: B/sub/1.flac", "directory: b2", "file: b2/E.flac", "file: b2/é.flac", "file: b2/f.flac",
            ])
        #expect(
            try await test.index.walk("B", detail: .uris, mask: .standard).lines().suffix(2) == [
                "directory: B/sub", "file: B/sub/1.flac",
            ])
        #expect(try await test.index.walk("B/v.flac", detail: .uris, mask: .standard).lines() == ["file: B/v.flac"])
        let first = try await test.index.songs(try await test.index.queueable(below: "B").prefix(1).map(\.id))
        #expect(first.first??.uri == "B/v.flac")
        #expect(try await test.index.queueable(below: "B").count == 6)
    }

    @Test("lsinfo has songs with their blocks, then directories with the newest time inside")
    func listDirectory() async throws {
        let test = try await TestIndex([
            song("A/b/1.flac", modified: 86_400), song("A/2.flac", modified: 50, (.title, "T"), (.comment, "no")),
            song("A/c/d/3.flac", modified: 951_782_400),
        ])
        #expect(
            try await test.index.listDirectory("A", mask: .standard).text() == """
                file: A/2.flac
                Last-Modified: 1970-01-01T00:00:50Z
                Title: T
                Time: 60
                duration: 60.000
                directory: A/b
                Last-Modified: 1970-01-02T00:00:00Z
                directory: A/c
                Last-Modified: 2000-02-29T00:00:00Z

                """)
        #expect(
            try await test.index.listFolder("A").lines() == [
                "file: 2.flac", "size: 1000", "Last-Modified: 1970-01-01T00:00:50Z", "directory: b",
                "Last-Modified: 1970-01-02T00:00:00Z", "directory: c", "Last-Modified: 2000-02-29T00:00:00Z",
            ])
        #expect(try await test.index.listDirectory("A/b/1.flac", mask: .standard).lines().first == "file: A/b/1.flac")
        for path in ["B", "A/", "A/b/1", "/A"] {
            await #expect(throws: LibraryError(.noSuchDirectory, "No such directory")) {
                _ = try await test.index.listDirectory(path, mask: .standard)
            }
        }
        #expect(try await test.index.kind(of: "A/c") == .directory)
        #expect(try await test.index.kind(of: "") == .directory)
        #expect(try await test.index.kind(of: "A/2.flac") == .song)
        #expect(try await test.index.kind(of: "A/x") == nil)
    }

    private func lists() async throws -> TestIndex {
        try await TestIndex([
            song(
                "1", duration: .milliseconds(1500), (.artist, "B"), (.albumArtist, "Z"), (.album, "X"),
                (.genre, "Rock"), (.genre, "Pop")),
            song("2", duration: .milliseconds(1500), (.artist, "a"), (.album, "X"), (.genre, "Rock")),
            song("3", duration: nil, (.artist, "é"), (.artist, "B"), (.album, "Y")),
            song("4", duration: .seconds(1)),
            song("5", duration: .seconds(1), (.artist, "Z"), (.album, "X")),
        ])
    }

    @Test("list sorts by bytes and prints the empty value of songs without the tag")
    func list() async throws {
        let test = try await lists()
        let index = test.index
        #expect(try await index.list(.artist, filter: .all, groups: []).map(\.value) == ["", "B", "Z", "a", "é"])
        // Z as AlbumArtist of one song and Artist of another is one value.
        #expect(
            try await index.list(.albumArtist, filter: .all, groups: []).map(\.value) == ["", "B", "Z", "a", "é"])
        #expect(
            try await index.list(.genre, filter: .tag(.genre, .equals, "Rock"), groups: []).map(\.value)
                == ["Pop", "Rock"])
        #expect(try await index.list(.conductor, filter: .all, groups: []).map(\.value) == [""])
        #expect(try await index.list(.genre, filter: .tag(.title, .equals, "none"), groups: []).isEmpty)
    }

    @Test("list with groups: the last group is the outermost, as MPD's source has it")
    func groups() async throws {
        let test = try await lists()
        let index = test.index
        func lines(_ tag: MusicModel.Tag, _ groups: [MusicModel.Tag]) async throws -> [String] {
            try await index.list(tag, filter: .all, groups: groups).map {
                ($0.groups + [$0.value]).joined(separator: "|")
            }
        }
        #expect(
            try await lines(.album, [.albumArtist]) == ["|", "B|Y", "Z|X", "a|X", "é|Y"])
        #expect(
            try await lines(.artist, [.genre, .album]) == [
                "||", "|X|Z", "Pop|X|B", "Rock|X|B", "Rock|X|a", "|Y|B", "|Y|é",
            ])
    }

    @Test("count adds whole songs and milliseconds, per value when grouped")
    func count() async throws {
        let test = try await lists()
        let index = test.index
        let all = try await index.count(filter: .all, groups: [])
        #expect(all == [GroupedCount(groups: [], songs: 5, playtime: .seconds(5))])
        let none = try await index.count(filter: .tag(.title, .equals, "x"), groups: [])
        #expect(none == [GroupedCount(groups: [], songs: 0, playtime: .zero)])
        #expect(
            try await index.count(filter: .all, groups: [.album]) == [
                GroupedCount(groups: [""], songs: 1, playtime: .seconds(1)),
                GroupedCount(groups: ["X"], songs: 3, playtime: .seconds(4)),
                GroupedCount(groups: ["Y"], songs: 1, playtime: .zero),
            ])
    }

    @Test("sort is stable, numeric for tracks, by bytes for texts; descending keeps equal songs in order")
    func sorting() async throws {
        let test = try await TestIndex([
            song("1", modified: 30, (.track, "10"), (.title, "b")),
            song("2", modified: 10, (.track, "9"), (.title, "B")),
            song("3", (.track, "9/12"), (.title, "a")), song("4", modified: 10, (.title, "é")),
            song("5", modified: 20, (.albumArtist, "z"), (.artist, "y")), song("6", (.artist, "b"), (.artist, "a")),
        ])
        func sorted(_ key: SongSort.Key, descending: Bool = false, _ window: Range<Int>? = nil) async throws -> String {
            try await test.uris(.all, sort: SongSort(key, isDescending: descending), window: window).joined()
        }
        // The library's own order puts songs without a track first.
        #expect(try await test.uris(.all).joined() == "456231")
        #expect(try await sorted(.tag(.track)) == "456231")
        #expect(try await sorted(.tag(.track), descending: true) == "123456")
        #expect(try await sorted(.tag(.title)) == "562314")
        #expect(try await sorted(.tag(.albumArtist)) == "423165")
        #expect(try await sorted(.tag(.artist)) == "423165")
        #expect(try await sorted(.lastModified) == "634251")
        #expect(try await sorted(.lastModified, descending: true) == "154263")
        #expect(try await sorted(.added) == "456231")
        #expect(try await sorted(.priority, descending: true) == "456231")
        #expect(try await sorted(.tag(.title), 1..<3) == "62")
        #expect(try await sorted(.tag(.title), 4..<100) == "14")
        #expect(try await sorted(.tag(.title), 100..<200) == "")
    }

    @Test("dates are sorted by the year that they name, and within one by their texts")
    func dates() async throws {
        let test = try await TestIndex([
            song("1", (.date, "25.05.1999")), song("2", (.date, "1998-12")), song("3", (.date, "1999")),
            song("4", (.date, "ca. 1720")), song("5", (.date, "20010203")), song("6"),
        ])
        func sorted(_ isDescending: Bool) async throws -> String {
            try await test.uris(.all, sort: SongSort(.tag(.date), isDescending: isDescending), window: nil).joined()
        }
        #expect(try await sorted(false) == "642315")
        #expect(try await sorted(true) == "513246")
        #expect(try await test.uris(.tag(.date, .equals, "25.05.1999")).joined() == "1")
    }

    @Test("Statistics count distinct values and the time of all songs")
    func statistics() async throws {
        let test = try await lists()
        let statistics = try await test.index.statistics()
        #expect(statistics.artists == 4)
        #expect(statistics.albums == 2)
        #expect(statistics.songs == 5)
        #expect(statistics.playtime == .seconds(5))
        #expect(statistics.updated > 1_600_000_000)
    }

    @Test("Blocks are left out line by line for clients that chose their tags")
    func masks() async throws {
        let test = try await TestIndex([
            song(
                "1", (.artist, "A"), (.title, "Artist: no"), (.album, "X"), (.comment, "c"), (.musicBrainzTrackID, "m"))
        ])
        func lines(_ mask: TagMask) async throws -> [String] {
            try await test.index.find(SongQuery(.all), mask: mask).lines()
        }
        #expect(try await lines(TagMask(.title)) == ["file: 1", "Title: Artist: no", "Time: 60", "duration: 60.000"])
        #expect(try await lines([]) == ["file: 1", "Time: 60", "duration: 60.000"])
        #expect(try await lines(.standard).contains("MUSICBRAINZ_TRACKID: m"))
        #expect(try await !lines(.standard).contains("Comment: c"))
        #expect(try await lines(.everything).contains("Comment: c"))
        #expect(
            try await lines([TagMask(.comment), TagMask(.album)]) == [
                "file: 1", "Album: X", "Comment: c", "Time: 60", "duration: 60.000",
            ])
    }

    @Test("Answers longer than a piece come whole, and survive songs that vanish meanwhile")
    func longAnswers() async throws {
        let many = (0..<3000).map {
            song("d\($0 / 100)/\($0)", (.title, String(repeating: "x", count: 300)), (.track, "\($0)"))
        }
        let test = try await TestIndex(many)
        let cursor = try await test.index.walk("", detail: .blocks, mask: .standard)
        let first = try #require(try await cursor.next())
        #expect(first.count > 50_000 && first.count < 70_000)
        _ = try await test.index.apply(
            LibraryChanges(mount: "", removals: (1500..<3000).map { "d\($0 / 100)/\($0)" }))
        var rest: [UInt8] = []
        while let piece = try await cursor.next() { rest += piece }
        let uris = String(decoding: first + rest, as: UTF8.self).split(separator: "\n").compactMap {
            String($0).value(of: "file")
        }
        #expect(uris.count >= 1500 && uris.count < 3000)
        #expect(Set(uris).count == uris.count)
        #expect(Set(uris).isSuperset(of: (0..<1500).map { "d\($0 / 100)/\($0)" }))
    }

    @Test("A listing says where entries stand, has songs that are gone as they were last, and texts of its own")
    func listing() async throws {
        let test = try await TestIndex((1...300).map { song("\($0)", (.track, "\($0)")) })
        let ids = try await test.index.queueable(below: "").map(\.id)
        _ = try await test.index.apply(LibraryChanges(mount: "", removals: ["7"]))
        for (count, isInMemory) in [(20, false), (300, false), (300, true)] {
            // Reads the names of all songs, which stay in memory.
            if isInMemory { _ = try await test.index.walk("", detail: .uris, mask: .standard).text() }
            let wanted = Array(ids.prefix(count))
            var entries = SongListing(.entries, count: count)
            var uris = SongListing(.numberedURIs)
            for (place, id) in wanted.enumerated() {
                if place == 2 {
                    entries.append(text: Array("file: http://a\n".utf8))
                    uris.append(text: Array("file: http://a\n".utf8))
                } else {
                    entries.append(id)
                    uris.append(id)
                }
                entries.place(
                    at: 10 * place, id: QueueEntryID(rawValue: UInt32(place + 1)), priority: place == 3 ? 5 : 0)
            }
            let blocks = try await test.index.text(of: entries, mask: TagMask(.track)).text()
            let names = (0..<count).map { $0 == 2 ? "http://a" : "\($0 + 1)" }
            var expected = ""
            for (place, name) in names.enumerated() {
                expected += "file: \(name)\n"
                if place != 2 { expected += "Track: \(name)\nTime: 60\nduration: 60.000\n" }
                expected += "Pos: \(10 * place)\nId: \(place + 1)\n"
                if place == 3 { expected += "Prio: 5\n" }
            }
            #expect(blocks == expected)
            let lines = try await test.index.text(of: uris, mask: .standard).text()
            #expect(lines == names.enumerated().map { "\($0):file: \($1)\n" }.joined())
            // A playlist hides them.
            for form in [SongListing.Form.songs, .uris] {
                var list = SongListing(form)
                for id in wanted { list.append(id) }
                let lines = try await test.index.text(of: list, mask: .standard).lines()
                #expect(lines.count { $0.hasPrefix("file: ") } == count - 1 && !lines.contains("file: 7"))
            }
        }
    }

    @Test(
        "Numbered lines go on wherever a piece of the answer ends", .timeLimit(.minutes(5)), arguments: [4_000, 6_000]
    )
    func endsOfPieces(count: Int) async throws {
        let name = "one song of many"
        let test = try await TestIndex([song(name)])
        let id = try #require(try await test.index.queueable(below: "").map(\.id).first)
        for shift in 0..<"1000:file: \(name)\n".utf8.count {
            var uris = SongListing(.numberedURIs)
            let first = String(repeating: "x", count: shift + 1)
            uris.append(text: Array("\(first)\n".utf8))
            for _ in 0..<count { uris.append(id) }
            let lines = try await test.index.text(of: uris, mask: .standard).text()
            #expect(lines == "0:\(first)\n" + (1...count).map { "\($0):file: \(name)\n" }.joined())
        }
    }
}
