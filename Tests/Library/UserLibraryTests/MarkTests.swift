import Foundation
import GRDB
import LibraryIndex
import LibrarySamples
import MusicModel
import Testing

@testable import UserLibrary

@Suite("Stars, ratings and plays of the server")
struct MarkTests {
    /// Three songs of the server on two albums of one name, and one of a folder.
    private func library() async throws -> TestLibrary {
        let test = try await TestLibrary([
            song("a.flac", id: "id-a", (.title, "A"), (.album, "Best"), (.artist, "X")),
            song("b.flac", id: "id-b", (.title, "B"), (.album, "Best"), (.artist, "Y")),
            song("c.flac", id: "id-c", (.title, "C"), (.album, "Other"), (.artist, "X"), (.albumArtist, "X")),
        ])
        var own = song("own.flac", mount: "local")
        own.source = .localFile(path: "/own.flac")
        _ = try await test.library.index.apply(LibraryChanges(mount: "local", upserts: [own]))
        return test
    }

    private func stickers(_ test: TestLibrary, _ uri: String) async throws -> [String: String] {
        let id = try #require(try await test.library.index.songID(at: uri))
        return Dictionary(
            uniqueKeysWithValues: try await test.library.stickers(of: .song(id)).map { ($0.name, $0.value) })
    }

    private func set(_ test: TestLibrary, _ uri: String, _ name: String, _ value: String) async throws {
        let id = try #require(try await test.library.index.songID(at: uri))
        try await test.library.setSticker(name, of: .song(id), to: value)
    }

    @discardableResult
    private func take(_ test: TestLibrary, _ marks: ServerSongMarks..., others: MarkFields = []) async throws -> Bool {
        let clock = try await test.library.markClock()
        return try await test.library.takeSongMarks(marks, others: others, clock: clock)
    }

    private func edits(_ test: TestLibrary) async throws -> [String] {
        try await test.library.waitingMarkEdits(limit: 100).map { "\($0.serverID) \($0.field) \($0.value)" }
    }

    /// Lets the server take everything that waits.
    private func push(_ test: TestLibrary) async throws {
        try await test.library.finishMarkEdits(try await test.library.waitingMarkEdits(limit: 100))
    }

    // MARK: From the server

    @Test("The server's values become stickers, which is no change of the songs; the same again changes nothing")
    func taking() async throws {
        let test = try await library()
        let before = try await test.library.index.statistics().updated
        let marks = ServerSongMarks(
            serverID: "id-a", starred: 1_700_000_000_000, rating: 3, plays: 7, played: 1_700_000_100)
        #expect(try await take(test, marks, ServerSongMarks(serverID: "id-b"), ServerSongMarks(serverID: "nobody")))
        let expected = ["like": "2", "rating": "6", "playCount": "7", "lastPlayed": "1700000100"]
        #expect(try await stickers(test, "a.flac") == expected)
        #expect(try await stickers(test, "b.flac").isEmpty)
        #expect(try await !take(test, marks, ServerSongMarks(serverID: "id-b")))
        #expect(try await test.library.index.statistics().updated == before)
        #expect(try test.inspect { try $0.integer("SELECT count(*) FROM song_mark") } == 1)
        #expect(try await edits(test).isEmpty)
        #expect(try await test.library.stickerNames().map(\.name) == ["lastPlayed", "like", "playCount", "rating"])
    }

