import Coordination
import GRDB
import LibraryIndex
import LibrarySamples
import MusicModel
import Testing

@testable import UserLibrary

@Suite("Bookmarks and pictures of albums")
struct BookmarkTests {
    private func library() async throws -> (TestLibrary, [String: SongID]) {
        var local = song("local", id: "local")
        local.source = .localFile(path: "/music/local")
        let test = try await TestLibrary([song("a", id: "ia"), song("b", id: "ib"), local])
        return (test, try await test.numbers())
    }

    private func server(_ id: String, _ seconds: Int, at time: Int64) -> ServerBookmark {
        ServerBookmark(serverSongID: id, position: .seconds(seconds), changed: time)
    }

    @Test("what is set waits for the server, what was sent doesn't, and the last word counts")
    func waiting() async throws {
        let (test, ids) = try await library()
        let a = try #require(ids["a"])
        try await test.library.setBookmark(a, .seconds(100), at: 1)
        let first = try await test.library.waitingBookmarks()
        #expect(first == [WaitingBookmark(song: a, serverSongID: "ia", position: .seconds(100), changed: 1)])
        try await test.library.setBookmark(a, .seconds(160), at: 2)
        try await test.library.bookmarkIsSent(first[0])
        let second = try await test.library.waitingBookmarks()
        #expect(second.map(\.position) == [.seconds(160)])
        try await test.library.bookmarkIsSent(second[0])
        #expect(try await test.library.waitingBookmarks() == [])
        #expect(try await test.library.bookmarks() == [a: .seconds(160)])
        try await test.library.setBookmark(a, nil, at: 3)
        #expect(try test.library.savedPlaces() == [:])
        let removal = try await test.library.waitingBookmarks()
        #expect(removal.map(\.position) == [nil])
        try await test.library.bookmarkIsSent(removal[0])
        #expect(try test.inspect { try Int.fetchOne($0, sql: "SELECT count(*) FROM bookmark") } == 0)
    }

    @Test("local songs have bookmarks that no server waits for; removing none leaves nothing")
    func local() async throws {
        let (test, ids) = try await library()
        let (local, b) = (try #require(ids["local"]), try #require(ids["b"]))
        try await test.library.setBookmark(local, .seconds(100), at: 1)
        try await test.library.setBookmark(b, nil, at: 1)
        #expect(try await test.library.waitingBookmarks() == [])
        #expect(try await test.library.mergeBookmarks([]) == false)
        #expect(try await test.library.bookmarks() == [local: .seconds(100)])
        try await test.library.setBookmark(local, nil, at: 2)
        #expect(try test.inspect { try Int.fetchOne($0, sql: "SELECT count(*) FROM bookmark") } == 0)
    }

    @Test("of places in streams the newest are kept, and a song keeps its speed when the server's place counts")
    func streamsAndSpeeds() async throws {
        let (test, ids) = try await library()
        let a = try #require(ids["a"])
        try await test.library.database.write { database in
            for number in 0..<Library.maxStreamPlaces {
                try database.execute(
                    sql: "INSERT INTO stream_place (url, position, speed, changed) VALUES (?, 1000, 1, ?)",
                    arguments: ["http://h/\(number)", number])
            }
        }
        let newest = Library.maxStreamPlaces
        try await test.library.setPlace(inStream: "http://h/\(newest)", KeptPlace(.seconds(1)), at: Int64(newest))
        let places = try await test.library.places()
        #expect(places.count == Library.maxStreamPlaces)
        #expect(places[.stream(url: "http://h/0")] == nil && places[.stream(url: "http://h/1")] != nil)
        try await test.library.setPlace(inStream: "http://h/1", nil, at: 9)
        #expect(try await test.library.places()[.stream(url: "http://h/1")] == nil)
        try await test.library.setBookmark(a, .seconds(10), speed: 1.25, at: 1)
        _ = try await test.library.mergeBookmarks([server("ia", 40, at: 11)])
        #expect(try await test.library.places()[.song(a)] == KeptPlace(.seconds(40), speed: 1.25))
    }

    @Test("the newest bookmark wins, and what others removed is gone unless ours waits")
    func merging() async throws {
        let (test, ids) = try await library()
        let (a, b) = (try #require(ids["a"]), try #require(ids["b"]))
        let library = test.library
        #expect(try await library.mergeBookmarks([server("ia", 10, at: 5), server("unknown", 1, at: 9)]))
        #expect(try await library.bookmarks() == [a: .seconds(10)])
        #expect(try await library.mergeBookmarks([server("ia", 10, at: 6)]) == false)
        try await library.setBookmark(a, .seconds(20), at: 10)
        try await library.setBookmark(b, .seconds(30), at: 10)
        #expect(try await library.mergeBookmarks([server("ia", 10, at: 6)]) == false)
        #expect(try await library.bookmarks() == [a: .seconds(20), b: .seconds(30)])
        #expect(try await library.mergeBookmarks([server("ia", 40, at: 11)]))
        #expect(try await library.bookmarks() == [a: .seconds(40), b: .seconds(30)])
        #expect(try await library.waitingBookmarks().map(\.serverSongID) == ["ib"])
        try await library.setBookmark(a, nil, at: 20)
        #expect(try await library.mergeBookmarks([server("ia", 40, at: 11)]) == false)
        #expect(try await library.bookmarks() == [b: .seconds(30)])
        #expect(try await library.mergeBookmarks([server("ia", 50, at: 21)]))
        #expect(try await library.bookmarks() == [a: .seconds(50), b: .seconds(30)])
        #expect(try await library.mergeBookmarks([]))
        #expect(try await library.bookmarks() == [b: .seconds(30)])
    }

    @Test("a change that has to be sent is announced")
    func announced() async throws {
        let (test, ids) = try await library()
        try await test.library.setBookmark(try #require(ids["a"]), .seconds(100), at: 1)
        let isAnnounced = await withTimeLimit(.seconds(10)) {
            await test.library.upstreamWork.wait()
            return true
        }
        #expect(isAnnounced == true)
    }

    @Test("songs of an album in one folder share the first one's picture; others have their own")
    func albums() async throws {
        let test = try await TestLibrary([
            song("X/1", cover: "c1", (.album, "A")), song("X/2", cover: "c2", (.album, "A")),
            song("X/3", cover: "c3", (.album, "B")), song("X/4", cover: "c4"),
            song("Y/1", (.album, "A")), song("Y/2", cover: "c6", (.album, "A")),
        ])
        let ids = try await test.numbers()
        var covers: [String: PictureSource] = [:]
        for uri in ids.keys { covers[uri] = try await test.library.index.albumPictureSource(ofSongAt: uri) }
        #expect(
            covers
                == ["X/1": "c1", "X/2": "c1", "X/3": "c3", "X/4": "c4", "Y/1": "c6", "Y/2": "c6"].mapValues {
                    .navidrome(coverArtID: $0)
                })
        #expect(try await test.library.index.albumPictureSource(ofSongAt: "nowhere") == nil)
        let queue = try ["X/2", "X/1", "Y/1", "X/3", "Y/2"].map { try #require(ids[$0]) }
        #expect(try await test.library.index.albumCovers(of: queue + [SongID(rawValue: 99)]) == ["c1", "c6", "c3"])
    }
}
