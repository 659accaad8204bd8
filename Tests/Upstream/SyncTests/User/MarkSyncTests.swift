import Foundation
@testable import Sync
import LibraryIndex
import LibrarySamples
import Logging
import MusicModel
@testable import Subsonic
import SyncBench
import TestSupport
import Testing
import UserLibrary

/// A library with its marks in front of a fake server; several may share one.
final class MarkBench {
    let server: FakeNavidrome
    let client: SubsonicClient
    let folder: String
    private(set) var library: Library
    private(set) var marks: MarkSync

    init(_ server: FakeNavidrome) async throws {
        self.server = server
        client = SubsonicClient(
            SubsonicSettings(
                url: server.url, username: "admin", credential: .password("secret"),
                timeouts: .init(connect: .seconds(600), answer: .seconds(600), idle: .seconds(600)),
                retries: SubsonicSettings.Retries(count: 0)),
            log: LogLines().logger)
        folder = NSTemporaryDirectory() + "segue-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        library = try Library(path: folder + "/segue.db")
        marks = MarkSync(library: library, client: client, logger: LogLines().logger)
        try await walk()
    }

    /// Reads the whole library, with its marks.
    func walk() async throws { _ = try await sync().syncOnce(force: true) }

    func sync(_ observer: SyncObserver = SyncObserver()) -> LibrarySync {
        LibrarySync(
            library: library, server: ServerSource(mount: "", client: client, marks: marks), observer: observer,
            logger: LogLines().logger)
    }

    /// Ends the program and starts it again.
    func restart() throws {
        try library.close()
        library = try Library(path: folder + "/segue.db")
        marks = MarkSync(library: library, client: client, logger: LogLines().logger)
    }

    func stop() async throws {
        await client.shutDown()
        try library.close()
        try FileManager.default.removeItem(atPath: folder)
    }

    /// The song with this id on the server.
    func object(_ serverID: String) async throws -> StickerObject {
        let path = try #require(server.song(serverID)).path
        return .song(try #require(try await library.index.songID(at: path)))
    }

    func sticker(_ name: String, _ serverID: String) async throws -> String? {
        try await library.sticker(name, of: try await object(serverID))
    }

    func set(_ name: String, _ serverID: String, _ value: String) async throws {
        try await library.setSticker(name, of: try await object(serverID), to: value)
    }

    /// Whether nothing waits for the server.
    func isDone() async throws -> Bool { try await library.waitingMarkEdits(limit: 1).isEmpty }
}

@Suite("Stars and ratings between clients and the server")
struct MarkSyncTests {
    @Test("A walk brings what the server has, of songs, albums and artists")
    func walking() async throws {
        let server = try await FakeNavidrome.start(songs: 30)
        let song = server.songs[3]
        server.star(song.id)
        server.rate(song.id, 4)
        server.rate(song.albumID, 3)
        server.star(FakeSong.artistID(song.artists[0]))
        let bench = try await MarkBench(server)
        #expect(try await bench.sticker("like", song.id) == "2")
        #expect(try await bench.sticker("rating", song.id) == "8")
        #expect(try await bench.library.sticker("rating", of: .tag(.album, song.album)) == "6")
        #expect(try await bench.library.sticker("like", of: .tag(.artist, song.artists[0])) == "2")
        let found = try await bench.library.findStickers(
            .song, below: "", StickerQuery(name: "rating", test: (.greaterThanNumber, "7")))
        #expect(found.map(\.object) == [song.path])
        // Marks are no change of the library.
        let recorder = SyncRecorder()
        server.star(song.id, false)
        _ = try await bench.sync(recorder.observer).syncOnce(force: true)
        #expect(recorder.now.subsystems == [.sticker])
        #expect(try await bench.sticker("like", song.id) == nil)
        try await bench.stop()
        await server.stop()
    }

