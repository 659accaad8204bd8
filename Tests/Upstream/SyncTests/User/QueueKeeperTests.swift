import LibraryIndex
@testable import Sync
import MusicModel
import Subsonic
import SyncBench
import Synchronization
import TestSupport
import Testing
import UserLibrary

@Suite("The queue on the server")
struct QueueKeeperTests {
    /// A server, an index in step with it, and a keeper that counts its announcements.
    private final class Scene {
        let bench: PlaylistBench
        let ids: [String]
        let keeper: QueueKeeper
        let clock = VirtualClock()
        private let news = Counter()

        init(songs: Int = 20, options: FakeOptions = FakeOptions(), saves: Bool = true) async throws {
            let server = try await FakeNavidrome.start(songs: songs, options: options)
            ids = server.songs.map(\.id)
            bench = try PlaylistBench(server)
            try await bench.pull()
            let news = news
            keeper = QueueKeeper(
                client: bench.client, library: bench.library, savesQueue: saves, minPause: .zero, clock: clock,
                changed: { news.count.withLock { $0 += 1 } }, logger: bench.log.logger)
            bench.library.virtualPlaylists.add(keeper.playlist)
            server.forgetRequests()
        }

        var server: FakeNavidrome { bench.server }
        var announcements: Int { news.count.withLock { $0 } }

        func close() async {
            await bench.close()
            await server.stop()
        }

        private final class Counter: Sendable { let count = Mutex(0) }
    }

    private let radio = QueueItem.stream(url: "http://radio", tags: [])

    @Test("it is saved by the place of its current song, and what the server can't hold is left out")
    func saves() async throws {
        let scene = try await Scene()
        let songs = try await scene.bench.items(scene.ids.prefix(3))
        var queue = QueueSnapshot(
            items: [songs[0], radio, songs[1], songs[1], songs[2]], current: 3, elapsed: .seconds(7))
        await scene.keeper.save(queue)
        #expect(scene.server.queue?.songIDs == [0, 1, 1, 2].map { scene.ids[$0] })
        #expect(scene.server.queue?.current == 2 && scene.server.queue?.position == 7000)
        #expect(scene.server.requests.map(\.call).contains("savePlayQueueByIndex"))
        // A station is no place there; the song behind it is.
        queue.current = 1
        await scene.keeper.save(queue)
        #expect(scene.server.queue?.current == 1 && scene.server.queue?.position == 0)
        // Our own is not shown to us.
        #expect(await scene.keeper.refresh() == nil)
        #expect(try await scene.bench.library.storedPlaylists().isEmpty)
        #expect(scene.announcements == 0)
        // Without a song for the server nothing is sent.
        scene.server.forgetRequests()
        await scene.keeper.save(QueueSnapshot(items: [radio], current: 0, elapsed: .zero))
        #expect(scene.server.requests.isEmpty)
        await scene.close()
    }

