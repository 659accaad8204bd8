import Foundation
import Logging
import Subsonic
import TestSupport
import Testing

@testable import MediaCache

@Suite("The picture cache")
struct CoverArtCacheTests {
    private func pictures(
        _ harness: CacheHarness, limit: Int64 = 1 << 30, gate: RequestGate = RequestGate(firstPause: .milliseconds(1)),
        patience: Duration = .seconds(60)
    ) throws -> CoverArtCache {
        try CoverArtCache(
            directory: harness.folder.path(), byteLimit: limit, size: 60, client: harness.client, gate: gate,
            patience: (patience, patience), log: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
    }

    private func requests(_ harness: CacheHarness, _ id: String, size: String? = "60") -> Int {
        harness.server.requests.filter { $0["id"] == id && $0["size"] == size }.count
    }

    @Test("a picture is fetched once and kept over a restart, also with the server down")
    func kept() async throws {
        try await CacheHarness.run { harness in
            let id = harness.server.songs[0].coverArt
            let cache = try pictures(harness)
            let first = try #require(await cache.picture(coverArtID: id))
            #expect(first.contentType == "image/png" && first.bytes.starts(with: [0x89, 0x50, 0x4E, 0x47]))
            #expect(await cache.picture(coverArtID: id) == first)
            #expect(requests(harness, id) == 1)
            try await harness.server.setFaults(FakeFault(.refuse))
            #expect(await (try pictures(harness)).picture(coverArtID: id) == first)
        }
    }

    @Test("sizes are kept apart; an original that can't be had is replaced by the sized picture")
    func sizes() async throws {
        try await CacheHarness.run { harness in
            let ids = harness.server.songs.map(\.coverArt)
            let cache = try pictures(harness)
            let small = try #require(await cache.picture(coverArtID: ids[0]))
            let original = try #require(await cache.picture(coverArtID: ids[0], form: .original))
            #expect(small.bytes != original.bytes)
            #expect(requests(harness, ids[0]) == 1 && requests(harness, ids[0], size: nil) == 1)
            let other = await cache.picture(coverArtID: ids[1])
            try await harness.server.setFaults(FakeFault(.refuse))
            #expect(await cache.picture(coverArtID: ids[0], form: .original) == original)
            #expect(other != nil)
            #expect(await cache.picture(coverArtID: ids[1], form: .original) == other)
        }
    }

    @Test("what has no picture has none, though the server sends a placeholder")
    func placeholder() async throws {
        try await CacheHarness.run { harness in
            harness.server.edit(harness.server.songs[1].id) { $0.hasPicture = false }
            let cache = try pictures(harness)
            let id = harness.server.songs[1].coverArt
            for _ in 0..<3 { #expect(await cache.picture(coverArtID: id) == nil) }
            #expect(await cache.picture(coverArtID: id, form: .original) == nil)
            #expect(await cache.picture(coverArtID: "al-unknown_0") == nil)
            #expect(requests(harness, id) == 1)
            #expect(harness.files == [])
        }
    }

    @Test("a placeholder isn't taken for a picture because the server failed when it was asked for one")
    func unknownPlaceholder() async throws {
        try await CacheHarness.run(retries: 0) { harness in
            harness.server.edit(harness.server.songs[1].id) { $0.hasPicture = false }
            let id = harness.server.songs[1].coverArt
            let cache = try pictures(harness)
            try await harness.server.setFaults(FakeFault(.http500, match: "getCoverArt", count: 1))
            #expect(await cache.picture(coverArtID: id) == nil)
            #expect(harness.files == [])
            #expect(await eventually { await cache.picture(coverArtID: harness.server.songs[0].coverArt) != nil })
            #expect(await cache.picture(coverArtID: id) == nil)
            #expect(harness.files.count == 1)
        }
    }

    @Test("a crowd of callers causes two requests at a time and one a picture")
    func crowd() async throws {
        var options = FakeOptions()
        options.maximumPictures = 2
        options.pictureMilliseconds = 3
        try await CacheHarness.run(songs: 10, options: options, retries: 0) { harness in
            let cache = try pictures(harness)
            let ids = harness.server.songs.map(\.coverArt)
            let found = await withTaskGroup(of: Bool.self) { group in
                for id in ids + ids { group.addTask { await cache.picture(coverArtID: id) != nil } }
                return await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
            }
            #expect(found == 20)
            #expect(ids.allSatisfy { requests(harness, $0) == 1 })
        }
    }

    @Test("what is fetched ahead is there with the server down; the newest wish counts")
    func ahead() async throws {
        try await CacheHarness.run(songs: 6) { harness in
            let cache = try pictures(harness)
            let ids = harness.server.songs.map(\.coverArt)
            cache.prefetch(Array(ids[0..<2]))
            cache.prefetch(Array(ids[2..<5]))
            let wanted = ids[2..<5]
            #expect(await eventually { wanted.allSatisfy { requests(harness, $0) == 1 } && harness.files.count >= 3 })
            #expect(await eventually { !harness.files.contains { $0.hasSuffix(".part") } })
            try await harness.server.setFaults(FakeFault(.refuse))
            for id in wanted { #expect(await cache.picture(coverArtID: id) != nil) }
            #expect(await cache.picture(coverArtID: ids[5]) == nil)
        }
    }

    @Test("without the server and without a copy there is none, which passes")
    func down() async throws {
        try await CacheHarness.run(retries: 0) { harness in
            let id = harness.server.songs[0].coverArt
            try await harness.server.setFaults(FakeFault(.refuse))
            let clock = VirtualClock()
            let gate = RequestGate(clock: clock)
            let cache = try pictures(harness, gate: gate)
            // Each failure doubles the pause.
            for seconds in [10, 20, 40, 80, 160, 160] {
                #expect(await cache.picture(coverArtID: id) == nil)
                clock.pass(.seconds(seconds) - .milliseconds(1))
                #expect(gate.isClosed)
                clock.pass(.milliseconds(1))
                #expect(!gate.isClosed)
            }
            #expect(await cache.picture(coverArtID: id) == nil)
            try await harness.server.setFaults()
            #expect(await cache.picture(coverArtID: id) == nil, "nothing is asked for a while")
            #expect(harness.server.requests.isEmpty)
            gate.serverIsBack()
            #expect(await cache.picture(coverArtID: id) != nil)
        }
    }

    @Test("no client waits for a server that hangs, and what it sends in the end is kept")
    func hanging() async throws {
        try await CacheHarness.run { harness in
            let id = harness.server.songs[0].coverArt
            try await harness.server.setFaults(FakeFault(.held, match: "getCoverArt", value: id))
            let clock = VirtualClock()
            let cache = try pictures(harness, gate: RequestGate(clock: clock), patience: .seconds(5))
            let picture = Task { await cache.picture(coverArtID: id) }
            #expect(await eventually { requests(harness, id) == 1 })
            #expect(try await clock.passPause() == .seconds(5))
            #expect(await picture.value == nil)
            try await harness.server.setFaults()
            #expect(await eventually { await cache.picture(coverArtID: id) != nil })
            #expect(requests(harness, id) == 1)
        }
    }

    @Test("too many requests: the pause that the server asks for is kept")
    func rateLimited() async throws {
        try await CacheHarness.run(retries: 0) { harness in
            let fault = FakeFault(.rateLimited(retryAfter: 3600), match: "getCoverArt", count: 1)
            try await harness.server.setFaults(fault)
            let cache = try pictures(harness)
            for song in harness.server.songs { #expect(await cache.picture(coverArtID: song.coverArt) == nil) }
            #expect(harness.server.requests.count == 1)
        }
    }

    @Test("a damaged file is fetched anew", arguments: ["cut", "changed", "empty", "old"])
    func damaged(kind: String) async throws {
        try await CacheHarness.run { harness in
            let id = harness.server.songs[0].coverArt
            let picture = try #require(await (try pictures(harness)).picture(coverArtID: id))
            let path = harness.folder.appending(path: try #require(harness.files.first)).path()
            var bytes = contents(path)
            switch kind {
            case "cut": bytes.removeLast(100)
            case "changed": bytes[bytes.count - 50] ^= 1
            case "empty": bytes = []
            default: bytes = Array("image/png\n".utf8) + picture.bytes
            }
            try Data(bytes).write(to: URL(filePath: path))
            let cache = try pictures(harness)
            #expect(await cache.picture(coverArtID: id) == picture)
            #expect(await cache.picture(coverArtID: id) == picture)
            #expect(requests(harness, id) == 2)
        }
    }

    @Test("what was used longest ago goes when there is no room")
    func room() async throws {
        try await CacheHarness.run(songs: 5) { harness in
            let ids = harness.server.songs.map(\.coverArt)
            let size = Int64(try #require(await (try pictures(harness)).picture(coverArtID: ids[0])).bytes.count)
            let cache = try pictures(harness, limit: size * 3 + 300)
            for id in [ids[1], ids[2], ids[0], ids[3]] { _ = await cache.picture(coverArtID: id) }
            #expect(harness.files.count == 3)
            try await harness.server.setFaults(FakeFault(.refuse))
            #expect(await cache.picture(coverArtID: ids[0]) != nil)
            #expect(await cache.picture(coverArtID: ids[1]) == nil)
        }
    }
}
