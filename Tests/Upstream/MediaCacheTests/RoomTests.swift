import Foundation
import MusicModel
import Playback
import TestSupport
import Testing

@testable import MediaCache

@Suite("Fetching ahead and making room")
struct RoomTests {
    private static let size: Int64 = 529_244

    @Test("the songs that come next are fetched, nearest first")
    func prefetch() async throws {
        try await CacheHarness.run { harness in
            let cache = try harness.cache()
            cache.prefetch([song(3), song(2), song(4)])
            #expect(await eventually { cache.totalSize == 3 * Self.size })
            let order = harness.server.requests.compactMap { $0["id"] }
            #expect(order == [3, 2, 4].map { harness.server.songs[$0 - 1].id })
            let file = try await cache.open(song(2))
            #expect(file.current.isComplete && contents(file.path) == harness.sound(2))
        }
    }

    @Test("a song that is played takes the line from one that is fetched ahead, which goes on afterwards")
    func precedence() async throws {
        try await CacheHarness.run { harness in
            try await harness.server.setFaults(FakeFault(.slow(bytesPerSecond: 800_000), match: "stream"))
            let cache = try harness.cache()
            cache.prefetch([song(2)])
            #expect(await eventually { !harness.streamRequests(2).isEmpty })
            let file = try await cache.open(song(1))
            #expect(await isWhole(file))
            #expect(await eventually { cache.totalSize == 2 * Self.size })
            let second = try await cache.open(song(2))
            #expect(contents(second.path) == harness.sound(2))
        }
    }

    @Test("what is not wanted any more is given up")
    func givenUp() async throws {
        try await CacheHarness.run { harness in
            try await harness.server.setFaults(FakeFault(.paused(after: 100_000), match: "stream"))
            let cache = try harness.cache()
            cache.prefetch([song(2), song(3)])
            #expect(await eventually { !harness.files.isEmpty })
            cache.prefetch([])
            #expect(await eventually { harness.files.isEmpty })
            #expect(harness.streamRequests(3).isEmpty && cache.totalSize == 0)
        }
    }

    @Test("a song that is no longer held is given up, and can be opened again")
    func skipped() async throws {
        try await CacheHarness.run { harness in
            try await harness.server.setFaults(FakeFault(.paused(after: 100_000), match: "stream"))
            let cache = try harness.cache()
            var file: TrackFile? = try await cache.open(song(1))
            #expect(file?.current.isComplete == false)
            file = nil
            #expect(await eventually { harness.files.isEmpty })
            try await harness.server.setFaults()
            let again = try await cache.open(song(1))
            #expect(await isWhole(again))
            #expect(contents(again.path) == harness.sound(1))
        }
    }

    @Test("a song that is being fetched ahead is joined, not fetched twice")
    func joined() async throws {
        try await CacheHarness.run { harness in
            try await harness.server.setFaults(FakeFault(.paused(after: 100_000), match: "stream"))
            let cache = try harness.cache()
            cache.prefetch([song(1)])
            #expect(await eventually { !harness.streamRequests(1).isEmpty })
            let file = try await cache.open(song(1))
            try await harness.server.setFaults()
            #expect(await isWhole(file))
            #expect(harness.streamRequests(1).count == 1)
        }
    }

    @Test("fetching ahead waits out an outage")
    func prefetchOutage() async throws {
        try await CacheHarness.run { harness in
            try await harness.server.setFaults(FakeFault(.http500, match: "stream", count: 6))
            let cache = try harness.cache()
            cache.prefetch([song(1)])
            #expect(await eventually { cache.totalSize == Self.size })
        }
    }

    @Test("the songs that were used longest ago make room")
    func eviction() async throws {
        try await CacheHarness.run { harness in
            let cache = try harness.cache(limit: 2 * Self.size)
            for number in [1, 2] { #expect(await isWhole(try await cache.open(song(Int64(number))))) }
            _ = try await cache.open(song(1))
            #expect(await isWhole(try await cache.open(song(3))))
            #expect(await eventually { cache.totalSize == 2 * Self.size })
            harness.server.forgetRequests()
            #expect(try await cache.open(song(1)).current.isComplete)
            #expect(try await cache.open(song(3)).current.isComplete)
            #expect(harness.server.requests.isEmpty)
            #expect(harness.files.count == 2)
        }
    }

    @Test("songs in use and songs that come next stay, whatever the limit")
    func spared() async throws {
        try await CacheHarness.run { harness in
            let cache = try harness.cache(limit: Self.size)
            let held = try await cache.open(song(1))
            #expect(await isWhole(held))
            cache.prefetch([song(2)])
            #expect(await eventually { cache.totalSize == 2 * Self.size })
            #expect(await isWhole(try await cache.open(song(3))))
            #expect(contents(held.path) == harness.sound(1))
            #expect(try await cache.open(song(2)).current.isComplete)
            #expect(harness.streamRequests(2).count == 1)
        }
    }

    @Test("a smaller limit takes effect on the next start, oldest first")
    func restartEviction() async throws {
        try await CacheHarness.run { harness in
            let cache = try harness.cache()
            for number in 1...3 { #expect(await isWhole(try await cache.open(song(Int64(number))))) }
            #expect(await eventually { cache.totalSize == 3 * Self.size })
            for (index, name) in harness.files.enumerated() {
                let time = Date(timeIntervalSince1970: 1_700_000_000 + Double(index) * 10)
                let path = harness.folder.appending(path: name).path()
                try FileManager.default.setAttributes([.modificationDate: time], ofItemAtPath: path)
            }
            let youngest = try #require(harness.files.last)
            let restarted = try harness.cache(limit: Self.size)
            #expect(harness.files == [youngest] && restarted.totalSize == Self.size)
        }
    }

    @Test("keys tell ids, forms and sizes apart and are safe file names")
    func keys() {
        let raw = TrackForm()
        let names = [
            CacheKey(id: "a/../b", form: raw, suffix: "flac", size: 1),
            CacheKey(id: "a_b", form: raw, suffix: "flac", size: 1),
            CacheKey(id: "a_b", form: raw, suffix: "flac", size: 2),
            CacheKey(id: "a_b", form: TrackForm(format: "mp3", maxBitRate: 128), suffix: "flac", size: 1),
            CacheKey(id: "a_b", form: TrackForm(format: "mp3", maxBitRate: 320), suffix: "flac", size: 1),
            CacheKey(id: String(repeating: "é", count: 300), form: raw, suffix: "flac", size: 1),
            CacheKey(id: String(repeating: "é", count: 301), form: raw, suffix: "flac", size: 1),
        ].map(\.fileName)
        #expect(Set(names).count == names.count)
        #expect(
            names.allSatisfy {
                !$0.contains("/") && !$0.hasPrefix(".") && $0.utf8.count < 250 && !$0.hasSuffix(".part")
            })
    }
}
