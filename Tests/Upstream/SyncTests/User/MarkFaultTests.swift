import LibraryIndex
import MusicModel
import Subsonic
import TestSupport
import Testing
import UserLibrary

@testable import Sync

@Suite("Stars and ratings while the server fails")
struct MarkFaultTests {
    @Test("Edits wait while the server has an internal fault, and are sent after it")
    func internalFault() async throws {
        let server = try await FakeNavidrome.start(songs: 10)
        let bench = try await MarkBench(server)
        let songs = server.songs.map(\.id)
        try await bench.set("like", songs[0], "2")
        try await bench.set("rating", songs[1], "8")
        try await server.setFaults(FakeFault(.internalError))
        for _ in 0..<8 { await #expect(throws: SubsonicError.self) { _ = try await bench.marks.push() } }
        try await server.setFaults()
        #expect(try await bench.marks.push())
        #expect(server.song(songs[0])?.isStarred == true && server.song(songs[1])?.rating == 4)
        #expect(try await bench.isDone())
        try await bench.stop()
        await server.stop()
    }

    @Test("Stars are read again after an internal fault", arguments: ["getStarred2", "getAlbumList2"])
    func reading(call: String) async throws {
        let server = try await FakeNavidrome.start(songs: 10)
        let bench = try await MarkBench(server)
        let song = server.songs[3]
        server.star(song.id)
        server.rate(song.albumID, 4)
        try await server.setFaults(FakeFault(.internalError, match: call, count: 1))
        await #expect(throws: SubsonicError.self) { _ = try await bench.marks.pull() }
        _ = try await bench.marks.pull()
        #expect(try await bench.sticker("like", song.id) == "2")
        #expect(try await bench.library.sticker("rating", of: .tag(.album, song.album)) == "8")
        try await bench.stop()
        await server.stop()
    }

    @Test("An edit that the server fails with waits, and the others are sent", arguments: ["like", "rating"])
    func passedOver(name: String) async throws {
        let server = try await FakeNavidrome.start(songs: 10)
        let bench = try await MarkBench(server)
        let songs = server.songs.map(\.id)
        for song in songs.prefix(4) { try await bench.set(name, song, "2") }
        try await server.setFaults(FakeFault(.http500, value: songs[0]))
        await #expect(throws: SubsonicError.self) { _ = try await bench.marks.push() }
        func has(_ song: String) -> Bool {
            name == "like" ? server.song(song)?.isStarred == true : server.song(song)?.rating == 1
        }
        #expect(songs.prefix(4).map(has) == [false, true, true, true])
        try await server.setFaults()
        #expect(try await bench.marks.push())
        #expect(has(songs[0]))
        #expect(try await bench.isDone())
        try await bench.stop()
        await server.stop()
    }

    @Test("An edit is given up after the fifth round in which others were taken, and keeps its sticker")
    func givenUp() async throws {
        let server = try await FakeNavidrome.start(songs: 10)
        let bench = try await MarkBench(server)
        let songs = server.songs.map(\.id)
        try await bench.set("rating", songs[0], "2")
        try await server.setFaults(FakeFault(.http500, value: songs[0]))
        // Rounds in which nothing is taken prove nothing.
        for _ in 0..<8 { await #expect(throws: SubsonicError.self) { _ = try await bench.marks.push() } }
        for round in 1...4 {
            try await bench.set("rating", songs[round], "4")
            await #expect(throws: SubsonicError.self) { _ = try await bench.marks.push() }
            #expect(server.song(songs[round])?.rating == 2)
        }
        #expect(try await !bench.isDone())
        try await bench.set("rating", songs[5], "4")
        #expect(try await bench.marks.push())
        #expect(try await bench.isDone())
        #expect(try await bench.sticker("rating", songs[0]) == "2")
        try await bench.stop()
        await server.stop()
    }

    @Test("Several edits in front that the server fails with don't hold up the ones behind them")
    func severalInFront() async throws {
        let server = try await FakeNavidrome.start(songs: 10)
        let bench = try await MarkBench(server)
        let songs = server.songs.map(\.id)
        for song in songs.prefix(5) { try await bench.set("rating", song, "4") }
        try await server.setFaults(
            FakeFault(.http500, value: songs[0]), FakeFault(.http500, value: songs[1]),
            FakeFault(.http500, value: songs[2]))
        // The first round takes it for a fault of everything.
        for _ in 0..<2 { await #expect(throws: SubsonicError.self) { _ = try await bench.marks.push() } }
        #expect(songs.prefix(5).map { server.song($0)?.rating } == [0, 0, 0, 2, 2])
        try await bench.stop()
        await server.stop()
    }

    @Test("Nothing is lost while the server fails for everything, and it is not asked for every edit")
    func failingForAll() async throws {
        let server = try await FakeNavidrome.start(songs: 30)
        let bench = try await MarkBench(server)
        let songs = server.songs.map(\.id)
        for song in songs { try await bench.set("rating", song, "6") }
        try await server.setFaults(FakeFault(.http500))
        server.forgetRequests()
        for _ in 0..<12 { await #expect(throws: SubsonicError.self) { _ = try await bench.marks.push() } }
        #expect(server.requests.count == 36)
        try await server.setFaults()
        #expect(try await bench.marks.push())
        #expect(songs.allSatisfy { server.song($0)?.rating == 3 })
        #expect(try await bench.isDone())
        try await bench.stop()
        await server.stop()
    }

    @Test("What the user may not do is not sent again; what a proxy forbids is")
    func forbidden() async throws {
        let server = try await FakeNavidrome.start(songs: 10)
        let bench = try await MarkBench(server)
        let songs = server.songs.map(\.id)
        try await bench.set("rating", songs[0], "4")
        try await bench.set("like", songs[1], "2")
        for status in [403, 404] {
            try await server.setFaults(FakeFault(.status(status)))
            await #expect(throws: SubsonicError.self) { _ = try await bench.marks.push() }
            #expect(try await bench.library.waitingMarkEdits(limit: 10).count == 2)
        }
        try await server.setFaults()
        server.setAnswer(of: "setRating", Array(Self.forbidden.utf8))
        #expect(try await bench.marks.push())
        #expect(server.song(songs[1])?.isStarred == true)
        #expect(try await bench.isDone())
        try await bench.stop()
        await server.stop()
    }

    private static let forbidden = """
        {"subsonic-response":{"status":"failed","version":"1.16.1","error":{"code":50,"message":"not authorized"}}}
        """
}
