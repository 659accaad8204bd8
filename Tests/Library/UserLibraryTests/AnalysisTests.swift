import Foundation
import GRDB
import LibraryIndex
import LibrarySamples
import MusicModel
import Testing
import UserLibrary

@Suite("What was measured")
struct AnalysisTests {
    /// A library of an album with two songs and a single, in a temporary folder.
    private func withLibrary(_ body: (Library, [String: SongID]) async throws -> Void) async throws {
        let test = try await TestLibrary([
            song("A/1.flac", duration: .seconds(100), (.album, "One"), (.title, "First")),
            song("A/2.flac", duration: .seconds(100), (.album, "One"), (.title, "Second")),
            song("B/3.flac", (.title, "Third")),
        ])
        try await body(test.library, try await test.numbers())
    }

    private func features(_ loudness: Double?) -> SongFeatures {
        var features = SongFeatures()
        features.loudness = loudness
        features.peak = 0.5
        features.tempo = 120.4
        features.key = "Am"
        features.energy = 0.456
        return features
    }

    @Test("an album has a gain once all its songs are measured; songs without an album have one of their own")
    func gains() async throws {
        try await withLibrary { library, ids in
            let (first, second, third) = (
                try #require(ids["A/1.flac"]), try #require(ids["A/2.flac"]), try #require(ids["B/3.flac"])
            )
            try await library.keepAnalysis(features(-10), of: first, version: 1)
            var gains = try await library.measuredGains()
            #expect(gains[first] == ReplayGain(trackGain: -8, trackPeak: 0.5))
            #expect(gains[second] == nil)
            try await library.keepAnalysis(features(-20), of: second, version: 1)
            try await library.keepAnalysis(features(-23), of: third, version: 1)
            gains = try await library.measuredGains(of: second)
            // The mean of 0.1 and 0.01 is 0.055: -12.6 dB.
            let album = try #require(gains[first]?.albumGain)
            #expect(abs(album - (-18 + 12.596)) < 0.01)
            #expect(gains[second]?.albumGain == album)
            #expect(gains[third] == nil)
            gains = try await library.measuredGains()
            #expect(gains[third] == ReplayGain(trackGain: 5, trackPeak: 0.5))
        }
    }

    @Test("silence has no gain and doesn't keep its album from having one")
    func silence() async throws {
        try await withLibrary { library, ids in
            let (first, second) = (try #require(ids["A/1.flac"]), try #require(ids["A/2.flac"]))
            try await library.keepAnalysis(features(-10), of: first, version: 1)
            try await library.keepAnalysis(features(nil), of: second, version: 1)
            let gains = try await library.measuredGains()
            #expect(gains[second] == nil)
            let value1 = try #require(gains[first]?.albumGain)
            #expect(abs(value1 + 8) < 0.001)
        }
    }

    @Test("what is no number never reaches the table")
    func numbers() async throws {
        try await withLibrary { library, ids in
            let song = try #require(ids["A/1.flac"])
            var features = features(.nan)
            (features.peak, features.tempo, features.vector) = (.infinity, -.infinity, [1, .nan])
            try await library.keepAnalysis(features, of: song, version: 1)
            #expect(try await library.measuredGains().isEmpty)
            let stickers = try await library.stickers(of: .song(song)).map(\.name)
            #expect(stickers == ["energy", "key"])
        }
    }

    @Test("clients see what was measured as stickers")
    func stickers() async throws {
        try await withLibrary { library, ids in
            let song = try #require(ids["A/1.flac"])
            try await library.keepAnalysis(features(-9.87), of: song, version: 1)
            let stickers = try await library.stickers(of: .song(song))
            #expect(
                stickers.map { "\($0.name)=\($0.value)" } == ["energy=0.46", "key=Am", "loudness=-9.9", "tempo=120.4"])
        }
    }

    @Test("a file is measured once by each version, and tried three times")
    func tries() async throws {
        try await withLibrary { library, ids in
            let song = try #require(ids["A/1.flac"])
            #expect(try await library.needsAnalysis(song, version: 1, tries: 3))
            for _ in 0..<2 {
                try await library.noteFailedAnalysis(of: song, version: 1, because: "no sound")
                #expect(try await library.needsAnalysis(song, version: 1, tries: 3))
            }
            try await library.noteFailedAnalysis(of: song, version: 1, because: "no sound")
            #expect(try await !library.needsAnalysis(song, version: 1, tries: 3))
            #expect(try await library.songsForAnalysis(version: 1, tries: 3, count: 9).count == 2)
            #expect(try await library.needsAnalysis(song, version: 2, tries: 3))
            try await library.keepAnalysis(features(-10), of: song, version: 2)
            #expect(try await !library.needsAnalysis(song, version: 2, tries: 3))
            #expect(try await library.songsForAnalysis(version: 2, tries: 3, count: 9).count == 2)
        }
    }

