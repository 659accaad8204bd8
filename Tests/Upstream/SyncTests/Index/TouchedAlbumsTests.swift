import LibraryIndex
import LibrarySamples
import MusicModel
import Subsonic
import SyncBench
import TestSupport
import Testing
import UserLibrary

@testable import Sync

@Suite("Changes that a Navidrome tells album by album")
struct TouchedAlbumsTests {
    /// The calls of a look that finds nothing, and of the exchange that follows on each sync.
    private static let looks: Set = ["getMusicFolders", "getScanStatus", "getPlaylists", "getInternetRadioStations"]

    /// Syncs, and counts the requests beyond those.
    private func requests(_ bench: ServerBench) async throws -> [String] {
        bench.server.forgetRequests()
        _ = try await bench.sync.syncOnce()
        return bench.calls.filter { !Self.looks.contains($0) }
    }

    /// A change of one song, or of none.
    private static let changes: [(String, @Sendable (inout FakeLibrary) -> [Int])] = [
        ("retagged", { $0.touch(1) }), ("new", { $0.add(1) }), ("moved", { $0.move(1) }), ("gone", { $0.remove(1) }),
        ("back", { $0.restore(1) }), ("nothing", { _ in [] }),
        (
            "another album",
            {
                $0.edit(7) { $0.album = "Elsewhere" }
                return [7]
            }
        ),
    ]

