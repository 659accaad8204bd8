import Foundation
import Logging
import MusicModel
import Subsonic
import Synchronization
import TestSupport
import Testing

@testable import MediaCache

@Suite("The cache of words")
struct LyricsCacheTests {
    private func cache(_ harness: CacheHarness, now: @escaping @Sendable () -> Int64 = { 1_000_000 }) throws
        -> LyricsCache
    {
        try LyricsCache(
            directory: harness.folder.path(), byteLimit: 1 << 20, client: harness.client,
            gate: RequestGate(firstPause: .milliseconds(1)), patience: (.seconds(60), .seconds(60)), now: now,
            log: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
    }

    private func known(_ song: FakeSong) -> LyricsCache.Song {
        (song.id, song.artists[0], song.title)
    }

    private func requests(_ harness: CacheHarness) -> [String] {
        harness.server.requests.map(\.call).filter { $0.hasPrefix("getLyrics") }
    }

    @Test("words with times become LRC, are preferred, and are kept over a restart")
    func synced() async throws {
        try await CacheHarness.run { harness in
            let song = harness.server.songs[0]
            harness.server.setLyrics(
                of: song.id, FakeLyrics([(nil, "Plain")]), FakeLyrics([(0, "Übersetzt")], kind: "translation"),
                FakeLyrics([(500, "One"), (3_725_040, "Two\n"), (3_726_000, "")]))
            let words = try #require(await (try cache(harness)).lyrics(of: known(song)))
            #expect(words.text == "[00:00.50]One\n[62:05.04]Two\n[62:06.00]\n" && words.isSynced)
            try await harness.server.setFaults(FakeFault(.refuse))
            #expect(await (try cache(harness)).lyrics(of: known(song)) == words)
            #expect(requests(harness) == ["getLyricsBySongId"])
        }
    }

    @Test("no words is kept for a day, words for a week, and old ones are better than none")
    func age() async throws {
        try await CacheHarness.run(retries: 0) { harness in
            let (song, other) = (harness.server.songs[0], harness.server.songs[1])
            harness.server.setLyrics(of: other.id, FakeLyrics([(nil, "Old")]))
            let day: Int64 = 86_400
            let clock = Mutex<Int64>(0)
            let cache = try cache(harness) { clock.withLock { $0 } }
            #expect(await cache.lyrics(of: known(song)) == nil)
            #expect(await cache.lyrics(of: known(other))?.text == "Old\n")
            harness.server.setLyrics(of: song.id, FakeLyrics([(nil, "New")]))
            harness.server.setLyrics(of: other.id, FakeLyrics([(nil, "New")]))
            clock.withLock { $0 = day - 1 }
            #expect(await cache.lyrics(of: known(song)) == nil)
            clock.withLock { $0 = day }
            #expect(await cache.lyrics(of: known(song))?.text == "New\n")
            #expect(await cache.lyrics(of: known(other))?.text == "Old\n")
            clock.withLock { $0 = 7 * day }
            try await harness.server.setFaults(FakeFault(.refuse))
            #expect(await cache.lyrics(of: known(other))?.text == "Old\n")
            try await harness.server.setFaults()
            #expect(await eventually { await cache.lyrics(of: known(other))?.text == "New\n" })
        }
    }

    @Test("an older server is asked by artist and title")
    func older() async throws {
        var options = FakeOptions()
        options.kind = .supysonic
        try await CacheHarness.run(options: options) { harness in
            let song = harness.server.songs[0]
            harness.server.setLyrics(of: song.id, FakeLyrics([(nil, "La"), (nil, "la")]))
            let cache = try cache(harness)
            #expect(await cache.lyrics(of: known(song))?.text == "La\nla\n")
            #expect(await cache.lyrics(of: known(harness.server.songs[1])) == nil)
            // Before these, the server refused a token.
            #expect(requests(harness).suffix(3) == ["getLyricsBySongId", "getLyrics", "getLyrics"])
            #expect(requests(harness).count == 4)
        }
    }

    @Test("a server that is away isn't taken for one without words")
    func down() async throws {
        try await CacheHarness.run(retries: 0) { harness in
            let song = harness.server.songs[0]
            harness.server.setLyrics(of: song.id, FakeLyrics([(nil, "La")]))
            try await harness.server.setFaults(FakeFault(.refuse))
            let cache = try cache(harness)
            #expect(await cache.lyrics(of: known(song)) == nil)
            try await harness.server.setFaults()
            #expect(await eventually { await cache.lyrics(of: known(song)) != nil })
        }
    }

    @Test(
        "text is taken for LRC when lines have times",
        arguments: [
            ("[ti:X]\r\n[00:12.00]Line\r\n[1:02]Next", "[ti:X]\n[00:12.00]Line\n[1:02]Next\n", true),
            ("\n\nWords \t\nmore\u{0}words\n\n", "Words\nmore words\n", false),
            ("[Chorus]\n[:1]x", "[Chorus]\n[:1]x\n", false),
        ])
    func text(given: String, expected: String, isSynced: Bool) throws {
        let words = try #require(Lyrics(text: given))
        #expect(words.text == expected && words.isSynced == isSynced)
        #expect(words.lines.joined(separator: "\n") + "\n" == expected)
    }

    @Test("nothing but white space is no words")
    func nothing() {
        #expect(Lyrics(text: " \n\t\r\n") == nil)
        #expect(Lyrics(lines: [(.seconds(1), " "), (nil, "")]) == nil)
    }
}