    @Test("a failure takes nothing away from what was measured of the same file")
    func failureAfterwards() async throws {
        try await withLibrary { library, ids in
            let song = try #require(ids["A/1.flac"])
            try await library.keepAnalysis(features(-10), of: song, version: 1)
            try await library.noteFailedAnalysis(of: song, version: 2, because: "no sound")
            #expect(try await library.measuredGains()[song]?.trackGain == -8)
            #expect(try await library.needsAnalysis(song, version: 2, tries: 3))
            #expect(try await !library.needsAnalysis(song, version: 1, tries: 3))
            // Of another file it says nothing.
            try await library.write { try $0.execute(sql: "UPDATE song SET size = 4711 WHERE id = \(song.rawValue)") }
            for _ in 0..<3 { try await library.noteFailedAnalysis(of: song, version: 2, because: "no sound") }
            #expect(try await !library.needsAnalysis(song, version: 2, tries: 3))
            #expect(try await library.measuredGains().isEmpty)
        }
    }

    @Test("the report counts songs, names what failed and says how long the rest takes")
    func report() async throws {
        let test = try await TestLibrary([
            song("A/1.flac", (.album, "One")), song("A/2.flac", (.album, "One")), song("B/3.flac"), song("B/4.flac"),
        ])
        let ids = try await test.numbers()
        let (first, second, third) = (
            try #require(ids["A/1.flac"]), try #require(ids["A/2.flac"]), try #require(ids["B/3.flac"])
        )
        try await test.library.keepAnalysis(features(-10), of: first, version: 1)
        try await test.library.keepAnalysis(features(-12), of: second, version: 1)
        for _ in 0..<3 {
            try await test.library.noteFailedAnalysis(of: third, version: 1, because: "it holds no sound")
        }
        let report = try AnalysisReport.read(path: test.path, version: 1, tries: 3)
        #expect(report.songs == 4 && report.measured == 2 && report.failed == 1)
        let failure = try #require(report.failures.first)
        #expect(report.failures.count == 1 && failure.path == "B/3.flac")
        #expect(failure.reason == "it holds no sound" && failure.tries == 3)
        #expect(report.perHour ?? 0 > 0 && report.hoursLeft ?? 0 > 0)
        let newer = try AnalysisReport.read(path: test.path, version: 2, tries: 3)
        #expect(newer.measured == 0 && newer.failures.isEmpty && newer.perHour == nil)
    }

    @Test("starred songs are measured first, then one of each folder, then the others, and at last those that failed")
    func order() async throws {
        let test = try await TestLibrary(
            ["A/1.flac", "A/2.flac", "B/1.flac", "B/2.flac", "B/3.flac"].map { song($0) })
        let ids = try await test.numbers()
        let (failed, starred) = (try #require(ids["A/1.flac"]), try #require(ids["B/3.flac"]))
        try await test.library.noteFailedAnalysis(of: failed, version: 1, because: "it holds no sound")
        try await test.library.write { database in
            try database.execute(
                sql: "INSERT INTO song_mark (song, server_id, starred) VALUES (?, 'x', 1)",
                arguments: [starred.rawValue])
        }
        let songs = try await test.library.songsForAnalysis(version: 1, tries: 3, count: 9)
        let paths = Dictionary(uniqueKeysWithValues: ids.map { ($1, $0) })
        #expect(songs.map { paths[$0] } == ["B/3.flac", "B/1.flac", "A/2.flac", "B/2.flac", "A/1.flac"])
    }

    @Test("what was measured of a file that was replaced counts no more, until it is measured anew")
    func replaced() async throws {
        try await withLibrary { library, ids in
            let (first, second) = (try #require(ids["A/1.flac"]), try #require(ids["A/2.flac"]))
            var found = features(-10)
            found.ramps = MixRampTags(start: "-64.00 0.00;", end: "-20.00 0.50;")
            found.beats.tail = BeatGrid(beat: 200.125, period: 0.4878, confidence: 0.75)
            for song in [first, second] { try await library.keepAnalysis(found, of: song, version: 1) }
            try await library.write { try $0.execute(sql: "UPDATE song SET size = 4711 WHERE id = \(first.rawValue)") }
            let gains = try await library.measuredGains()
            #expect(gains[first] == nil && gains[second]?.trackGain == -8 && gains[second]?.albumGain == nil)
            #expect(library.measuredRamps(of: first) == nil && library.measuredBeats(of: first) == nil)
            #expect(library.measuredRamps(of: second) == found.ramps)
            #expect(try await Set(library.measuredTempos().keys) == [second])
            try await library.keepAnalysis(found, of: first, version: 1)
            #expect(library.measuredRamps(of: first) == found.ramps)
        }
    }

    @Test("ramps are told of the songs that have some, and neighbours on an album are known as such")
    func transitions() async throws {
        try await withLibrary { library, ids in
            let (first, second, third) = (
                try #require(ids["A/1.flac"]), try #require(ids["A/2.flac"]), try #require(ids["B/3.flac"])
            )
            var found = features(-10)
            found.ramps = MixRampTags(start: "-64.00 0.00;", end: "-20.00 0.50;")
            try await library.keepAnalysis(found, of: first, version: 1)
            #expect(library.measuredRamps(of: first) == found.ramps)
            #expect(library.measuredBeats(of: first) == SongBeats())
            found.beats.tail = BeatGrid(beat: 200.125, period: 0.4878, confidence: 0.75)
            try await library.keepAnalysis(found, of: first, version: 1)
            #expect(library.measuredBeats(of: first) == found.beats)
            #expect(library.measuredBeats(of: second) == nil)
            #expect(library.measuredRamps(of: second) == nil)
            #expect(library.follows(second, on: first))
            #expect(!library.follows(first, on: second) && !library.follows(third, on: second))
        }
    }
}
