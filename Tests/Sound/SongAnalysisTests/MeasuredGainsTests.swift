import Foundation
import LibraryIndex
import LibrarySamples
import MusicModel
import TestSupport
import Testing
import UserLibrary

@testable import SongAnalysis

@Suite("Measured gains in memory", .timeLimit(.minutes(2)))
struct MeasuredGainsTests {
    @Test("a song's is known at once, and its album's soon, however large its folder is")
    func albums() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "gains-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let library = try Library(path: folder.appending(path: "segue.db").path)
        let songs = (0..<2000).map { song("A/\($0).flac", (.album, "Album \($0 / 10)"), (.title, "\($0)")) }
        _ = try await library.index.apply(LibraryChanges(mount: "", upserts: songs))
        let numbers = try await library.index.numbers()
        let ids = (0..<20).compactMap { numbers["A/\($0).flac"] }
        let gains = MeasuredGains()
        for (place, song) in ids.enumerated() {
            var features = SongFeatures()
            (features.loudness, features.peak) = (-10 - Double(place % 2), 0.5)
            try await library.keepAnalysis(features, of: song, version: 1)
            try await gains.load(library, song)
            #expect(gains.gain(of: song)?.trackGain == -8 + Double(place % 2))
        }
        try await eventually("the albums") { ids.allSatisfy { gains.gain(of: $0)?.albumGain != nil } }
        #expect(gains.gain(of: ids[0]) == (try await library.measuredGains()[ids[0]]))
        try library.close()
    }
}
