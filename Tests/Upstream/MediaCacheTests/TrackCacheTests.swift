import Foundation
import MusicModel
import Playback
import Subsonic
import Synchronization
import TestSupport
import Testing

@testable import MediaCache

@Suite("The track cache")
struct TrackCacheTests {
    @Test("a song is fetched once, byte for byte, and is there at once the next time")
    func fetchAndReuse() async throws {
        try await CacheHarness.run { harness in
            let cache = try harness.cache()
            let file = try await cache.open(song(1))
            #expect(file.suffix == "wav" && file.current.total == 529_244)
            #expect(await isWhole(file))
            #expect(contents(file.path) == harness.sound(1))
            let again = try await cache.open(song(1))
            #expect(again.current.isComplete && again.path == file.path)
            #expect(harness.streamRequests(1).count == 1)
        }
    }

    @Test("a song that can't be fetched keeps the reason beneath, for the log")
    func causes() async throws {
        try await CacheHarness.run(retries: 0) { harness in
            let cache = try harness.cache()
            try await harness.server.setFaults(FakeFault(.wrongCredentials, match: "stream"))
            let error = await #expect(throws: TrackError.self) {
                let file = try await cache.open(song(1))
                _ = await isWhole(file)
                throw TrackError("it was there")
            }
            #expect(try #require(error).origin.cause is SubsonicError)
        }
    }

    @Test("a growing song can be read before it is whole")
    func growing() async throws {
        try await CacheHarness.run { harness in
            try await harness.server.setFaults(FakeFault(.paused(after: 100_000), match: "stream"))
            let cache = try harness.cache()
            let file = try await cache.open(song(1))
            #expect(!file.current.isComplete && file.current.available < 529_244 && file.current.total == 529_244)
            #expect(await eventually { file.current.available > 0 })
            let available = Int(file.current.available)
            #expect(Array(contents(file.path).prefix(available)) == Array(harness.sound(1).prefix(available)))
            try await harness.server.setFaults()
            #expect(await isWhole(file))
        }
    }

    @Test("several readers share one download")
    func shared() async throws {
        try await CacheHarness.run { harness in
            let cache = try harness.cache()
            let files = try await withThrowingTaskGroup(of: TrackFile.self) { group in
                for _ in 0..<8 { group.addTask { try await cache.open(song(2)) } }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            for file in files { #expect(await isWhole(file)) }
            #expect(harness.streamRequests(2).count == 1)
        }
    }

    @Test("a song that comes while it waits to be fetched ahead is not fetched again under its readers")
    func cameMeanwhile() async throws {
        try await CacheHarness.run { harness in
            try await harness.server.setFaults(FakeFault(.slow(bytesPerSecond: 400_000), match: "stream", count: 1))
            let cache = try harness.cache()
            let file = try await cache.open(song(1))
            cache.prefetch([song(1), song(2)])
            #expect(await isWhole(file))
            #expect(await eventually { cache.totalSize == 2 * 529_244 })
            #expect(harness.streamRequests(1).count == 1)
            #expect(contents(file.path) == harness.sound(1))
        }
    }

    @Test("a broken download goes on where it broke")
    func resume() async throws {
        try await CacheHarness.run { harness in
            try await harness.server.setFaults(FakeFault(.cut(after: 200_000), match: "stream", count: 2))
            let file = try await harness.cache().open(song(1))
            #expect(await isWhole(file))
            #expect(contents(file.path) == harness.sound(1))
            let ranges = harness.streamRequests(1).map { $0.headers["range"] }
            #expect(ranges.count == 3 && ranges[0] == nil)
            #expect(ranges[1...].allSatisfy { $0?.hasPrefix("bytes=") == true && $0 != "bytes=0-" })
        }
    }

    @Test("a server that ignores ranges begins anew, and no byte is doubled")
    func resumeWithoutRanges() async throws {
        var options = FakeOptions()
        options.ignoresRanges = true
        try await CacheHarness.run(options: options) { harness in
            try await harness.server.setFaults(FakeFault(.cut(after: 100_000), match: "stream", count: 1))
            let file = try await harness.cache().open(song(1))
            #expect(await isWhole(file))
            #expect(contents(file.path) == harness.sound(1))
        }
    }

    @Test("a song that changes while it is fetched ahead is fetched anew", arguments: [true, false])
    func changes(isLonger: Bool) async throws {
        try await CacheHarness.run { harness in
            try await harness.server.setFaults(
                FakeFault(.cut(after: 200_000), match: "stream", count: 1), FakeFault(.down, match: "stream"))
            let cache = try harness.cache()
            cache.prefetch([song(1)])
            #expect(await eventually { harness.streamRequests(1).count > 1 })
            harness.server.edit(harness.server.songs[0].id) {
                $0.modified += 60
                if isLonger { $0.soundMilliseconds = 3500 }
            }
            try await harness.server.setFaults()
            let sound = harness.sound(1)
            #expect(await eventually { cache.totalSize == Int64(sound.count) })
            let file = try await cache.open(song(1))
            #expect(contents(file.path) == sound)
            #expect(harness.streamRequests(1).last?.headers["range"] == nil)
        }
    }

    @Test("a song that is read while its tags change goes on where it broke")
    func changesInUse() async throws {
        try await CacheHarness.run { harness in
            try await harness.server.setFaults(
                FakeFault(.cut(after: 200_000), match: "stream", count: 1), FakeFault(.down, match: "stream"))
            let file = try await harness.cache().open(song(1))
            #expect(await eventually { harness.streamRequests(1).count > 1 })
            harness.server.edit(harness.server.songs[0].id) { $0.modified += 60 }
            try await harness.server.setFaults()
            #expect(await isWhole(file))
            #expect(contents(file.path) == harness.sound(1))
        }
    }

    @Test("a download survives an outage in the middle")
    func outage() async throws {
        try await CacheHarness.run { harness in
            try await harness.server.setFaults(FakeFault(.slow(bytesPerSecond: 500_000), match: "stream"))
            let file = try await harness.cache().open(song(1))
            #expect(await eventually { file.current.available > 0 })
            try await harness.server.setFaults(FakeFault(.refuse))
            let stalled = file.current
            #expect(!stalled.isComplete && stalled.failure == nil)
            try await harness.server.setFaults()
            #expect(await isWhole(file))
            #expect(contents(file.path) == harness.sound(1))
        }
    }

    @Test("a song that has not begun is waited for while the server is away, but not without limit")
    func patience() async throws {
        try await CacheHarness.run { harness in
            try await harness.server.setFaults(FakeFault(.refuse))
            let cache = try harness.cache(patience: .seconds(60))
            let opening = Task { try await cache.open(song(1)) }
            #expect(await eventually { !harness.files.isEmpty })
            try await harness.server.setFaults()
            let file = try await opening.value
            #expect(await isWhole(file))
            try await harness.server.setFaults(FakeFault(.refuse))
            let clock = VirtualClock()
            let start = clock.now
            let patient = try harness.cache(patience: .seconds(120), clock: clock)
            let isOver = Mutex(false)
            let other = Task {
                defer { isOver.withLock { $0 = true } }
                _ = try await patient.open(song(2))
            }
            // Pauses of 1, 2, 4, 8, 16, 30, 30 and 30 seconds.
            try await clock.passPauses(until: "the end of patience") { isOver.withLock(\.self) }
            await #expect(throws: TrackError.self) { try await other.value }
            #expect(clock.now - start == .seconds(121))
        }
    }

    @Test("what is cached plays with the server down, also after a restart")
    func serverDown() async throws {
        try await CacheHarness.run { harness in
            let file = try await harness.cache().open(song(1))
            #expect(await isWhole(file))
            #expect(await eventually { !harness.files.contains { $0.hasSuffix(".part") } })
            try await harness.server.setFaults(FakeFault(.refuse))
            let restarted = try harness.cache()
            let cached = try await restarted.open(song(1))
            #expect(cached.current.isComplete && contents(cached.path) == harness.sound(1))
            let error = await #expect(throws: TrackError.self) { _ = try await restarted.open(song(2)) }
            #expect(error?.message.contains("can't be reached") == true)
        }
    }

    @Test("what a crash left unfinished is fetched again")
    func crash() async throws {
        try await CacheHarness.run { harness in
            let first = try await harness.cache().open(song(1))
            #expect(await isWhole(first))
            #expect(await eventually { !harness.files.contains { $0.hasSuffix(".part") } })
            let name = try #require(harness.files.first)
            // As if the process had died in the middle.
            try Data("half".utf8).write(to: harness.folder.appending(path: name))
            try Data().write(to: harness.folder.appending(path: name + ".part"))
            let cache = try harness.cache()
            #expect(harness.files.isEmpty)
            let file = try await cache.open(song(1))
            #expect(await isWhole(file))
            #expect(contents(file.path) == harness.sound(1))
        }
    }

    @Test("a song that is gone on the server says why")
    func gone() async throws {
        try await CacheHarness.run { harness in
            let cache = try harness.cache()
            harness.server.edit(harness.server.songs[0].id) { $0.id = "other" }
            let error = await #expect(throws: TrackError.self) { _ = try await cache.open(song(9)) }
            #expect(error?.message.contains("no longer in the library") == true)
            try await harness.server.setFaults(FakeFault(.html, match: "stream"))
            let page = await #expect(throws: TrackError.self) { _ = try await cache.open(song(2)) }
            #expect(page?.message.contains("web page") == true)
            #expect(await eventually { harness.files.isEmpty })
        }
    }

    @Test("a transcoding has its length when it is done")
    func transcoding() async throws {
        try await CacheHarness.run { harness in
            let cache = try harness.cache(form: TrackForm(format: "mp3", maxBitRate: 128))
            let file = try await cache.open(song(1))
            #expect(file.suffix == "mp3" && file.current.total == nil)
            #expect(await isWhole(file))
            #expect(file.current.total == 264_622)
            #expect(harness.streamRequests(1).last?["maxBitRate"] == "128")
        }
    }

    @Test("a song that can't be decoded here is converted by the server, and others come as they are")
    func undecodable() async throws {
        try await CacheHarness.run { harness in
            let deaf = try harness.cache(canDecode: { $0 != "wav" })
            let file = try await deaf.open(song(1))
            #expect(await isWhole(file))
            #expect(file.current.total == 264_622 && harness.streamRequests(1).isEmpty)
            #expect(harness.server.requests.last?.call == "getTranscodeStream")
            let again = try await deaf.open(song(1))
            #expect(again.current.isComplete)
            #expect(harness.server.requests.count { $0.call == "getTranscodeStream" } == 1)
            let whole = try await harness.cache().open(song(1))
            #expect(await isWhole(whole))
            #expect(contents(whole.path) == harness.sound(1))
        }
    }

    @Test("a song whose bytes turn out to be undecodable is converted by the server, from then on")
    func foundUndecodable() async throws {
        try await CacheHarness.run { harness in
            func conversions() -> Int { harness.server.requests.count { $0.call == "getTranscodeStream" } }
            let cache = try harness.cache()
            let original = try await cache.open(song(1))
            #expect(await isWhole(original))
            #expect(!original.isConverted)
            let file = try await cache.openConverted(song(1))
            #expect(await isWhole(file))
            #expect(file.isConverted && file.current.total == 264_622)
            await #expect(throws: TrackError.self) { _ = try await cache.openConverted(song(1)) }
            #expect(try await cache.open(song(1)).isConverted)
            // After a restart there may be a decoder; both forms are kept.
            let later = try harness.cache()
            #expect(try await !later.open(song(1)).isConverted)
            #expect(try await later.openConverted(song(1)).isConverted)
            #expect(conversions() == 1 && harness.streamRequests(1).count == 1)
            #expect(try await !cache.open(song(2)).isConverted, "others come as they are")
            // One that isn't converted either comes no second time as it is.
            let refusal =
                #"{"subsonic-response":{"status":"ok","transcodeDecision":{"canTranscode":false,"errorReason":"no"}}}"#
            harness.server.setAnswer(of: "getTranscodeDecision", Array(refusal.utf8))
            for _ in 0..<2 { await #expect(throws: TrackError.self) { _ = try await cache.openConverted(song(3)) } }
            #expect(harness.streamRequests(3).isEmpty && conversions() == 1)
        }
    }

    @Test(
        "a song that the server can't convert is fetched as it is",
        arguments: [(.internalError, 2), (.empty, 1)] as [(FakeFault.Mode, Int)])
    func refusedConversion(mode: FakeFault.Mode, tries: Int) async throws {
        try await CacheHarness.run { harness in
            try await harness.server.setFaults(FakeFault(mode, match: "stream", value: "mp3"))
            let cache = try harness.cache(form: TrackForm(format: "mp3", maxBitRate: 128), patience: .seconds(600))
            let file = try await cache.open(song(1))
            #expect(await isWhole(file))
            #expect(file.suffix == "wav" && contents(file.path) == harness.sound(1))
            let formats = harness.streamRequests(1).map { $0["format"] }
            #expect(formats == Array(repeating: "mp3", count: tries) + ["raw"])
            #expect(harness.streamRequests(1).last?["maxBitRate"] == nil)
            let again = try await cache.open(song(1))
            #expect(again.current.isComplete && harness.streamRequests(1).count == tries + 1)
        }
    }

    @Test("a song that the server refuses in its own words is given up after two tries, with these")
    func refused() async throws {
        try await CacheHarness.run { harness in
            try await harness.server.setFaults(FakeFault(.internalError, match: "stream"))
            let cache = try harness.cache(patience: .seconds(600))
            let error = await #expect(throws: TrackError.self) { _ = try await cache.open(song(1)) }
            #expect(error?.message.contains("database is locked") == true)
            #expect(harness.streamRequests(1).count == 2)
            try await harness.server.setFaults()
            let file = try await cache.open(song(1))
            #expect(await isWhole(file))
        }
    }

    @Test("a song of which the server refuses the rest in its own words ends with these", arguments: [2, 100])
    func refusedRest(times: Int) async throws {
        try await CacheHarness.run(retries: 0) { harness in
            let size = harness.sound(1).count
            try await harness.server.setFaults(
                FakeFault(.cut(after: size / 2), match: "stream", count: 1),
                FakeFault(.internalError, match: "stream", count: times))
            let file = try await harness.cache(patience: .seconds(600)).open(song(1))
            #expect(await isWhole(file) == (times == 2))
            if times > 2 {
                #expect(file.current.failure?.contains("database is locked") == true)
                #expect(harness.streamRequests(1).count == 5)
            }
        }
    }

    @Test("local files are there at once, and bad ones say why")
    func localFiles() async throws {
        try await CacheHarness.run { harness in
            try FileManager.default.createDirectory(at: harness.folder, withIntermediateDirectories: true)
            let outside = URL.temporaryDirectory.appending(path: "segue-local-\(UUID().uuidString)")
            try FileManager.default.createDirectory(at: outside, withIntermediateDirectories: true)
            let good = outside.appending(path: "good.flac")
            let empty = outside.appending(path: "empty.flac")
            try Data("sound".utf8).write(to: good)
            try Data().write(to: empty)
            let paths = [
                song(1): good.path(), song(2): empty.path(), song(3): "\(outside.path())/none", song(4): outside.path(),
            ]
            let cache = try harness.cache(overrides: paths)
            let file = try await cache.open(song(1))
            #expect(file.current.isComplete && file.current.total == 5 && file.path == good.path())
            for bad in 2...4 { await #expect(throws: TrackError.self) { _ = try await cache.open(song(Int64(bad))) } }
            try FileManager.default.removeItem(at: outside)
        }
    }

    @Test("a song of a network storage that was exchanged for a link to this machine's files isn't opened")
    func exchangedForLink() async throws {
        try await CacheHarness.run { harness in
            let folder = URL.temporaryDirectory.appending(path: "segue-storage-\(UUID().uuidString)").path
            defer { try? FileManager.default.removeItem(atPath: folder) }
            for name in ["volume", "storages"] {
                try FileManager.default.createDirectory(atPath: "\(folder)/\(name)", withIntermediateDirectories: true)
            }
            for name in ["volume/song.flac", "private.flac"] {
                try Data("sound".utf8).write(to: URL(filePath: "\(folder)/\(name)"))
            }
            try FileManager.default.createSymbolicLink(
                atPath: "\(folder)/storages/nas", withDestinationPath: "\(folder)/volume")
            LinkBoundary.keep("\(folder)/storages")
            let cache = try harness.cache(overrides: [song(1): "\(folder)/storages/nas/song.flac"])
            #expect(try await cache.open(song(1)).current.total == 5)
            try FileManager.default.removeItem(atPath: "\(folder)/volume/song.flac")
            try FileManager.default.createSymbolicLink(
                atPath: "\(folder)/volume/song.flac", withDestinationPath: "\(folder)/private.flac")
            let error = await #expect(throws: TrackError.self) { _ = try await cache.open(song(1)) }
            #expect(error?.message.contains("leads out of its storage") == true)
        }
    }

    @Test("the folder must be usable")
    func badFolder() async throws {
        try await CacheHarness.run { harness in
            try Data().write(to: harness.folder)
            let error = #expect(throws: TrackError.self) { _ = try harness.cache() }
            #expect(error?.message.contains(harness.folder.path()) == true)
        }
    }
}
