import LibraryIndex
import Logging
import MusicModel
import Subsonic
import SyncBench
import TestSupport
import Testing
import UserLibrary

@testable import Sync

@Suite("Cue sheets in the tags and lyrics of a server's songs")
struct TaggedSheetsTests {
    private static func sheet(
        _ starts: [String] = ["00:00:00", "20:00:00", "40:00:37"], files: [String] = ["CDImage.wav"]
    ) -> String {
        "PERFORMER \"Band\"\nTITLE \"The Disc\"\n" + files.map { "FILE \"\($0)\" WAVE\n" }.joined()
            + starts.enumerated().map { "TRACK \($0 + 1) AUDIO\nTITLE \"T\($0 + 1)\"\nINDEX 01 \($1)\n" }.joined()
    }

    /// Songs of which the third is an hour long.
    private static func library(_ sheet: String? = sheet(), seconds: Int = 3600) -> FakeLibrary {
        var library = FakeLibrary(songs: 10, seed: 1)
        library.edit(2) { song in
            song.duration = seconds
            song.title = "Whole"
            if let sheet { song.tags["cuesheet"] = sheet }
        }
        return library
    }

    private func titles(_ bench: ServerBench) async throws -> [String] {
        let songs = try await bench.library.allSongs()
        return songs.values.compactMap { $0.first(.title) }.filter { ["T1", "T2", "T3", "Whole"].contains($0) }.sorted()
    }

    private static let tracks = ["T1", "T2", "T3"]

    /// Sheets of no use, with the length of their song and a word of the warning about them.
    private static let unfitSheets: [(String, Int, String?)] = [
        (sheet(["00:00:00", "60:00:00"]), 3600, nil), (sheet(["00:00:00"]), 3600, nil),
        ("Words\nof a song", 3600, nil), (sheet(), 800, nil), ("TRACK 01 AUDIO\nINDEX 01 00:00:00\n", 3600, nil),
        (sheet(files: ["a.wav", "b.wav"]), 3600, "2 files"),
        (sheet(["00:00:00", "50:00:00", "40:00:00"]), 3600, "does not begin behind"),
        (sheet(["00:00:00", "10:00:00", "4O:00"]), 3600, "is no time"),
        (sheet((0..<1000).map { "00:\($0 / 75):\($0 % 75)" }), 3600, "1000 tracks"),
        (String((sheet() + String(repeating: "REM x\n", count: 999)).prefix(1024)), 3600, "MaxLength"),
    ]

    private func syncs(_ bench: ServerBench) async throws -> [String] {
        bench.server.forgetRequests()
        _ = try await bench.sync.syncOnce()
        return bench.calls
    }

    @Test("a sheet in a tag makes tracks of the song that is the disc, for one request at a sync that walks")
    func tag() async throws {
        let bench = try await ServerBench(library: Self.library(), hearsEvents: true)
        let calls = try await syncs(bench)
        let lists = bench.server.requests.filter { $0.call == "song" }.map { $0["_sort"] }
        #expect(calls.filter { $0 == "login" }.count == 1 && lists.filter { $0 == "duration" }.count == 1)
        #expect(try await titles(bench) == Self.tracks)
        let disc = bench.server.songs[2]
        let place = disc.path.dropLast(4) + ".cue"
        let track = try #require(try await bench.library.index.song(at: "\(place)/track0002"))
        #expect(track.first(.album) == "The Disc" && track.first(.albumArtist) == "Band")
        #expect(track.wholeURI == disc.path)
        #expect(track.duration == .milliseconds(1_200_493))
        let whole = try #require(try await bench.library.index.song(at: disc.path))
        #expect(whole.first(.title) == "Whole" && whole.duration == .seconds(3600))
        #expect(try await bench.library.index.statistics().songs == 12)
        // Nothing changed: nothing is asked for.
        #expect(try await syncs(bench).contains("song") == false)
        // Another sheet, then none.
        bench.server.edit(disc.id) { $0.tags["cuesheet"] = Self.sheet(["00:00:00", "30:00:00"]) }
        #expect(try await syncs(bench).filter { $0 == "song" }.count == 1)
        #expect(try await titles(bench) == ["T1", "T2"])
        bench.server.edit(disc.id) { $0.tags = [:] }
        _ = try await syncs(bench)
        #expect(try await titles(bench) == ["Whole"])
        #expect(try await bench.library.index.statistics().songs == 10)
        await bench.stop()
    }