    @Test("Of albums that share a title only the one that was starred is, here and on the server")
    func albumsOfOneTitle() async throws {
        let server = try await FakeNavidrome.start(songs: 60)
        let first = server.songs[0]
        let other = try #require(server.songs.first { $0.albumArtists != first.albumArtists })
        server.change { library in
            let places = library.songs.indices.filter {
                [first.albumID, other.albumID].contains(library.songs[$0].albumID)
            }
            for place in places { library.edit(place) { $0.album = "Greatest Hits" } }
            return places
        }
        let bench = try await MarkBench(server)
        let catalog = try await bench.library.index.catalog()
        let albums = catalog.albums.filter { $0.title == "Greatest Hits" }
        #expect(albums.count == 2)
        let change = AlbumMarkChange("like", to: "2", of: albums[0], in: catalog)
        #expect(try await bench.library.change(change))
        _ = try await bench.marks.push()
        let starred = try await bench.client.starred().albums
        #expect(starred.map { $0.artists.first?.name } == [albums[0].artist])
        _ = try await bench.marks.pull()
        try await bench.walk()
        var marks = try await bench.library.albumMarks()
        #expect(albums.map { marks[$0].isStarred } == [true, false])
        // Another client stars the other one, and takes this one's star.
        try await bench.client.star(albums: try await ids(bench, albums[1]))
        try await bench.client.star(false, albums: try await ids(bench, albums[0]))
        _ = try await bench.marks.pull()
        marks = try await bench.library.albumMarks()
        #expect(albums.map { marks[$0].isStarred } == [false, true])
        #expect(try await bench.isDone())
        try await bench.stop()
        await server.stop()
    }

    /// The server's ids of an album.
    private func ids(_ bench: MarkBench, _ album: Catalog.Album) async throws -> [String] {
        try await bench.client.albums(offset: 0, count: 500).items.filter {
            $0.name == album.title && $0.artists.first?.name == album.artist
        }.map(\.id)
    }

    @Test("What other clients do arrives without a scan")
    func pulling() async throws {
        let server = try await FakeNavidrome.start(songs: 30)
        let bench = try await MarkBench(server)
        #expect(try await !bench.marks.pull())
        let (song, album, artist) = (server.songs[5], server.songs[9], server.songs[20].artists[0])
        server.star(song.id)
        server.rate(song.id, 1)
        server.star(album.albumID)
        server.rate(album.albumID, 5)
        server.rate(FakeSong.artistID(artist), 2)
        try await bench.client.scrobble([SubsonicPlay(id: song.id, time: 1_700_000_000_000)])
        #expect(try await bench.marks.pull())
        #expect(try await bench.sticker("like", song.id) == "2")
        #expect(try await bench.sticker("rating", song.id) == "2")
        #expect(try await bench.sticker("playCount", song.id) == "1")
        #expect(try await bench.sticker("lastPlayed", song.id) == "1700000000")
        #expect(try await bench.library.sticker("like", of: .tag(.album, album.album)) == "2")
        #expect(try await bench.library.sticker("rating", of: .tag(.album, album.album)) == "10")
        #expect(try await bench.library.sticker("rating", of: .tag(.artist, artist)) == "4")
        #expect(try await !bench.marks.pull())
        try await bench.stop()
        await server.stop()
    }

