@testable import Sync
import LibrarySamples
import MusicModel
import Subsonic
import SyncBench
import TestSupport
import Testing
import UserLibrary

@Suite("What listeners attached to songs survives changes on the server")
struct DeltaTests {
    /// Gives some songs a sticker and puts them into a playlist of our own.
    private func mark(_ bench: ServerBench, _ ids: [SongID]) async throws {
        for (place, id) in ids.enumerated() {
            _ = try await bench.library.setSticker("mood", of: .song(id), to: "mood \(place)")
        }
        try await bench.library.saveStoredPlaylist("Ours", ids.map { .song($0) }, mode: .create)
    }

    private func moods(_ bench: ServerBench, _ ids: [SongID]) async throws -> [String?] {
        var moods: [String?] = []
        for id in ids { moods.append(try await bench.library.sticker("mood", of: .song(id))) }
        return moods
    }

    private func playlist(_ bench: ServerBench) async throws -> [SongID] {
        try await bench.library.storedPlaylist("Ours").compactMap { if case .song(let id) = $0 { id } else { nil } }
    }

    @Test("moves, retags and new ids keep stickers and playlist entries, and clients see the new paths")
    func moved() async throws {
        let bench = try await ServerBench(songs: 60)
        _ = try await bench.sync.syncOnce()
        let ids = Array(try await bench.idsByServerID().values.sorted().prefix(60))
        try await mark(bench, ids)
        let expected = ids.indices.map { Optional("mood \($0)") }
        let steps: [@Sendable (inout FakeLibrary) -> [Int]] = [
            { $0.move(30) }, { $0.touch(30) }, { $0.rebuild() },
        ]
        for step in steps {
            bench.server.change(step)
            _ = try await bench.sync.syncOnce()
            #expect(try await bench.isInStep())
            #expect(try await moods(bench, ids) == expected)
            #expect(try await playlist(bench) == ids)
        }
        await bench.stop()
    }

    @Test("a lost song leaves playlists, and is back in its place with its sticker when it is restored")
    func restored() async throws {
        let bench = try await ServerBench(songs: 60)
        _ = try await bench.sync.syncOnce()
        let numbers = try await bench.idsByServerID()
        let ids = numbers.values.sorted()
        try await mark(bench, ids)
        let removed = Set(bench.server.change { $0.remove(20) }.compactMap { numbers[$0] })
        _ = try await bench.sync.syncOnce()
        #expect(bench.recorder.now.removed == removed)
        #expect(try await playlist(bench) == ids.filter { !removed.contains($0) })
        bench.server.change { $0.restore(20) }
        _ = try await bench.sync.syncOnce()
        #expect(try await playlist(bench) == ids)
        #expect(try await moods(bench, ids) == ids.indices.map { "mood \($0)" })
        await bench.stop()
    }

    @Test("a rebuilt server's songs are known by MusicBrainz id, by path, and by artist, album, title and duration")
    func rebuiltAndMoved() async throws {
        var songs = [
            FakeSong(id: "m", title: "By recording"), FakeSong(id: "p", title: "By path", duration: 7),
            FakeSong(id: "t", title: "By tags", duration: 200), FakeSong(id: "x", title: "Another one", duration: 9),
        ]
        songs[0].musicBrainzID = "0d79da79-32c4-4a93-9be6-5a5a7f34c4f1"
        let bench = try await ServerBench(library: FakeLibrary(songs))
        _ = try await bench.sync.syncOnce()
        let before = try await bench.idsByServerID()
        bench.server.change { library in
            let places = library.rebuild()
            library.edit(places[0]) {
                $0.path = "New/recording.flac"
                $0.title = "Retitled"
            }
            library.edit(places[1]) { $0.title = "Retitled, too" }
            library.edit(places[2]) { $0.path = "New/tags.flac" }
            library.edit(places[3]) {
                $0.path = "New/other.flac"
                $0.title = "Nothing is as it was"
            }
            return places
        }
        _ = try await bench.sync.syncOnce()
        let after = try await bench.library.allSongs()
        #expect(after["New/recording.flac"]?.id == before["m"])
        #expect(after[songs[1].path]?.id == before["p"])
        #expect(after["New/tags.flac"]?.id == before["t"])
        #expect(after["New/other.flac"]?.id != before["x"])
        #expect(bench.recorder.now.removed == Set([before["x"]].compactMap { $0 }))
        await bench.stop()
    }

    @Test("a server with a new, still empty database has not lost its songs")
    func emptyDatabase() async throws {
        let bench = try await ServerBench(songs: 60)
        _ = try await bench.sync.syncOnce()
        let ids = try await bench.library.allIDs()
        bench.server.setAnswer(
            of: "getScanStatus",
            Array(
                #"""
                {"subsonic-response":{"status":"ok","version":"1.16.1","type":"navidrome","openSubsonic":true,\#
                "scanStatus":{"scanning":false,"count":0,"lastScan":"0001-01-01T00:00:00Z"}}}
                """#.utf8))
        await #expect(throws: SyncPostponed.self) { try await bench.sync.syncOnce() }
        #expect(try await bench.library.allIDs() == ids)
        bench.server.setAnswer(of: "getScanStatus", nil)
        bench.server.change { $0.rebuild() }
        _ = try await bench.sync.syncOnce()
        #expect(try await bench.library.allIDs() == ids)
        await bench.stop()
    }

    @Test("update syncs, too, when the user may not have the server scan")
    func updateWithoutRight() async throws {
        var settings = ServerBench.settings
        (settings.server.interval, settings.scanCheckInterval) = (.seconds(3_600), .seconds(3_600))
        let bench = try await ServerBench(songs: 60, settings: settings)
        bench.server.mayScan = false
        try await bench.whileRunning {
            try await eventually("the first sync") { try await bench.isInStep() && bench.sync.runningJob == nil }
            bench.server.change { $0.touch(3) }
            _ = bench.sync.startUpdate(uri: "", rescan: false)
            try await eventually("the touched songs") { try await bench.isInStep() }
            #expect(bench.log.all.contains { $0.contains("can't have the server scan its files") })
            #expect(await bench.sync.connectionStatus == .connected)
        }
    }

    @Test("two indexes of one account show the same after every change")
    func twoIndexes() async throws {
        let bench = try await ServerBench(songs: 120)
        let state = try TemporaryFolder()
        let library = try Library(path: state.path + "/segue.db")
        let other = LibrarySync(
            library: library, server: ServerSource(mount: "", client: bench.client), settings: ServerBench.settings,
            logger: bench.log.logger)
        let steps: [@Sendable (inout FakeLibrary) -> [Int]] = [
            { $0.add(5) }, { $0.remove(9) }, { $0.move(9) }, { $0.touch(9) }, { $0.restore(3) }, { $0.rebuild() },
        ]
        for step in steps {
            bench.server.change(step)
            _ = try await bench.sync.syncOnce()
            _ = try await other.syncOnce()
            let (one, two) = (try await bench.library.allSongs(), try await library.allSongs())
            #expect(Set(one.keys) == Set(two.keys))
            #expect(one.allSatisfy { $0.value.tags == two[$0.key]?.tags })
        }
        await bench.stop()
    }
}