    @Test("lyrics may be a sheet; other lyrics, and those of short songs, are not looked at")
    func lyrics() async throws {
        let bench = try await ServerBench(library: Self.library(nil), hearsEvents: true)
        let songs = bench.server.songs
        let lines = Self.sheet().split(separator: "\n").map { (Int64?.none, String($0)) }
        bench.server.setLyrics(of: songs[2].id, FakeLyrics([(nil, "la"), (nil, "la")]), FakeLyrics(lines))
        bench.server.setLyrics(of: songs[3].id, FakeLyrics(lines))
        _ = try await syncs(bench)
        #expect(try await titles(bench) == Self.tracks)
        #expect(try await bench.library.index.statistics().songs == 12)
        await bench.stop()
    }

    @Test("a sheet in the user's folder wins, and that in the tag is back without it")
    func folder() async throws {
        let folder = try TemporaryFolder()
        var settings = ServerBench.settings
        settings.server.cueFolder = folder.path
        let bench = try await ServerBench(library: Self.library(), settings: settings, hearsEvents: true)
        try folder.write("Whole.cue", Self.sheet(["00:00:00", "30:00:00"]), modified: 2000)
        _ = try await syncs(bench)
        #expect(try await titles(bench) == ["T1", "T2"])
        try folder.remove("Whole.cue")
        _ = try await syncs(bench)
        #expect(try await titles(bench) == Self.tracks)
        await bench.stop()
    }

    @Test(
        "what can't be a disc's sheet leaves the song as it is, and is told where it is one",
        arguments: unfitSheets)
    func unfit(sheet: String, seconds: Int, warning: String?) async throws {
        let bench = try await ServerBench(library: Self.library(sheet, seconds: seconds), hearsEvents: true)
        _ = try await syncs(bench)
        #expect(try await titles(bench) == ["Whole"])
        let told = bench.log.all.filter { $0.contains("the cue sheet in a tag of \"Whole\"") }
        #expect(told.count == (warning == nil ? 0 : 1) && warning.map { told[0].contains($0) } ?? true, "\(told)")
        await bench.stop()
    }

    @Test("tracks stay while the server tells no sheets, which is tried again without a walk")
    func outage() async throws {
        let bench = try await ServerBench(library: Self.library(), hearsEvents: true)
        _ = try await syncs(bench)
        for fault in [FakeFault.Mode.http500, .html, .garbage, .rateLimited(retryAfter: nil), .down] {
            try await bench.server.setFaults(FakeFault(fault, match: "song"))
            bench.server.change { $0.touch(10) }
            #expect(try await syncs(bench).contains("search3"))
            #expect(try await titles(bench) == Self.tracks, "\(fault)")
            let calls = try await syncs(bench)
            #expect(calls.contains("song") && !calls.contains("search3"), "\(fault)")
            try await bench.server.setFaults()
            // The sheets are the same as before.
            let after = try await syncs(bench)
            #expect(after.filter { $0 == "song" }.count == 1 && !after.contains("search3"), "\(fault)")
            #expect(try await syncs(bench).contains("song") == false, "\(fault)")
        }
        let told = bench.log.all.filter { $0.hasPrefix("info: cue sheets in the server's tags can't be read") }
        #expect(told.count >= 5)
        await bench.stop()
    }

    @Test("a sheet that could not be read at first is found at a later look, without a scan")
    func late() async throws {
        let bench = try await ServerBench(library: Self.library(), hearsEvents: true)
        try await bench.server.setFaults(FakeFault(.status(503), match: "song"))
        _ = try await syncs(bench)
        #expect(try await titles(bench) == ["Whole"])
        try await bench.server.setFaults()
        #expect(try await syncs(bench).contains("search3"))
        #expect(try await titles(bench) == Self.tracks)
        await bench.stop()
    }

