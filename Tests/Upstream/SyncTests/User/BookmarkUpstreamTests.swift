@testable import Sync
import MusicModel
import Subsonic
import SyncBench
import Synchronization
import TestSupport
import Testing
import UserLibrary

@Suite("Bookmarks on the server")
struct BookmarkUpstreamTests {
    /// Runs a test with a synced library.
    private func synced(
        options: FakeOptions = FakeOptions(),
        clock: VirtualClock = VirtualClock(),
        _ body: (ServerBench, BookmarkUpstream, [String: SongID]) async throws -> Void
    ) async throws {
        let bench = try await ServerBench(songs: 4, options: options)
        _ = try await bench.sync.syncOnce()
        let upstream = BookmarkUpstream(
            library: bench.library, client: bench.client, clock: clock, logger: bench.log.logger)
        try await body(bench, upstream, try await bench.idsByServerID())
        await bench.stop()
    }

    @Test("what is set here comes to the server, and what is removed goes there")
    func sending() async throws {
        try await synced { bench, upstream, ids in
            let (server, song) = (bench.server.songs[0].id, try #require(ids[bench.server.songs[0].id]))
            #expect(try await upstream.push() == false)
            try await bench.library.setBookmark(song, .milliseconds(61_234), at: 1)
            try await bench.library.setBookmark(song, .milliseconds(121_234), at: 2)
            #expect(try await upstream.push())
            #expect(bench.server.bookmarks.map(\.position) == [121_234])
            #expect(bench.server.bookmarks.map(\.songID) == [server])
            #expect(try await upstream.push() == false)
            #expect(bench.calls.filter { $0 == "createBookmark" }.count == 1)
            #expect(try await upstream.pull() == false)
            try await bench.library.setBookmark(song, nil, at: 3)
            #expect(try await upstream.push())
            #expect(bench.server.bookmarks == [])
        }
    }

    @Test("bookmarks of other clients come here, move here, and go here")
    func fetching() async throws {
        try await synced { bench, upstream, ids in
            let server = bench.server.songs[2].id
            let song = try #require(ids[server])
            bench.server.bookmarks = [FakeBookmark(songID: server, position: 90_000)]
            #expect(try await upstream.pull() == true)
            #expect(try await bench.library.bookmarks() == [song: .seconds(90)])
            #expect(try await upstream.pull() == false)
            bench.server.bookmarks = [FakeBookmark(songID: server, position: 95_000)]
            #expect(try await upstream.pull() == true)
            #expect(try await bench.library.bookmarks() == [song: .seconds(95)])
            bench.server.bookmarks = []
            #expect(try await upstream.pull() == true)
            #expect(try await bench.library.bookmarks() == [:])
        }
    }

    @Test("an outage keeps what is set; afterwards the newest wins, whichever side set it")
    func outage() async throws {
        try await synced { bench, upstream, ids in
            let servers = bench.server.songs.map(\.id)
            let songs = try servers.map { try #require(ids[$0]) }
            try await bench.server.setFaults(FakeFault(.refuse))
            try await bench.library.setBookmark(songs[0], .seconds(70), at: 1_000)
            try await bench.library.setBookmark(songs[1], .seconds(80), at: 3_000)
            await #expect(throws: SubsonicError.self) { _ = try await upstream.push() }
            await #expect(throws: SubsonicError.self) { _ = try await upstream.pull() }
            #expect(try await bench.library.waitingBookmarks().count == 2)
            bench.server.bookmarks = servers.prefix(2).map {
                FakeBookmark(songID: $0, position: 200_000, changed: 2_000)
            }
            try await bench.server.setFaults()
            #expect(try await upstream.pull() == true)
            #expect(try await bench.library.bookmarks() == [songs[0]: .seconds(200), songs[1]: .seconds(80)])
            #expect(try await upstream.push())
            #expect(bench.server.bookmarks.first { $0.songID == servers[1] }?.position == 80_000)
            #expect(try await upstream.pull() == false)
        }
    }

    @Test("what waits does not go over a later bookmark of another client, and the news is told")
    func overtaken() async throws {
        try await synced { bench, upstream, ids in
            let server = bench.server.songs[0].id
            let song = try #require(ids[server])
            let changes = Mutex(0)
            let running = Task { await upstream.run(interval: .seconds(3600)) { changes.withLock { $0 += 1 } } }
            try await eventually("the first fetch") { bench.calls.contains("getBookmarks") }
            try await bench.library.setBookmark(song, .seconds(80), at: 1_000)
            bench.server.bookmarks = [FakeBookmark(songID: server, position: 95_000, changed: 2_000)]
            _ = try await upstream.push()
            #expect(bench.server.bookmarks.map(\.position) == [95_000])
            #expect(try await bench.library.bookmarks() == [song: .seconds(95)])
            try await eventually("the news") { changes.withLock { $0 } == 1 }
            running.cancel()
            await running.value
        }
    }

    @Test("our own bookmark on a server whose clock is ahead is no later one")
    func clockAhead() async throws {
        try await synced { bench, upstream, ids in
            let song = try #require(ids[bench.server.songs[0].id])
            try await bench.library.setBookmark(song, .seconds(70), at: 1)
            #expect(try await upstream.push())
            try await bench.library.setBookmark(song, .seconds(130), at: 2)
            #expect(try await upstream.push())
            #expect(bench.server.bookmarks.map(\.position) == [130_000])
            #expect(try await bench.library.bookmarks() == [song: .seconds(130)])
        }
    }

    @Test("a bookmark that the server refuses stays here and doesn't block the others")
    func refused() async throws {
        try await synced { bench, upstream, ids in
            let servers = bench.server.songs.map(\.id)
            let gone = try #require(ids[servers[0]])
            let kept = try #require(ids[servers[1]])
            try await bench.library.setBookmark(gone, .seconds(70), at: 1)
            try await bench.library.setBookmark(kept, .seconds(80), at: 2)
            bench.server.edit(servers[0]) { $0.id = "another" }
            #expect(try await upstream.push())
            #expect(bench.server.bookmarks.map(\.songID) == [servers[1]])
            #expect(try await bench.library.waitingBookmarks() == [])
        }
    }

    @Test("an internal fault of the server keeps what waits, and bookmarks are asked for again")
    func internalFault() async throws {
        try await synced { bench, upstream, ids in
            let server = bench.server.songs[0].id
            try await bench.library.setBookmark(try #require(ids[server]), .seconds(70), at: 1)
            for call in ["getBookmarks", "createBookmark"] {
                try await bench.server.setFaults(FakeFault(.internalError, match: call))
                await #expect(throws: SubsonicError.self) { _ = try await upstream.push() }
                #expect(try await bench.library.waitingBookmarks().count == 1)
            }
            try await bench.server.setFaults()
            #expect(try await upstream.push())
            #expect(bench.server.bookmarks.map(\.songID) == [server])
            #expect(try await upstream.pull() == false)
        }
    }

    @Test("a bookmark that the server fails with waits, and the others are sent")
    func passedOver() async throws {
        try await synced { bench, upstream, ids in
            let servers = bench.server.songs.map(\.id)
            for (place, server) in servers.prefix(3).enumerated() {
                try await bench.library.setBookmark(try #require(ids[server]), .seconds(70), at: Int64(place + 1))
            }
            try await bench.server.setFaults(FakeFault(.http500, match: "createBookmark", value: servers[0]))
            await #expect(throws: SubsonicError.self) { _ = try await upstream.push() }
            #expect(Set(bench.server.bookmarks.map(\.songID)) == Set(servers[1...2]))
            #expect(try await bench.library.waitingBookmarks().map(\.serverSongID) == [servers[0]])
            try await bench.server.setFaults()
            #expect(try await upstream.push())
            #expect(bench.server.bookmarks.count == 3)
        }
    }

    @Test("a server without bookmarks is asked once; ours stay here")
    func unsupported() async throws {
        var options = FakeOptions()
        options.kind = .supysonic
        let clock = VirtualClock()
        try await synced(options: options, clock: clock) { bench, upstream, ids in
            let song = try #require(ids[bench.server.songs[0].id])
            try await bench.library.setBookmark(song, .seconds(70), at: 1)
            _ = try await upstream.push()
            let running = Task { await upstream.run(interval: .seconds(600)) {} }
            try await clock.passPause()
            await running.value
            #expect(bench.calls.filter { $0 == "getBookmarks" }.count == 1)
            #expect(try await bench.library.bookmarks() == [song: .seconds(70)])
            #expect(try await bench.library.waitingBookmarks() == [])
        }
    }

    @Test("bookmarks are fetched at once and at every interval, and a listener hears of changes")
    func running() async throws {
        let clock = VirtualClock()
        try await synced(clock: clock) { bench, upstream, ids in
            let server = bench.server.songs[0].id
            bench.server.bookmarks = [FakeBookmark(songID: server, position: 90_000)]
            let changes = Mutex(0)
            let running = Task {
                await upstream.run(interval: .seconds(600)) { changes.withLock { $0 += 1 } }
            }
            try await eventually("the first fetch") { changes.withLock { $0 } == 1 }
            bench.server.bookmarks = []
            #expect(try await clock.passPause() == .seconds(600))
            try await eventually("a later fetch") { changes.withLock { $0 } == 2 }
            running.cancel()
            await running.value
        }
    }
}