    @Test("A hint brings exactly what it names; too many hints bring everything")
    func hints() async throws {
        let server = try await FakeNavidrome.start(songs: 80)
        let bench = try await MarkBench(server)
        let song = server.songs[7]
        server.rate(song.id, 5)
        server.rate(song.albumID, 4)
        server.forgetRequests()
        var resources = NavidromeEvent.Resources()
        resources.songs = [song.id, "gone"]
        resources.albums = [song.albumID]
        resources.artists = [FakeSong.artistID(song.artists[0])]
        #expect(try await bench.marks.refresh(resources))
        #expect(server.requests.map(\.call) == ["getSong", "getSong", "getAlbum", "getArtist"])
        #expect(try await bench.sticker("rating", song.id) == "10")
        #expect(try await bench.library.sticker("rating", of: .tag(.album, song.album)) == "8")
        resources.songs = server.songs.map(\.id)
        for song in server.songs { server.rate(song.id, 1) }
        #expect(try await !bench.marks.refresh(resources))
        #expect(try await bench.marks.pull())
        for song in server.songs { #expect(try await bench.sticker("rating", song.id) == "2") }
        try await bench.stop()
        await server.stop()
    }

    @Test("Where the server's events are heard everything is looked at less often, and at once when they begin or end")
    func pace() async throws {
        let server = try await FakeNavidrome.start(songs: 3)
        let bench = try await MarkBench(server)
        let marks = bench.marks
        #expect(await marks.pause(.seconds(60), failures: 0) == .seconds(60))
        await marks.hears(events: true)
        #expect(await marks.pause(.seconds(60), failures: 0) == .seconds(300))
        #expect(await marks.pause(.seconds(60), failures: 1) == .seconds(60))
        let looking = Task { await marks.run(interval: .seconds(3_600)) {} }
        func checks() -> Int { server.requests.count { $0.call == "getStarred2" } }
        try await eventually("a look at the start") { checks() == 1 }
        await marks.hears(events: false)
        try await eventually("a look when events end") { checks() == 2 }
        await marks.hears(events: false)
        await marks.hears(events: true)
        try await eventually("a look when events begin") { checks() == 3 }
        looking.cancel()
        await looking.value
        try await bench.stop()
        await server.stop()
    }

    @Test("A large library is looked at piece by piece, all of it in so many rounds")
    func pieces() async throws {
        let server = try await FakeNavidrome.start(songs: 60)
        let bench = try await MarkBench(server)
        let marks = MarkSync(
            library: bench.library, client: bench.client, settings: MarkSettings(pageSize: 5, rounds: 4),
            logger: LogLines().logger)
        for song in server.songs { server.rate(song.id, 3) }
        func rated() async throws -> Int {
            try await bench.library.findStickers(.song, below: "", StickerQuery(name: "rating")).count
        }
        var counts: [Int] = []
        for _ in 0..<4 {
            _ = try await marks.pull()
            counts.append(try await rated())
        }
        #expect(counts == [15, 30, 45, 60])
        try await bench.stop()
        await server.stop()
    }

    @Test("Edits go to the server in order, stars together; what it refuses does not hold up the rest")
    func pushing() async throws {
        let server = try await FakeNavidrome.start(songs: 30)
        let bench = try await MarkBench(server)
        let songs = server.songs
        for song in songs.prefix(4) { try await bench.set("like", song.id, "2") }
        try await bench.set("rating", songs[1].id, "9")
        try await bench.set("rating", songs[2].id, "4")
        try await bench.library.setSticker("like", of: .tag(.album, songs[0].album), to: "2")
        try await bench.library.setSticker("rating", of: .tag(.artist, songs[0].artists[0]), to: "10")
        server.forgetRequests()
        try await server.setFaults(FakeFault(.http500, match: "setRating", count: 1))
        await #expect(throws: SubsonicError.self) { _ = try await bench.marks.push() }
        #expect(try await bench.marks.push())
        #expect(try await !bench.marks.push())
        #expect(server.requests.filter { $0.call == "star" }.map { $0.all("id").count } == [4, 0])
        #expect(songs.prefix(4).allSatisfy { server.song($0.id)?.isStarred == true })
        #expect(server.song(songs[1].id)?.rating == 5 && server.song(songs[2].id)?.rating == 2)
        #expect(server.marks(of: songs[0].albumID).starredAt != nil)
        #expect(server.marks(of: FakeSong.artistID(songs[0].artists[0])).rating == 5)
        #expect(try await bench.sticker("rating", songs[1].id) == "9")
        server.setAnswer(of: "setRating", Array(Self.notFound.utf8))
        try await bench.set("rating", songs[5].id, "4")
        try await bench.set("like", songs[6].id, "2")
        #expect(try await bench.marks.push())
        #expect(server.song(songs[6].id)?.isStarred == true)
        #expect(try await bench.isDone())
        try await bench.stop()
        await server.stop()
    }

    private static let notFound = """
        {"subsonic-response":{"status":"failed","version":"1.16.1","error":{"code":70,"message":"data not found"}}}
        """

    @Test("Edits wait through an outage and a restart")
    func outage() async throws {
        let server = try await FakeNavidrome.start(songs: 30)
        let bench = try await MarkBench(server)
        let song = server.songs[0].id
        try await server.setFaults(FakeFault(.refuse))
        try await bench.set("like", song, "2")
        await #expect(throws: SubsonicError.self) { _ = try await bench.marks.push() }
        try bench.restart()
        try await server.setFaults()
        // What the server had before does not come back over what waits.
        _ = try await bench.marks.pull()
        #expect(try await bench.sticker("like", song) == "2")
        #expect(try await bench.marks.push())
        #expect(server.song(song)?.isStarred == true)
        try await bench.stop()
        await server.stop()
    }

    @Test("A walk that is under way does not bring back what was edited meanwhile")
    func walkUnderWay() async throws {
        let server = try await FakeNavidrome.start(songs: 30)
        let bench = try await MarkBench(server)
        let song = server.songs[0].id
        server.rate(song, 1)
        server.star(song)
        try await bench.walk()
        try await server.setFaults(FakeFault(.delay(milliseconds: 300), match: "search3"))
        server.forgetRequests()
        let sync = bench.sync()
        async let walk = sync.syncOnce(force: true)
        // The answer is made when the request comes, and sent later.
        try await eventually("the songs are asked for") {
            server.requests.contains { $0.call == "search3" && $0["songCount"] != "0" }
        }
        try await bench.set("rating", song, "10")
        try await bench.set("like", song, "1")
        #expect(try await bench.marks.push())
        _ = try await walk
        #expect(try await bench.sticker("rating", song) == "10")
        #expect(try await bench.sticker("like", song) == "1")
        #expect(server.song(song)?.rating == 5 && server.song(song)?.isStarred == false)
        try await bench.stop()
        await server.stop()
    }

    @Test("A server whose database was rebuilt gets stars and ratings back, and takes none away")
    func rebuilt() async throws {
        let server = try await FakeNavidrome.start(songs: 30)
        let song = server.songs[3]
        server.star(song.id)
        server.rate(song.id, 4)
        server.rate(song.albumID, 3)
        server.star(FakeSong.artistID(song.artists[0]))
        let bench = try await MarkBench(server)
        server.rate(song.albumID, 0)
        server.star(FakeSong.artistID(song.artists[0]), false)
        server.change { $0.rebuild() }
        #expect(try await !bench.marks.pull())
        try await bench.walk()
        _ = try await bench.marks.pull()
        #expect(try await bench.marks.push())
        let now = try #require(server.songs.first { $0.path == song.path })
        #expect(now.id != song.id && now.isStarred && now.rating == 4)
        #expect(server.marks(of: song.albumID).rating == 3)
        #expect(server.marks(of: FakeSong.artistID(song.artists[0])).starredAt != nil)
        #expect(try await bench.sticker("rating", now.id) == "8")
        try await bench.stop()
        await server.stop()
    }

    @Test("Of two stars the later wins, by the server's time")
    func conflict() async throws {
        let server = try await FakeNavidrome.start(songs: 30)
        let bench = try await MarkBench(server)
        let (first, second) = (server.songs[0].id, server.songs[1].id)
        for song in [first, second] { server.star(song) }
        _ = try await bench.marks.pull()
        // Ours, then theirs.
        try await bench.set("like", first, "1")
        server.star(first, false)
        server.star(first)
        // Theirs, then ours.
        server.rate(second, 2)
        try await bench.set("rating", second, "8")
        _ = try await bench.marks.pull()
        _ = try await bench.marks.push()
        #expect(server.song(second)?.rating == 4)
        #expect(try await bench.sticker("rating", second) == "8")
        try await bench.stop()
        await server.stop()
    }

    @Test("A server without lists of albums and without ratings of them has stars and ratings of songs")
    func oldServer() async throws {
        var options = FakeOptions()
        options.kind = .supysonic
        let server = try await FakeNavidrome.start(songs: 30, options: options)
        let bench = try await MarkBench(server)
        for call in ["getAlbumList2"] { server.setAnswer(of: call, Array(Self.unknownMethod.utf8)) }
        let song = server.songs[0].id
        server.rate(song, 3)
        try await bench.set("like", server.songs[1].id, "2")
        #expect(try await bench.marks.pull())
        #expect(try await bench.marks.push())
        #expect(try await bench.sticker("rating", song) == "6")
        #expect(server.song(server.songs[1].id)?.isStarred == true)
        try await bench.stop()
        await server.stop()
    }

    private static let unknownMethod = """
        {"subsonic-response":{"status":"failed","version":"1.12.0","error":{"code":0,"message":"Unknown method"}}}
        """
}
