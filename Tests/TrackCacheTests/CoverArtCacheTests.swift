import Foundation
import Logging
import Subsonic
import TestSupport
import Testing

@testable import TrackCache

@Suite("The picture cache")
struct CoverArtCacheTests {
    private func pictures(_ harness: CacheHarness, limit: Int64 = 1 << 30) throws -> CoverArtCache {
        try CoverArtCache(
            directory: harness.folder.path(), byteLimit: limit, size: 60, client: harness.client,
            log: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
    }

    private func requests(_ harness: CacheHarness, _ id: String) -> Int {
        harness.server.requests.filter { $0["id"] == id }.count
    }

    @Test("a picture is fetched once and kept over a restart, also with the server down")
    func kept() async throws {
        try await CacheHarness.run { harness in
            let id = harness.server.songs[0].coverArt
            let cache = try pictures(harness)
            let first = try #require(try await cache.picture(coverArtID: id))
            #expect(first.contentType == "image/png" && first.bytes.starts(with: [0x89, 0x50, 0x4E, 0x47]))
            #expect(try await cache.picture(coverArtID: id) == first)
            #expect(requests(harness, id) == 1)
            try await harness.server.setFaults(FakeFault(.refuse))
            #expect(try await pictures(harness).picture(coverArtID: id) == first)
        }
    }

    @Test("what has no picture has none, though the server sends a placeholder")
    func placeholder() async throws {
        try await CacheHarness.run { harness in
            harness.server.edit(harness.server.songs[1].id) { $0.hasPicture = false }
            let cache = try pictures(harness)
            let id = harness.server.songs[1].coverArt
            for _ in 0..<3 { #expect(try await cache.picture(coverArtID: id) == nil) }
            #expect(try await cache.picture(coverArtID: "al-unknown_0") == nil)
            #expect(requests(harness, id) == 1)
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
            let found = try await withThrowingTaskGroup(of: Bool.self) { group in
                for id in ids + ids { group.addTask { try await cache.picture(coverArtID: id) != nil } }
                return try await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
            }
            #expect(found == 20)
            #expect(ids.allSatisfy { requests(harness, $0) == 1 })
        }
    }

    @Test("without the server and without a copy there is an error, which passes")
    func down() async throws {
        try await CacheHarness.run(retries: 0) { harness in
            let id = harness.server.songs[0].coverArt
            try await harness.server.setFaults(FakeFault(.refuse))
            let cache = try pictures(harness)
            let error = await #expect(throws: SubsonicError.self) { _ = try await cache.picture(coverArtID: id) }
            #expect(error?.code == .unreachable)
            try await harness.server.setFaults()
            #expect(try await cache.picture(coverArtID: id) != nil)
        }
    }
}