    @Test("What a complete answer does not name has nothing; an answer about stars says nothing of ratings")
    func completeAnswers() async throws {
        let test = try await library()
        try await take(
            test, ServerSongMarks(serverID: "id-a", starred: 1, rating: 3),
            ServerSongMarks(serverID: "id-b", starred: 1))
        #expect(try await take(test, ServerSongMarks(serverID: "id-b", starred: 1), others: .star))
        #expect(try await stickers(test, "a.flac") == ["rating": "6"])
        #expect(try await take(test, others: .all))
        for uri in ["a.flac", "b.flac"] { #expect(try await stickers(test, uri).isEmpty) }
    }

    @Test("Odd ratings and dislikes stay as long as the server has their rounding")
    func rounding() async throws {
        let test = try await library()
        try await set(test, "a.flac", "rating", "7")
        try await set(test, "a.flac", "like", "0")
        #expect(try await edits(test) == ["id-a rating 4", "id-a star 0"])
        try await push(test)
        #expect(try await edits(test).isEmpty)
        try await take(test, ServerSongMarks(serverID: "id-a", rating: 4))
        #expect(try await stickers(test, "a.flac") == ["rating": "7", "like": "0"])
        try await take(test, ServerSongMarks(serverID: "id-a", starred: 5, rating: 3))
        #expect(try await stickers(test, "a.flac") == ["rating": "6", "like": "2"])
        try await take(test, ServerSongMarks(serverID: "id-a"))
        #expect(try await stickers(test, "a.flac").isEmpty)
    }

    // MARK: To the server

    @Test("Edits of songs of the server wait for it, the last one of each kind; others don't")
    func waiting() async throws {
        let test = try await library()
        try await set(test, "a.flac", "rating", "4")
        try await set(test, "b.flac", "like", "2")
        try await set(test, "a.flac", "rating", "10")
        try await set(test, "a.flac", "skipCount", "3")
        try await set(test, "local/own.flac", "rating", "4")
        try await set(test, "c.flac", "rating", "superb")
        #expect(try await edits(test) == ["id-b star 1", "id-a rating 5"])
        let id = try #require(try await test.library.index.songID(at: "a.flac"))
        try await test.library.deleteSticker("rating", of: .song(id))
        #expect(try await edits(test) == ["id-b star 1", "id-a rating 0"])
    }

    @Test("An edit that was replaced while it was sent goes on waiting")
    func replacedInFlight() async throws {
        let test = try await library()
        try await set(test, "a.flac", "rating", "4")
        let sent = try await test.library.waitingMarkEdits(limit: 10)
        try await set(test, "a.flac", "rating", "8")
        try await test.library.finishMarkEdits(sent)
        #expect(try await edits(test) == ["id-a rating 4"])
    }

    @Test("An edit that was replaced before it was sent is not sent, and the newer one does not count as sent")
    func replacedBeforeSending() async throws {
        let test = try await library()
        try await take(test, ServerSongMarks(serverID: "id-a"))
        try await set(test, "a.flac", "like", "2")
        let stale = try await test.library.waitingMarkEdits(limit: 10)
        try await set(test, "a.flac", "like", "0")
        #expect(try await test.library.beginMarkEdits(stale).isEmpty)
        let fresh = try await test.library.waitingMarkEdits(limit: 10)
        #expect(fresh.map(\.value) == [0])
        #expect(try await test.library.beginMarkEdits(fresh) == fresh)
        #expect(try await stickers(test, "a.flac") == ["like": "0"])
    }

    @Test("A newer edit waits for an earlier one that is under way, whatever the server shows meanwhile")
    func shadowed() async throws {
        let test = try await library()
        try await take(test, ServerSongMarks(serverID: "id-a", starred: 5))
        try await set(test, "a.flac", "like", "0")
        let sent = try await test.library.waitingMarkEdits(limit: 10)
        #expect(try await test.library.beginMarkEdits(sent) == sent)
        try await set(test, "a.flac", "like", "2")
        try await take(test, ServerSongMarks(serverID: "id-a", starred: 5))
        try await test.library.finishMarkEdits(sent)
        #expect(try await edits(test) == ["id-a star 1"])
        try await push(test)
        try await take(test, ServerSongMarks(serverID: "id-a", starred: 9))
        #expect(try await stickers(test, "a.flac") == ["like": "2"])
    }

    @Test("An answer that was asked for before an edit does not undo it")
    func staleAnswers() async throws {
        let test = try await library()
        let before = try await test.library.markClock()
        try await set(test, "a.flac", "rating", "8")
        let stale = ServerSongMarks(serverID: "id-a", rating: 1)
        #expect(try await !test.library.takeSongMarks([stale], clock: before))
        let between = try await test.library.markClock()
        try await push(test)
        #expect(try await !test.library.takeSongMarks([stale], clock: between))
        #expect(try await stickers(test, "a.flac") == ["rating": "8"])
        // Nor does it once a newer one was taken.
        #expect(try await !take(test, ServerSongMarks(serverID: "id-a", rating: 4)))
        #expect(try await !test.library.takeSongMarks([stale], clock: between))
        #expect(try await take(test, ServerSongMarks(serverID: "id-a", rating: 3)))
        #expect(try await !test.library.takeSongMarks([stale], clock: between))
        #expect(try await stickers(test, "a.flac") == ["rating": "6"])
    }

    @Test(
        "Plays stay within what is plausible, whatever clients and servers claim",
        arguments: ["9223372036854775807", "99999999999999999999", "1e300", "-9223372036854775808"])
    func implausiblePlays(claimed: String) async throws {
        let test = try await library()
        let id = try #require(try await test.library.index.songID(at: "a.flac"))
        let plausible = claimed.hasPrefix("-") ? "0" : "2147483648"
        try await set(test, "a.flac", "playCount", claimed)
        #expect(try await stickers(test, "a.flac")["playCount"] == plausible)
        try await set(test, "a.flac", "playCount", "1")
        try await set(test, "a.flac", "playCount", claimed)
        try await test.library.countSticker("playCount", of: .song(id), .up, by: "9223372036854775807")
        try await test.library.countSticker("playCount", of: .song(id), .up, by: "9223372036854775807")
        let counted = try await stickers(test, "a.flac")["playCount"].flatMap { Int64($0) }
        #expect(counted.map { (0...2_147_483_648).contains($0) } == true)
        try await take(test, ServerSongMarks(serverID: "id-a", plays: .max, played: .max))
        try await take(test, ServerSongMarks(serverID: "id-a", plays: .min, played: .min))
        try await take(test, ServerSongMarks(serverID: "id-a", plays: .max, played: 5))
        #expect(try await stickers(test, "a.flac")["playCount"] == "2147483648")
    }

    @Test("An implausible number of plays that is stored already doesn't hurt")
    func storedImplausiblePlays() async throws {
        let test = try await library()
        let id = try #require(try await test.library.index.songID(at: "a.flac"))
        try await test.library.write { database in
            _ = try StickerStore(database).set("playCount", of: .song(id), to: "9223372036854775807")
        }
        try await set(test, "a.flac", "playCount", "1")
        try await test.library.write { database in
            _ = try StickerStore(database).set("playCount", of: .song(id), to: "9223372036854775807")
            try PlayCounting(database, now: .max).count(id, started: 0)
        }
        #expect(try await stickers(test, "a.flac")["playCount"] == "2147483648")
    }

    @Test("A rebuilt server gets the stars and ratings back; plays stay here")
    func rebuilt() async throws {
        let test = try await library()
        try await take(test, ServerSongMarks(serverID: "id-a", starred: 1, rating: 3, plays: 7, played: 9))
        _ = try await test.library.index.apply(
            LibraryChanges(
                mount: "", upserts: [song("a.flac", id: "new", hash: 2, (.title, "A"), (.album, "Best"))],
                removals: ["id-a"]))
        try await take(test, others: .all)
        let kept = ["like": "2", "rating": "6", "playCount": "7", "lastPlayed": "9"]
        #expect(try await stickers(test, "a.flac") == kept)
        #expect(try await edits(test) == ["new star 1", "new rating 3"])
        try await push(test)
        try await take(test, ServerSongMarks(serverID: "new", starred: 2, rating: 3, plays: 1, played: 20))
        #expect(
            try await stickers(test, "a.flac") == ["like": "2", "rating": "6", "playCount": "8", "lastPlayed": "20"])
    }

