import LibraryIndex
import Logging
import MusicModel
import Subsonic
import Synchronization
import TestSupport
import Testing
import UserLibrary
@testable import Sync

@Suite("Which artists the server finds alike", .timeLimit(.minutes(1)))
struct SimilarArtistsTests {
    /// A server with a library in step with it.
    private final class Scene {
        let bench: PlaylistBench
        let clock = VirtualClock()
        private let time = Time()

        init(kind: FakeOptions.Kind = .navidrome, songs: Int = 100) async throws {
            var options = FakeOptions()
            options.kind = kind
            bench = try PlaylistBench(try await FakeNavidrome.start(songs: songs, options: options))
            try await bench.pull()
            bench.server.forgetRequests()
        }

        func pass(_ seconds: Int64) { time.now.withLock { $0 += seconds } }

        /// One that was just started.
        func fresh(pause: Duration = .zero, patience: Duration = .seconds(30)) -> SimilarArtists {
            SimilarArtists(
                bench.client, bench.library, pause: pause, patience: patience, clock: clock,
                now: { [time] in time.now.withLock { $0 } }, log: Logger(label: "test"))
        }

        /// Artists with albums.
        var artists: [String] {
            get async throws { try await bench.library.index.catalog().artists.map(\.name) }
        }

        var asked: Int { bench.server.requests.count { $0.call == "getArtistInfo2" } }

        func close() async {
            await bench.close()
            await bench.server.stop()
        }

        private final class Time: Sendable { let now = Mutex<Int64>(1_790_000_000) }
    }

    @Test("the server's order, with those that it has nothing of; asked once a day, over a restart too")
    func memory() async throws {
        let scene = try await Scene(songs: 400)
        let (first, artists) = (try #require(try await scene.artists.first), scene.fresh())
        let names = await artists.names(like: first)
        #expect(names.count > 2 && Array(names.suffix(2)) == ["Far Away", "Elsewhere"])
        #expect(!names.contains(first))
        #expect(await artists.names(like: first) == names)
        scene.pass(86_399)
        #expect(await scene.fresh().names(like: first) == names)
        #expect(scene.asked == 1)
        scene.pass(1)
        #expect(await scene.fresh().names(like: first) == names)
        #expect(scene.asked == 2)
        scene.pass(-5)
        _ = await scene.fresh().names(like: first)
        #expect(scene.asked == 3, "nothing is known by a clock that went back")
        await scene.close()
    }

    @Test("the artist is asked for by the server's id; nothing is asked about one that is not the server's")
    func ids() async throws {
        let scene = try await Scene()
        let first = try #require(try await scene.artists.first)
        _ = await scene.fresh().names(like: first)
        let ids = scene.bench.server.requests.filter { $0.call == "getArtistInfo2" }.map { $0["id"] }
        #expect(ids == [FakeSong.artistID(first)])
        #expect(await scene.fresh().names(like: "Not the server's").isEmpty)
        #expect(scene.asked == 1)
        await scene.close()
    }

    @Test("many that look at one artist ask once; no more than ten artists wait, and each is asked in turn")
    func crowd() async throws {
        let scene = try await Scene(songs: 1000)
        try await scene.bench.server.setFaults(FakeFault(.held, match: "getArtistInfo2"))
        let (names, artists) = (try await scene.artists, scene.fresh())
        let answers = try await withThrowingTaskGroup { group in
            for _ in 0..<5 { group.addTask { await artists.names(like: names[0]) } }
            try await eventually("five that wait") { scene.clock.sleeperCount == 5 }
            try await scene.bench.server.setFaults()
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(Set(answers).count == 1 && scene.asked == 1)
        let many = names.dropFirst().map { $0 }
        try #require(many.count > 12)
        try await scene.bench.server.setFaults(FakeFault(.held, match: "getArtistInfo2"))
        let found = try await withThrowingTaskGroup { group in
            for name in many { group.addTask { await artists.names(like: name) } }
            // The others have no place, and are gone without an answer.
            for _ in 10..<many.count { #expect(try await group.next()?.isEmpty == true) }
            try await scene.bench.server.setFaults()
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(found.count { !$0.isEmpty } == 10 && scene.asked == 11)
        await scene.close()
    }

    @Test("a server that fails is left alone, whichever artist is looked at; the next start asks again")
    func failure() async throws {
        let scene = try await Scene()
        let (names, artists) = (try await scene.artists, scene.fresh())
        try await scene.bench.server.setFaults(FakeFault(.http500, match: "getArtistInfo2", count: 1))
        #expect(await artists.names(like: names[0]).isEmpty)
        #expect(await artists.names(like: names[0]).isEmpty)
        #expect(await artists.names(like: names[1]).isEmpty)
        #expect(scene.asked == 1)
        #expect(await !scene.fresh().names(like: names[0]).isEmpty)
        await scene.close()
    }

    @Test("a slow server is waited for a while; its answer is there the next time")
    func patience() async throws {
        let scene = try await Scene()
        let (first, artists) = (try #require(try await scene.artists.first), scene.fresh(patience: .seconds(10)))
        try await scene.bench.server.setFaults(FakeFault(.held, match: "getArtistInfo2"))
        let names = Task { await artists.names(like: first) }
        try await eventually("the question") { scene.asked == 1 }
        #expect(try await scene.clock.passPause() == .seconds(10))
        #expect(await names.value.isEmpty)
        try await scene.bench.server.setFaults()
        try await eventually("the answer") { await !artists.names(like: first).isEmpty }
        #expect(scene.asked == 1)
        await scene.close()
    }

    @Test("what is no name is left out, an answer without artists is one, and a server without the call has none")
    func strange() async throws {
        let scene = try await Scene()
        let (names, artists) = (try await scene.artists, scene.fresh())
        let body = #"{"subsonic-response":{"status":"ok","version":"1.16.1","artistInfo2":%}}"#
        func found(_ inside: String, _ place: Int) async -> [String] {
            scene.bench.server.setAnswer(
                of: "getArtistInfo2", Array(body.replacing("%", with: inside).utf8))
            return await artists.names(like: names[place])
        }
        let mixed = #"{"similarArtist":[7,null,[],{"id":"-1","name":" A\nB "},{"id":"-1","name":"A B"}]}"#
        #expect(await found(mixed, 0) == ["A B"])
        #expect(await found("[]", 1).isEmpty)
        #expect(await found(#"{"similarArtist":{"id":"x","name":"Only"}}"#, 2) == ["Only"])
        let long = String(repeating: "x", count: 1001)
        let many = (0..<100_000).map { #"{"id":"-1","name":"N\#($0)"}"# }.joined(separator: ",")
        #expect(await found(#"{"similarArtist":[{"id":"-1","name":"\#(long)"},\#(many)]}"#, 3).count == 19)
        await scene.close()
        let other = try await Scene(kind: .supysonic)
        let first = try #require(try await other.artists.first)
        #expect(await other.fresh().names(like: first).isEmpty)
        await other.close()
    }
}