    @Test("another client's queue is a playlist until music plays here; songs that are gone are left out")
    func takesOver() async throws {
        let scene = try await Scene()
        let ids = scene.ids
        scene.server.edit(ids[0]) { $0.isMissing = true }
        try await scene.bench.pull()
        scene.server.queue = FakePlayQueue(
            songIDs: [ids[0], ids[4], ids[5], ids[4]], current: 3, position: 65_000, changedBy: "Symfonium")
        let other = await scene.keeper.refresh()
        #expect(other?.current == 2 && other?.elapsed == .seconds(65))
        #expect(try await scene.bench.entries("[Navidrome queue]") == [4, 5, 4].map { ids[$0] })
        #expect(scene.announcements == 1)
        await scene.keeper.refresh()
        #expect(scene.announcements == 1, "the same once more is no news")
        await #expect(throws: LibraryError.self) {
            try await scene.bench.library.clearStoredPlaylist("[Navidrome queue]")
        }
        let songs = try await scene.bench.items([ids[7]])
        await scene.keeper.save(QueueSnapshot(items: songs, current: 0, elapsed: .zero))
        #expect(scene.keeper.shown == nil)
        #expect(scene.server.queue?.changedBy == "segue")
        #expect(try await scene.bench.library.storedPlaylists().isEmpty)
        #expect(scene.announcements == 2)
        await scene.close()
    }

    @Test("a look at the playlists has the server asked; one that is down is asked again when it is back")
    func checks() async throws {
        let scene = try await Scene()
        let service = Task { [keeper = scene.keeper] in await keeper.run() }
        scene.server.queue = FakePlayQueue(songIDs: [scene.ids[3]], current: 0, changedBy: "phone")
        #expect(try await scene.bench.library.storedPlaylists().isEmpty)
        let library = scene.bench.library
        try await eventually("the playlist comes") {
            try await library.storedPlaylists().map(\.name) == ["[Navidrome queue]"]
        }
        try await scene.server.setFaults(FakeFault(.refuse))
        let songs = try await scene.bench.items([scene.ids[7]])
        await scene.keeper.save(QueueSnapshot(items: songs, current: 0, elapsed: .seconds(9)))
        #expect(scene.keeper.shown != nil)
        try await scene.server.setFaults()
        scene.keeper.serverIsBack()
        let server = scene.server
        try await eventually("what waited is saved") { server.queue?.changedBy == "segue" }
        #expect(server.queue?.position == 9000)
        service.cancel()
        await service.value
        await scene.close()
    }

    @Test("a client that loads it goes on at the newest place, or after a moment at the one that is known")
    func places() async throws {
        let scene = try await Scene()
        #expect(await scene.keeper.freshPlace(within: .seconds(20)) == nil)
        var queue = FakePlayQueue(songIDs: Array(scene.ids[3...5]), current: 1, changedBy: "phone")
        queue.position = 7000
        scene.server.queue = queue
        let place = await scene.keeper.freshPlace(within: .seconds(20))
        #expect(place?.index == 1 && place?.elapsed == .seconds(7))
        queue.current = 2
        scene.server.queue = queue
        try await scene.server.setFaults(FakeFault(.held))
        let known = Task { [keeper = scene.keeper] in await keeper.freshPlace(within: .seconds(2))?.index }
        try await scene.clock.passPause()
        #expect(await known.value == 1)
        try await scene.server.setFaults()
        await scene.close()
    }

    @Test("an old server is told the current song's id; saving can be switched off")
    func oldServer() async throws {
        var options = FakeOptions()
        options.kind = .supysonic
        let scene = try await Scene(options: options)
        let songs = try await scene.bench.items(scene.ids.prefix(3))
        await scene.keeper.save(QueueSnapshot(items: songs, current: 1, elapsed: .seconds(3)))
        #expect(scene.server.queue?.current == 1 && scene.server.queue?.position == 3000)
        #expect(scene.server.requests.contains { $0.call == "savePlayQueue" && $0["current"] == scene.ids[1] })
        await scene.close()
        let silent = try await Scene(saves: false)
        await silent.keeper.save(
            QueueSnapshot(items: try await silent.bench.items(silent.ids.prefix(1)), current: 0, elapsed: .zero))
        #expect(silent.server.queue == nil)
        await silent.close()
    }

    @Test("of a queue of 25,000 songs those around the current one are saved")
    func longQueue() async throws {
        let scene = try await Scene(songs: 50)
        let songs = try await scene.bench.items(scene.ids)
        let items = (0..<25_000).map { songs[$0 % 50] }
        await scene.keeper.save(QueueSnapshot(items: items, current: 20_000, elapsed: .seconds(1)))
        let saved = try #require(scene.server.queue)
        #expect(saved.songIDs.count == 9_900)
        #expect(saved.current.map { saved.songIDs[$0] } == scene.ids[20_000 % 50])
        #expect(scene.server.requests.last.map { $0.method == "POST" && $0.parameters.count <= 10_000 } == true)
        await scene.keeper.save(QueueSnapshot(items: items, current: 20_000, elapsed: .seconds(2)))
        let told = scene.bench.log.all.filter { $0.contains("only 9900 of the queue's 25000 entries") }
        #expect(told.count == 1)
        await scene.close()
    }
}