    @Test("a server without such lists, or one that sends elsewhere, is asked once a walk, and songs stay songs")
    func others() async throws {
        for fault in [FakeFault.Mode.status(404), .status(302), .status(403)] {
            let bench = try await ServerBench(library: Self.library(), hearsEvents: true)
            try await bench.server.setFaults(FakeFault(fault, match: "song"))
            _ = try await syncs(bench)
            #expect(try await titles(bench) == ["Whole"], "\(fault)")
            #expect(try await syncs(bench).contains("song") == false, "\(fault)")
            await bench.stop()
        }
        var options = FakeOptions()
        options.kind = .supysonic
        let bench = try await ServerBench(library: Self.library(), options: options, hearsEvents: true)
        #expect(try await syncs(bench).filter { $0 == "login" }.count == 1)
        #expect(try await titles(bench) == ["Whole"])
        await bench.stop()
    }

    @Test("a list of more bytes than are taken is asked for once a walk")
    func tooLarge() async throws {
        let text = String(repeating: "x", count: 25 << 20)
        let bench = try await ServerBench(library: Self.library(text), hearsEvents: true)
        #expect(try await syncs(bench).contains("song"))
        #expect(try await titles(bench) == ["Whole"])
        #expect(try await syncs(bench).contains("song") == false)
        await bench.stop()
    }

    @Test("tracks stay without anything to sign in with, and what changed meanwhile is found when there is again")
    func signedOut() async throws {
        let bench = try await ServerBench(library: Self.library(), hearsEvents: true)
        _ = try await syncs(bench)
        let client = SubsonicClient(
            SubsonicSettings(
                url: bench.server.url, username: "admin", credential: SubsonicSettings.makeToken(password: "secret"),
                timeouts: .init(connect: .seconds(600), answer: .seconds(600), idle: .seconds(600))),
            log: bench.log.logger)
        let signedOut = LibrarySync(
            library: bench.library,
            server: ServerSource(mount: "", client: client, session: NavidromeSession(client)),
            settings: ServerBench.settings, observer: bench.recorder.observer, logger: bench.log.logger)
        bench.server.edit(bench.server.songs[2].id) { $0.tags = [:] }
        bench.server.forgetRequests()
        _ = try await signedOut.syncOnce()
        _ = try await signedOut.syncOnce()
        #expect(bench.calls.contains("search3") && !bench.calls.contains("song") && !bench.calls.contains("login"))
        #expect(try await titles(bench) == Self.tracks)
        _ = try await syncs(bench)
        #expect(try await titles(bench) == ["Whole"])
        await client.shutDown()
        await bench.stop()
    }

    @Test("switched off, nothing is asked for")
    func off() async throws {
        var settings = ServerBench.settings
        settings.server.readsTaggedSheets = false
        let bench = try await ServerBench(library: Self.library(), settings: settings, hearsEvents: true)
        let calls = try await syncs(bench)
        #expect(!bench.server.requests.contains { $0.call == "song" && $0["_sort"] == "duration" })
        #expect(calls.filter { $0 == "login" }.count == 1)
        #expect(try await titles(bench) == ["Whole"])
        await bench.stop()
    }

    @Test("what was kept is the same again, and what is no such text is nothing")
    func kept() throws {
        #expect(TaggedSheets().kept == nil)
        let text = "{\"a\":\"FILE x WAVE\\nTRACK 1 AUDIO\\nINDEX 01 00:00:00\\nTRACK 2 AUDIO\\nINDEX 01 00:05:00\"}"
        #expect(TaggedSheets(kept: text).kept == text)
        for other in [nil, "", "none", "[]", "{\"a\":5}", "{\"a\":\"words\"}"] {
            #expect(TaggedSheets(kept: other).kept == nil)
        }
    }
}
