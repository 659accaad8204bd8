import Foundation
import Logging
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

    private static var openDescriptors: Int {
        (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count) ?? 0
    }

    @Test("an empty file without a marker, as a full disk leaves it, is no song")
    func emptyFile() throws {
        let path = try folder()
        defer { try? FileManager.default.removeItem(atPath: path) }
        try Data().write(to: URL(filePath: path + "/empty.wav"))
        try Data([1]).write(to: URL(filePath: path + "/whole.wav"))
        let cache = try CacheFolder(path: path, byteLimit: 1000)
        #expect(!cache.contains("empty.wav") && cache.contains("whole.wav"))
        #expect(!FileManager.default.fileExists(atPath: path + "/empty.wav"))
    }

    @Test("a file that can't be made leaves neither a marker nor an open file, and a link is not written through")
    func failedCreation() throws {
        let path = try folder()
        defer { try? FileManager.default.removeItem(atPath: path) }
        let cache = try CacheFolder(path: path, byteLimit: 1000)
        try FileManager.default.createDirectory(atPath: path + "/a.wav", withIntermediateDirectories: true)
        try Data([7]).write(to: URL(filePath: path + "/other"))
        try FileManager.default.createSymbolicLink(atPath: path + "/b.wav", withDestinationPath: path + "/other")
        let before = Self.openDescriptors
        for _ in 0..<50 {
            #expect(throws: TrackError.self) { try cache.create("a.wav") }
            #expect(throws: TrackError.self) { try cache.create("b.wav") }
        }
        // Other tests open files at the same time.
        #expect(Self.openDescriptors < before + 50)
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
}
