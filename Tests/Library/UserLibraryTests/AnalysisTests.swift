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

    @Test("discs in folders of their own are one album; albums of one title by others are not")
    func discs() async throws {
        func track(_ path: String, _ artist: String, albumArtist: String? = nil) -> IndexedSong {
            var made = song(path, duration: .seconds(100), (.album, "Live"), (.artist, artist))
            if let albumArtist { made.tags.append(TagValue(.albumArtist, albumArtist)) }
            return made
        }
        let test = try await TestLibrary([
            track("Ada/CD1/1.flac", "Ada"), track("Ada/CD2/1.flac", "Ada & Bo", albumArtist: "Ada"),
            track("Bo/1.flac", "Bo"), track("Cy/1.flac", "Cy", albumArtist: "Cy"),
            track("Cy/2.flac", "Guest", albumArtist: "Cy"),
        ])
        let (library, ids) = (test.library, try await test.numbers())
        func id(_ path: String) throws -> SongID { try #require(ids[path]) }
        func albumGain(_ path: String, _ gains: [SongID: ReplayGain]) -> Double? {
            ids[path].flatMap { gains[$0]?.albumGain }
        }
        let measured = [("Ada/CD1/1.flac", -10.0), ("Bo/1.flac", -14), ("Cy/1.flac", -15), ("Cy/2.flac", -15)]
        for (path, loudness) in measured {
            try await library.keepAnalysis(features(loudness), of: try id(path), version: 1)
        }
        let before = try await library.measuredGains()
        #expect(albumGain("Ada/CD1/1.flac", before) == nil, "its second disc is not measured yet")
        #expect(albumGain("Bo/1.flac", before).map { abs($0 + 4) < 1e-9 } == true)
        #expect(albumGain("Cy/2.flac", before).map { abs($0 + 3) < 1e-9 } == true)
        let second = try id("Ada/CD2/1.flac")
        try await library.keepAnalysis(features(-20), of: second, version: 1)
        let gains = try await library.measuredGains(of: second)
        for path in ["Ada/CD1/1.flac", "Ada/CD2/1.flac"] {
            let found = try #require(albumGain(path, gains))
            #expect(abs(found - (-18 + 12.596)) < 0.01)
        }
        #expect(gains.count == 2, "only its album was asked for")
        let all = try await library.measuredGains()
        #expect(gains.allSatisfy { all[$0.key] == $0.value })
    }

    @Test("songs of a compilation are one album although none has an album artist")
    func compilation() async throws {
        let test = try await TestLibrary([
            song("Hits/1.flac", duration: .seconds(100), (.album, "Hits"), (.artist, "Ada")),
            song("Hits/2.flac", duration: .seconds(100), (.album, "Hits"), (.artist, "Bo")),
            song("Else/1.flac", duration: .seconds(100), (.album, "Hits"), (.artist, "Cy")),
        ])
        let ids = try await test.numbers()
        for (path, loudness) in [("Hits/1.flac", -10.0), ("Hits/2.flac", -20), ("Else/1.flac", -30)] {
            try await test.library.keepAnalysis(features(loudness), of: try #require(ids[path]), version: 1)
        }
        let gains = try await test.library.measuredGains()
        let found = ["Hits/1.flac", "Hits/2.flac", "Else/1.flac"].map { ids[$0].flatMap { gains[$0]?.albumGain } ?? 0 }
        for (gain, wanted) in zip(found, [-5.404, -5.404, 12]) { #expect(abs(gain - wanted) < 0.01) }
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
