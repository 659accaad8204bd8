import Foundation
import MusicModel
import Playback
import TestSupport
import Testing

@testable import MediaCache

@Suite("The cache and the disk")
struct DiskTests {
    private func folder() throws -> String {
        let path = URL.temporaryDirectory.appending(path: "segue-disk-\(UUID().uuidString)").path()
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        return path
    }

    /// How many files of a folder are open.
    private static func openFiles(in folder: String) throws -> Int {
        try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count { descriptor in
            let path = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/" + descriptor)
            return path?.hasPrefix(folder) ?? false
        }
    }

    @Test("an empty file without a marker, as a full disk leaves it, is no song")
    func emptyFile() throws {
        let path = try folder()
        defer { try? FileManager.default.removeItem(atPath: path) }
        try Data().write(to: URL(filePath: path + "/empty.wav"))
        try Data([1]).write(to: URL(filePath: path + "/whole.wav"))
        let cache = try CacheFolder(path: path, byteLimit: 1000, keepFree: 0)
        #expect(!cache.contains("empty.wav") && cache.contains("whole.wav"))
        #expect(!FileManager.default.fileExists(atPath: path + "/empty.wav"))
    }

    @Test("a file that can't be made leaves neither a marker nor an open file, and a link is not written through")
    func failedCreation() throws {
        let path = try folder()
        defer { try? FileManager.default.removeItem(atPath: path) }
        let cache = try CacheFolder(path: path, byteLimit: 1000, keepFree: 0)
        try FileManager.default.createDirectory(atPath: path + "/a.wav", withIntermediateDirectories: true)
        try Data([7]).write(to: URL(filePath: path + "/other"))
        try FileManager.default.createSymbolicLink(atPath: path + "/b.wav", withDestinationPath: path + "/other")
        for _ in 0..<50 {
            #expect(throws: TrackError.self) { try cache.create("a.wav") }
            #expect(throws: TrackError.self) { try cache.create("b.wav") }
        }
        #expect(try Self.openFiles(in: path) == 0)
        #expect(!FileManager.default.fileExists(atPath: path + "/a.wav.part"))
        #expect(try Data(contentsOf: URL(filePath: path + "/other")) == Data([7]))
    }

    @Test("songs leave the cache, and downloads fail with a reason, before the disk is full")
    func keepsFree() async throws {
        try await CacheHarness.run { harness in
            let roomy = try harness.cache()
            #expect(await isWhole(try await roomy.open(song(1))))
            #expect(harness.files.count == 1)
            // No disk has so much free.
            let narrow = try harness.cache(keepFree: 1 << 60)
            #expect(harness.files.isEmpty)
            let file = try? await narrow.open(song(2))
            if let file {
                #expect(await eventually { file.current.failure != nil })
                #expect(file.current.failure?.contains("nearly full") == true)
            }
            #expect(await eventually { harness.files.isEmpty })
        }
    }

    @Test("a song's file is gone only when the reason is known")
    func reasonBeforeTheEnd() async throws {
        try await CacheHarness.run { harness in
            let narrow = try harness.cache(keepFree: 1 << 60)
            for _ in 0..<50 {
                guard let file = try? await narrow.open(song(1)) else { continue }
                while access(file.path, F_OK) == 0 { await Task.yield() }
                #expect(file.current.failure != nil)
            }
        }
    }

    @Test("small files that have no room on the disk are not kept, and don't push out those that are")
    func sealed() throws {
        let path = try folder()
        defer { try? FileManager.default.removeItem(atPath: path) }
        var roomy = try CacheFolder(path: path, byteLimit: 1_000, keepFree: 1 << 20)
        try roomy.seal([1, 2], note: "", as: "kept")
        var narrow = try CacheFolder(path: path, byteLimit: 1_000, keepFree: 1 << 60)
        let error = #expect(throws: TrackError.self) { try narrow.seal([3], note: "", as: "new") }
        #expect(error?.message.contains("nearly full") == true)
        #expect(narrow.unseal("kept")?.contents == [1, 2] && !narrow.contains("new"))
        #expect(try FileManager.default.contentsOfDirectory(atPath: path) == ["kept"])
    }

    @Test("the oldest small files go where the new one has room then")
    func sealedInTheirPlace() throws {
        let path = try folder()
        defer { try? FileManager.default.removeItem(atPath: path) }
        let names = ["a", "b", "c", "d"]
        var cache = try CacheFolder(path: path, byteLimit: .max, keepFree: 1_000) { path in
            // A disk of 10,000 bytes.
            names.reduce(Int64(10_000)) { $0 - Int64(contents(path + "/" + $1).count) }
        }
        for name in names.prefix(3) { try cache.seal(Array(repeating: 7, count: 2_500), note: "", as: name) }
        #expect(cache.use("a") != nil)
        try cache.seal(Array(repeating: 7, count: 2_500), note: "", as: "d")
        #expect(names.filter { cache.contains($0) } == ["a", "c", "d"])
        #expect(throws: TrackError.self) { try cache.seal(Array(repeating: 7, count: 9_500), note: "", as: "e") }
        #expect(names.filter { cache.contains($0) } == ["a", "c", "d"])
    }

    @Test("songs leave a quarter more of the disk free than what stays free")
    func reserve() throws {
        let path = try folder()
        defer { try? FileManager.default.removeItem(atPath: path) }
        for name in ["a", "b"] { try Data(repeating: 7, count: 4_000).write(to: URL(filePath: "\(path)/\(name)")) }
        var cache = try CacheFolder(path: path, byteLimit: .max, keepFree: 1_000, reserve: 250) { path in
            ["a", "b"].reduce(Int64(10_000)) { $0 - Int64(contents(path + "/" + $1).count) }
        }
        #expect(!cache.isNarrow(for: 750) && cache.isNarrow(for: 751))
        #expect(cache.missingSpace(for: 1_000) == 0)
        #expect(cache.evict(making: 751, sparing: []).count == 1)
        #expect(cache.evict(making: 751, sparing: []).isEmpty)
    }

    @Test("a song for measuring is not fetched onto a disk that is nearly full, which is no fault of the song's")
    func passing() async throws {
        try await CacheHarness.run { harness in
            let lines = LogLines()
            for keepFree in [1 << 60, 1 << 20] as [Int64] {
                let directory = harness.folder.path() + "-passing"
                defer { try? FileManager.default.removeItem(atPath: directory) }
                let passing = try PassingTracks(
                    directory: directory, keepFree: keepFree, cache: try harness.cache(), client: harness.client,
                    bytesPerSecond: .max, log: lines.logger)
                for _ in 1...3 {
                    do {
                        let size = try await passing.open(song(1)) { contents($0.path).count }
                        #expect(keepFree == 1 << 20 && size == harness.sound(1).count)
                    } catch let error as TrackAway {
                        #expect(keepFree == 1 << 60 && error.message.contains("nearly full"))
                    }
                    #expect(try FileManager.default.contentsOfDirectory(atPath: directory).isEmpty)
                }
            }
            let warnings = lines.all.filter { $0.hasPrefix("warning: ") }
            #expect(warnings.count == 1 && warnings.allSatisfy { $0.contains("songs for measuring can't be stored") })
        }
    }
}