    @Test("one song that came, changed, moved or went costs four requests at most")
    func oneSong() async throws {
        let bench = try await ServerBench(hearsEvents: true)
        let everything = try await requests(bench).count
        #expect(everything > 25)
        for (name, change) in Self.changes {
            let ids = bench.server.change(change)
            let calls = try await requests(bench)
            #expect(!calls.contains("search3") && calls.count <= 4, "\(name): \(calls)")
            #expect(try await bench.isInStep(), "\(name)")
            if ids.isEmpty { #expect(calls == ["album"]) }
        }
        await bench.stop()
    }

    @Test("a song of a library that the user doesn't see costs two requests at most, and a walk then is not repeated")
    func hiddenLibrary() async throws {
        var library = FakeLibrary(songs: 120)
        for place in 60..<120 { library.edit(place) { $0.libraryID = 2 } }
        let bench = try await ServerBench(library: library, hearsEvents: true)
        bench.server.libraries = [1]
        _ = try await bench.sync.syncOnce()
        let changes: [@Sendable (inout FakeLibrary) -> Void] = [
            { $0.edit(80) { $0.title += "!" } }, { $0.edit(80) { $0.isMissing = true } },
            { $0.edit(80) { $0.isMissing = false } },
            { library in
                let places = library.add(1)
                for place in places { library.edit(place) { $0.libraryID = 2 } }
            },
        ]
        for (number, change) in changes.enumerated() {
            bench.server.change { library in
                change(&library)
                return [number == 3 ? library.songs.count - 1 : 80]
            }
            let calls = try await requests(bench)
            #expect(!calls.contains("search3") && calls.count <= 2, "\(number): \(calls)")
            #expect(try await bench.library.allSongs().count == bench.server.songs(of: "admin").count)
        }
        bench.server.forgetRequests()
        bench.server.change { $0.remove(1) + $0.touch(40) }
        _ = try await bench.sync.syncOnce()
        #expect(bench.calls.filter { $0 == "getScanStatus" }.count == 2)
        #expect(try await bench.library.allSongs().count == bench.server.songs(of: "admin").count)
        await bench.stop()
    }

    @Test("one song of 20,000 costs four requests in place of a hundred", .enabled(if: testsEverything))
    func oneOfMany() async throws {
        var settings = ServerBench.settings
        (settings.pageSize, settings.firstSyncBatch) = (500, 4_000)
        let bench = try await ServerBench(
            library: FakeLibrary(catalogue: 20_000), settings: settings, hearsEvents: true)
        let whole = try await requests(bench)
        let wholeBytes = bench.server.bytesSent
        bench.server.change { $0.touch(1) }
        let part = try await requests(bench)
        #expect(whole.count > 90 && part.count <= 4)
        #expect(bench.server.bytesSent < 100_000 && bench.server.bytesSent < wholeBytes / 1000)
        await bench.stop()
    }

    @Test("songs that are read by their albums are the same as those that are read all together")
    func sameAsAll() async throws {
        let bench = try await ServerBench(songs: 120, hearsEvents: true)
        let state = try TemporaryFolder()
        let library = try Library(path: state.path + "/segue.db")
        let other = LibrarySync(
            library: library,
            server: ServerSource(mount: "", client: bench.client, session: NavidromeSession(bench.client)),
            settings: ServerBench.settings, logger: bench.log.logger)
        for (name, change) in Self.changes + Self.changes {
            bench.server.change(change)
            _ = try await bench.sync.syncOnce()
            _ = try await other.syncOnce(force: true)
            let (one, two) = (try await bench.library.allSongs(), try await library.allSongs())
            #expect(Set(one.keys) == Set(two.keys), "\(name)")
            for (path, song) in one { #expect(song.tags == two[path]?.tags, "\(name): \(path)") }
        }
        // A walk of everything finds nothing that the parts did not.
        #expect(try await !bench.sync.syncOnce(force: true).changedSongs)
        await bench.stop()
    }

    @Test("everything is read where the songs don't add up, many albums changed, or a backup came back")
    func doubts() async throws {
        let bench = try await ServerBench(hearsEvents: true)
        _ = try await bench.sync.syncOnce()
        // A song that the server forgot touches no album.
        bench.server.change { library in
            library.forget(3)
            return []
        }
        #expect(try await requests(bench).contains("search3"))
        #expect(try await bench.isInStep())
        bench.server.change { $0.touch(200) }
        #expect(try await requests(bench).contains("search3"))
        #expect(try await bench.isInStep())
        bench.server.backUp()
        bench.server.change { $0.touch(1) }
        #expect(try await !requests(bench).contains("search3"))
        bench.server.recover()
        #expect(try await requests(bench).contains("search3"))
        #expect(try await bench.isInStep())
        await bench.stop()
    }

    @Test("everything is read while the server's own API fails, once a day, and for a rescan", arguments: 0..<5)
    func withoutTrust(reason: Int) async throws {
        let bench = try await ServerBench(songs: 130, hearsEvents: true)
        _ = try await bench.sync.syncOnce()
        switch reason {
        case 0: try await bench.server.setFaults(FakeFault(.http500, match: "album"))
        case 1: try await bench.server.setFaults(FakeFault(.html, match: "artist"))
        case 2: try await bench.library.setFact("sync..all", "1000")
        case 3: try await bench.library.setFact("sync..all", "99999999999999")
        default: break
        }
        bench.server.change { $0.touch(1) }
        bench.server.forgetRequests()
        _ = try await bench.sync.syncOnce(force: reason == 4)
        #expect(bench.calls.contains("search3"))
        #expect(try await bench.isInStep())
        await bench.stop()
    }
}

@Suite("Tags that only Navidrome's own API tells")
struct OwnTagsTests {
    private static let own = [
        "date": "1997-09-22", "originalDate": "1996-05", "sortTitle": "Hunter, The", "sortAlbumName": "Debut, The",
        "sortArtistName": "Sigurdsdottir, Bjork", "sortAlbumArtistName": "Sigurdsdottir, B.",
        "mbzReleaseTrackId": "000007d2-1111-4222-8333-000000f1e90e",
        "mbzReleaseGroupId": "00001388-1111-4222-8333-0000025c2bf8",
    ]

    private static func library() -> FakeLibrary {
        var library = FakeLibrary(songs: 60)
        library.edit(4) { song in
            (song.own, song.fraction, song.title) = (own, 0.04, "The Hunter")
        }
        return library
    }

    private func song(_ bench: ServerBench) async throws -> Song {
        try #require(try await bench.library.index.song(at: bench.server.songs[4].path))
    }

    private func hasOwn(_ song: Song) -> Bool {
        func values(_ tag: MusicModel.Tag) -> [String] { song.tags.filter { $0.tag == tag }.map(\.value) }
        return values(.date) == ["1997-09-22"] && values(.originalDate) == ["1996-05"]
            && values(.titleSort) == ["Hunter, The"] && values(.albumSort) == ["Debut, The"]
            && values(.artistSort) == ["Sigurdsdottir, Bjork"] && values(.albumArtistSort) == ["Sigurdsdottir, B."]
            && values(.musicBrainzReleaseTrackID) == [Self.own["mbzReleaseTrackId"] ?? ""]
            && values(.musicBrainzReleaseGroupID) == [Self.own["mbzReleaseGroupId"] ?? ""]
    }

    @Test("a song has the sort names, dates, ids, time and length that stand in its file")
    func tags() async throws {
        let bench = try await ServerBench(library: Self.library(), hearsEvents: true)
        _ = try await bench.sync.syncOnce()
        let song = try await song(bench)
        #expect(hasOwn(song))
        #expect(song.duration == .milliseconds(bench.server.songs[4].duration * 1000 + 40))
        #expect(song.lastModified == bench.server.songs[4].modified)
        // By themselves these songs have none.
        let other = try #require(try await bench.library.index.song(at: bench.server.songs[5].path))
        #expect(!other.tags.contains { [.titleSort, .artistSort, .musicBrainzReleaseTrackID].contains($0.tag) })
        await bench.stop()
    }

    @Test("they stay while that API is out of reach, and unchanged songs are not written for it")
    func outage() async throws {
        let bench = try await ServerBench(library: Self.library(), hearsEvents: true)
        _ = try await bench.sync.syncOnce()
        for fault in [FakeFault.Mode.http500, .garbage, .down, .html] {
            try await bench.server.setFaults(FakeFault(fault, match: "song"), FakeFault(fault, match: "album"))
            bench.server.scan()
            bench.recorder.reset()
            #expect(try await !bench.sync.syncOnce().changedSongs, "\(fault)")
            #expect(bench.recorder.now.subsystems.isEmpty)
            // What changes meanwhile has what the Subsonic API tells.
            let id = bench.server.songs[4].id
            bench.server.edit(id) { $0.title += "!" }
            #expect(try await bench.sync.syncOnce().updated == 1)
            #expect(try await song(bench).first(.title) == bench.server.songs[4].title)
            try await bench.server.setFaults()
            bench.server.scan()
            #expect(try await bench.sync.syncOnce().updated == 1)
            #expect(hasOwn(try await song(bench)), "\(fault)")
        }
        await bench.stop()
    }

    @Test("servers without that API go on as before")
    func others() async throws {
        var options = FakeOptions()
        options.kind = .supysonic
        let bench = try await ServerBench(library: Self.library(), options: options, hearsEvents: true)
        _ = try await bench.sync.syncOnce()
        #expect(try await bench.isInStep())
        bench.server.change { $0.touch(1) }
        #expect(try await bench.sync.syncOnce().updated == 1)
        // It is not signed in to again for each list, and nothing is complained of.
        #expect(bench.calls.filter { $0 == "login" }.count == 1)
        #expect(!bench.log.all.contains { $0.contains("own API") && !$0.hasPrefix("debug") })
        await bench.stop()
    }

    @Test("details are the same again once they are unpacked", arguments: [true, false])
    func packing(isEmpty: Bool) {
        var details = NavidromeDetails()
        if !isEmpty {
            (details.duration, details.modified) = (.milliseconds(16_040), 1_795_223_324)
            (details.originalDate, details.albumSort, details.releaseTrackID) = ("1996-05", "Debut, Thé", "7d2")
        }
        var packed = PackedDetails()
        packed["a"] = details
        #expect(packed["a"] == details && packed["b"] == nil)
        packed["a"] = nil
        #expect(packed["a"] == nil)
    }

    @Test(
        "the date is the one in the file, which Navidrome calls the release's where there is an earlier one",
        arguments: [
            ("2004", nil, nil, "2004"), ("1971-05-01", "1971-05-01", "2004-03-02", "2004-03-02"),
            ("1971", "1971", nil, "1971"), ("1999", "1971", "2004", "1999"), (nil, nil, nil, nil),
        ] as [(String?, String?, String?, String?)])
    func fileDate(date: String?, original: String?, release: String?, expected: String?) {
        var details = NavidromeDetails()
        (details.date, details.originalDate, details.releaseDate) = (date, original, release)
        #expect(details.fileDate == expected)
    }
}