    @Test("An edit that the server refuses is forgotten, and the sticker stays")
    func refused() async throws {
        let test = try await library()
        try await set(test, "a.flac", "rating", "8")
        try await test.library.discardMarkEdit(try #require(try await test.library.waitingMarkEdits(limit: 1).first))
        #expect(try await edits(test).isEmpty)
        #expect(try await stickers(test, "a.flac") == ["rating": "8"])
    }

    // MARK: Albums and artists

    private func takeAlbums(_ test: TestLibrary, _ marks: ServerItemMarks...) async throws {
        let clock = try await test.library.markClock()
        _ = try await test.library.takeMarks(of: .album, marks, clock: clock)
    }

    @Test("Albums of one name show the best of them, and an edit goes to all of them")
    func albums() async throws {
        let test = try await library()
        try await takeAlbums(
            test, ServerItemMarks(serverID: "al-1", name: "Best", rating: 2),
            ServerItemMarks(serverID: "al-2", name: "Best", starred: 7, rating: 4),
            ServerItemMarks(serverID: "al-3", name: "Other"))
        let best = StickerObject.tag(.album, "Best")
        #expect(try await test.library.stickers(of: best).map { "\($0.name)=\($0.value)" } == ["like=2", "rating=8"])
        try await test.library.setSticker("rating", of: best, to: "2")
        try await test.library.deleteSticker("like", of: best)
        #expect(try await edits(test) == ["al-1 rating 1", "al-2 rating 1", "al-2 star 0"])
        try await push(test)
        try await takeAlbums(
            test, ServerItemMarks(serverID: "al-1", name: "Best", rating: 1),
            ServerItemMarks(serverID: "al-2", name: "Best", rating: 1))
        #expect(try await test.library.stickers(of: best).map { "\($0.name)=\($0.value)" } == ["rating=2"])
        // Another client rates one of the two: the best counts, and nothing is sent.
        try await takeAlbums(test, ServerItemMarks(serverID: "al-2", name: "Best", rating: 5))
        #expect(try await test.library.sticker("rating", of: best) == "10")
        #expect(try await edits(test).isEmpty)
        // A new album of the name is not what was rated.
        try await takeAlbums(test, ServerItemMarks(serverID: "al-4", name: "Best"))
        #expect(try await edits(test).isEmpty)
    }

    @Test("An artist has the same marks as artist and as album artist")
    func artists() async throws {
        let test = try await library()
        let clock = try await test.library.markClock()
        let artist = ServerItemMarks(serverID: "ar-x", name: "X", starred: 4)
        #expect(try await test.library.takeMarks(of: .artist, [artist], clock: clock))
        for tag in [Tag.artist, .albumArtist] {
            #expect(try await test.library.sticker("like", of: .tag(tag, "X")) == "2")
        }
        try await test.library.setSticker("rating", of: .tag(.albumArtist, "X"), to: "5")
        #expect(try await test.library.sticker("rating", of: .tag(.artist, "X")) == "5")
        #expect(try await edits(test) == ["ar-x rating 3"])
        try await test.library.setSticker("rating", of: .tag(.genre, "Rock"), to: "5")
        #expect(try await edits(test) == ["ar-x rating 3"])
    }

    // MARK: Plays

    private func play(_ test: TestLibrary, _ uri: String, at seconds: Int64) async throws {
        let id = try #require(try await test.library.index.songID(at: uri))
        try await test.library.enqueuePlay(song: id, startedAt: seconds * 1000)
    }

    @Test("A play shows at once, and once, however far it is on its way to the server")
    func plays() async throws {
        let test = try await library()
        try await take(test, ServerSongMarks(serverID: "id-a", plays: 7, played: 100))
        try await play(test, "a.flac", at: 200)
        #expect(try await stickers(test, "a.flac") == ["playCount": "8", "lastPlayed": "200"])
        // Whether this answer knows of the play can't be told, so it is not believed.
        #expect(try await !take(test, ServerSongMarks(serverID: "id-a", plays: 8, played: 200)))
        let before = try await test.library.markClock()
        try await test.library.removePlays(try await test.library.waitingPlays(limit: 9).map(\.id))
        let stale = ServerSongMarks(serverID: "id-a", plays: 7, played: 100)
        #expect(try await !test.library.takeSongMarks([stale], clock: before))
        #expect(try await !take(test, ServerSongMarks(serverID: "id-a", plays: 8, played: 200)))
        #expect(try await stickers(test, "a.flac") == ["playCount": "8", "lastPlayed": "200"])
        #expect(try await take(test, ServerSongMarks(serverID: "id-a", plays: 10, played: 300)))
        #expect(try await stickers(test, "a.flac") == ["playCount": "10", "lastPlayed": "300"])
    }

    @Test("A client that counts the same play is an echo, before or after and in both of its ways")
    func echoes() async throws {
        let test = try await library()
        let now = Int64(Date().timeIntervalSince1970)
        let object = StickerObject.song(try #require(try await test.library.index.songID(at: "a.flac")))
        func count() async throws -> String? { try await test.library.sticker("playCount", of: object) }
        try await play(test, "a.flac", at: now)
        #expect(try await test.library.countSticker("playCount", of: object, .up, by: "1") == nil)
        #expect(try await count() == "1")
        // The same play can't be counted by the client twice: this one is its own.
        try await test.library.countSticker("playCount", of: object, .up, by: "1")
        #expect(try await count() == "2")
        // And if that was the next play, ours is the echo.
        try await play(test, "a.flac", at: now - 10)
        #expect(try await count() == "2")
        try await play(test, "a.flac", at: now + 20)
        #expect(try await test.library.setSticker("playCount", of: object, to: "4") == nil)
        #expect(try await count() == "3")
        try await test.library.setSticker("playCount", of: object, to: "50")
        #expect(try await count() == "50")
    }

    @Test("A count of an earlier play does not swallow a later one")
    func oldEcho() async throws {
        let test = try await library()
        let object = StickerObject.song(try #require(try await test.library.index.songID(at: "a.flac")))
        try await test.library.countSticker("playCount", of: object, .up, by: "1")
        try await play(test, "a.flac", at: Int64(Date().timeIntervalSince1970) + 100)
        #expect(try await test.library.sticker("playCount", of: object) == "2")
    }

    @Test("A play that can't be submitted stays in the count, and the server's number is not taken for higher")
    func hopelessPlays() async throws {
        let test = try await library()
        try await take(test, ServerSongMarks(serverID: "id-a", plays: 1, played: 5))
        try await play(test, "a.flac", at: 10)
        try await test.library.removePlays(try await test.library.waitingPlays(limit: 9).map(\.id), areCounted: false)
        try await take(test, ServerSongMarks(serverID: "id-a", plays: 2, played: 20))
        #expect(try await stickers(test, "a.flac") == ["playCount": "3", "lastPlayed": "20"])
    }
}
