import TestSupport
import Testing

@testable import Subsonic

@Suite("Words and bookmarks")
struct LyricsAndBookmarksTests {
    private func answered<Value>(
        _ call: String, by name: String, _ body: (SubsonicClient) async throws -> Value
    ) async throws -> Value {
        var value: Value?
        try await withServer(songs: 1) { server, client in
            server.setAnswer(of: call, try fixture(name))
            value = try await body(client)
        }
        return try #require(value)
    }

    @Test("words with times are read with their times")
    func synced() async throws {
        let found = try await answered("getLyricsBySongId", by: "getLyricsBySongId_embedded_synced") {
            try await $0.lyrics(songID: "a")
        }
        #expect(
            found == [
                SubsonicLyrics(
                    language: "eng", isSynced: true,
                    lines: [
                        .init(start: .milliseconds(500), text: "First timed line"),
                        .init(start: .milliseconds(2000), text: "Second timed line"),
                        .init(start: .milliseconds(4250), text: "Последняя строка"),
                    ])
            ])
    }

    @Test("words without times have none, and kinds are told")
    func plain() async throws {
        let call = "getLyricsBySongId"
        let plain = try await answered(call, by: "\(call)_embedded_plain") { try await $0.lyrics(songID: "a") }
        #expect(plain?.first?.isSynced == false && plain?.first?.lines.map(\.start) == [nil, nil])
        #expect(plain?.first?.lines.map(\.text) == ["Plain words line one", "Plain words line two"])
        let kind = try await answered(call, by: "\(call)_enhanced") { try await $0.lyrics(songID: "a") }
        #expect(kind?.first?.kind == "main" && kind?.first?.lines.last?.start == .milliseconds(6400))
        #expect(try await answered(call, by: "\(call)_none") { try await $0.lyrics(songID: "a") } == [])
        let error = await failure {
            _ = try await answered(call, by: "\(call)_missing_id") { try await $0.lyrics(songID: "a") }
        }
        #expect(error?.code == .notFound)
    }

    @Test("an offset moves the times")
    func offset() async throws {
        try await withServer { server, client in
            let id = server.songs[0].id
            server.setLyrics(of: id, FakeLyrics([(100, "a"), (2500, "b")], offset: 500))
            let starts = try await client.lyrics(songID: id)?.first?.lines.map(\.start)
            #expect(starts == [.zero, .seconds(2)])
        }
    }

    @Test("older servers find words by artist and title")
    func byTitle() async throws {
        let found = try await answered("getLyrics", by: "getLyrics") {
            try await $0.lyrics(artist: "The Testers", title: "Words")
        }
        #expect(found == "Plain words line one\nPlain words line two\n")
        let none = try await answered("getLyrics", by: "getLyrics_nomatch") {
            try await $0.lyrics(artist: "a", title: "b")
        }
        #expect(none == nil)
        var options = FakeOptions()
        options.kind = .supysonic
        try await withServer(options: options) { server, client in
            let lyrics = try await client.lyrics(songID: server.songs[0].id)
            #expect(lyrics == nil)
        }
    }

    @Test("bookmarks come with their songs, places and times")
    func bookmarks() async throws {
        let found = try await answered("getBookmarks", by: "getBookmarks") { try await $0.bookmarks() }
        #expect(
            found == [
                SubsonicBookmark(
                    songID: "Qu166f5gDzRFvYnT7RJtfT", position: .milliseconds(123_456),
                    changed: "2026-11-21T01:15:49.195585428Z")
            ])
        #expect(try await answered("getBookmarks", by: "getBookmarks_empty") { try await $0.bookmarks() } == [])
    }

    @Test("a bookmark is set, moved and removed; removing none is fine")
    func setting() async throws {
        try await withServer { server, client in
            let id = server.songs[0].id
            try await client.setBookmark(songID: id, position: .milliseconds(61_500))
            try await client.setBookmark(songID: id, position: .seconds(90))
            #expect(server.bookmarks.map(\.position) == [90_000])
            #expect(try await client.bookmarks()?.map(\.position) == [.seconds(90)])
            try await client.removeBookmark(songID: id)
            try await client.removeBookmark(songID: id)
            #expect(server.bookmarks == [])
            let error = await failure { try await client.setBookmark(songID: "nobody", position: .zero) }
            #expect(error?.code == .notFound)
        }
    }

    @Test("a server without bookmarks has none, and says so when one is set")
    func noBookmarks() async throws {
        var options = FakeOptions()
        options.kind = .supysonic
        try await withServer(options: options) { server, client in
            let bookmarks = try await client.bookmarks()
            #expect(bookmarks == nil)
            let error = await failure {
                try await client.setBookmark(songID: server.songs[0].id, position: .seconds(1))
            }
            #expect(error?.isAbsence == true)
        }
    }
}
