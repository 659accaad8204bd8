import AudioFiles
import Coordination
import Foundation
import Glibc
import MusicModel
import TestSupport
import Testing
import UserLibrary

@testable import SongAnalysis

@Suite("Measuring songs")
struct SongAnalyserTests {
    /// Writes 16-bit samples as a WAV file and measures it.
    private func features(
        rate: Int = 44_100, channels: Int = 2, seconds: Double, part: SongRange? = nil,
        upTo longest: Duration = SongAnalyser.longest, isCancelled: Bool = false, _ sample: (Double) -> Double
    ) throws -> SongFeatures? {
        let path = FileManager.default.temporaryDirectory.appending(path: "analysis-\(UUID().uuidString).wav").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        var data = Data()
        func number(_ value: Int, _ bytes: Int) {
            withUnsafeBytes(of: Int64(value).littleEndian) { data.append(contentsOf: $0.prefix(bytes)) }
        }
        let frames = Int(seconds * Double(rate))
        data.append(Data("RIFF".utf8))
        number(36 + frames * channels * 2, 4)
        data.append(Data("WAVEfmt ".utf8))
        for (value, bytes) in [
            (16, 4), (1, 2), (channels, 2), (rate, 4), (rate * channels * 2, 4), (channels * 2, 2), (16, 2),
        ] { number(value, bytes) }
        data.append(Data("data".utf8))
        number(frames * channels * 2, 4)
        var samples: [Int16] = []
        samples.reserveCapacity(frames * channels)
        for frame in 0..<frames {
            let value = Int16(max(-1, min(1, sample(Double(frame) / Double(rate)))) * 32_767)
            for _ in 0..<channels { samples.append(value.littleEndian) }
        }
        samples.withUnsafeBytes { data.append(contentsOf: $0) }
        try data.write(to: URL(filePath: path))
        return try SongAnalyser.analyse(path: path, part: part, upTo: longest) { isCancelled }
    }

    private func tone(_ hertz: Double, _ level: Double) -> (Double) -> Double {
        { level * sin(2 * .pi * hertz * $0) }
    }

    @Test("a tone of 997 Hz at -20 dBFS on both channels has -20 LUFS, within a tenth", arguments: [-20.0, -12, -35])
    func loudness(decibels: Double) throws {
        let found = try #require(try features(seconds: 5, tone(997, pow(10, decibels / 20))))
        let value1 = try #require(found.loudness)
        #expect(abs(value1 - decibels) < 0.1)
        let value2 = try #require(found.peak)
        #expect(abs(value2 - pow(10, decibels / 20)) < 0.001)
    }

    @Test("of a part of a file nothing else is measured", arguments: [(0, 3), (3, 6), (6, 9)])
    func parts(begin: Int, end: Int) throws {
        let level = { (time: Double) in [-30.0, -12, -20][min(2, Int(time / 3))] }
        let range = SongRange(start: .seconds(begin), end: end == 9 ? nil : .seconds(end))
        let found = try #require(
            try features(seconds: 9, part: range) { pow(10, level($0) / 20) * sin(2 * .pi * 997 * $0) })
        let (loudness, peak) = (try #require(found.loudness), try #require(found.peak))
        #expect(abs(loudness - level(Double(begin) + 1)) < 0.1)
        #expect(abs(peak - pow(10, level(Double(begin) + 1) / 20)) < 0.001)
    }

    // Each in a process of its own, where no other test takes memory.
    @Test("a file of ten hours is measured up to where that ends, in little memory")
    func tenHours() async {
        await #expect(processExitsWith: .success) { try measureTenHours(upTo: .seconds(90)) }
    }

    @Test("a quarter of an hour of such a file takes no more", .enabled(if: testsEverything))
    func quarterOfAnHour() async {
        await #expect(processExitsWith: .success) { try measureTenHours(upTo: .seconds(900)) }
    }

    @Test("silence, a moment and noise have what can be told of them, and no other numbers")
    func little() throws {
        let silence = try #require(try features(seconds: 3) { _ in 0 })
        #expect(silence.loudness == nil && silence.tempo == nil && silence.key == nil && silence.energy == nil)
        let second = try #require(try features(seconds: 1, tone(440, 0.5)))
        #expect(second.loudness != nil && second.tempo == nil)
        let moment = try #require(try features(seconds: 0.05, tone(440, 0.5)))
        #expect(moment.loudness == nil)
        var state: UInt64 = 1
        let noise = try #require(
            try features(seconds: 8) { _ in
                state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                return Double(Int64(bitPattern: state) >> 40) / Double(1 << 23) * 0.3
            })
        #expect(noise.loudness != nil)
        for features in [silence, second, moment, noise] {
            #expect(features.vector.allSatisfy { $0.isFinite })
            for value in [features.loudness, features.range, features.peak, features.tempo, features.energy] {
                #expect(value?.isFinite ?? true)
            }
        }
    }

    @Test(
        "any rate and number of channels is measured",
        arguments: [(8000, 1), (11_025, 8), (96_000, 2), (384_000, 1)] + (testsEverything ? [(384_000, 8)] : []))
    func layouts(rate: Int, channels: Int) throws {
        let found = try #require(try features(rate: rate, channels: channels, seconds: 2, tone(440, 0.25)))
        #expect(found.loudness != nil)
        #expect(!found.vector.isEmpty)
    }

    @Test("the tempo of drums is found within four per cent", arguments: [84.0, 119.35, 150])
    func tempo(beatsPerMinute: Double) throws {
        let period = 60 / beatsPerMinute
        let found = try #require(
            try features(channels: 1, seconds: 20) { time in
                let sinceBeat = time.truncatingRemainder(dividingBy: period)
                return exp(-sinceBeat * 30) * sin(2 * .pi * 90 * time) * 0.8 + 0.05 * sin(2 * .pi * 330 * time)
            })
        let tempo = try #require(found.tempo)
        #expect(abs(tempo / beatsPerMinute - 1) < 0.04, "found \(tempo)")
        let value3 = try #require(found.tempoConfidence)
        #expect(value3 > 0.2)
    }

    @Test(
        "keys are found from their chords",
        arguments: [("A", 9, true), ("Am", 9, false)] + (testsEverything ? [("C", 0, true), ("Em", 4, false)] : []))
    func key(name: String, root: Int, isMajor: Bool) throws {
        // I, IV, V and I again of the key, a second each.
        let third = isMajor ? 4 : 3
        let chords = [[0, third, 7, 12], [5, 5 + third, 12, 17], [7, 7 + third, 14, 19], [0, third, 7, 12]]
        let found = try #require(
            try features(channels: 1, seconds: 12) { time in
                chords[Int(time) % 4].reduce(0) { sum, step in
                    sum + 0.1 * sin(2 * .pi * 261.626 * pow(2, Double(root + step - (root > 6 ? 12 : 0)) / 12) * time)
                }
            })
        #expect(found.key == name)
    }

    @Test("louder music with more in it is more energetic")
    func energy() throws {
        let calm = try #require(try features(channels: 1, seconds: 6, tone(220, 0.05)))
        let lively = try #require(
            try features(channels: 1, seconds: 6) { time in
                let beat = exp(-time.truncatingRemainder(dividingBy: 0.25) * 25)
                return 0.7 * beat * sin(2 * .pi * 3000 * time) + 0.2 * sin(2 * .pi * 440 * time)
            })
        let (low, high) = (try #require(calm.energy), try #require(lively.energy))
        #expect(low + 0.2 < high)
    }

    @Test("of songs of many hours the beginning is measured, and nothing is said of the end")
    func long() throws {
        let drums: (Double) -> Double = { time in
            exp(-time.truncatingRemainder(dividingBy: 0.5) * 30) * sin(2 * .pi * 90 * time) * 0.5
        }
        let path: (Double) -> Double = { $0 < 21 ? drums($0) : 0.9 * sin(2 * .pi * 997 * $0) }
        let cut = try #require(try features(channels: 1, seconds: 40, upTo: .seconds(20), path))
        let whole = try #require(try features(channels: 1, seconds: 40, path))
        let (soft, loud) = (try #require(cut.loudness), try #require(whole.loudness))
        #expect(soft < loud - 6)
        #expect(cut.ramps.start != nil && cut.ramps.end == nil && whole.ramps.end != nil)
        #expect(cut.beats.tail == nil)
    }

    @Test("samples that are no numbers, infinite or huge reach no measurement")
    func noNumbers() throws {
        let path = FileManager.default.temporaryDirectory.appending(path: "odd-\(UUID().uuidString).wav").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        var data = Data()
        func number(_ value: Int, _ bytes: Int) {
            withUnsafeBytes(of: Int64(value).littleEndian) { data.append(contentsOf: $0.prefix(bytes)) }
        }
        let frames = 44_100 * 20
        data.append(Data("RIFF".utf8))
        number(36 + frames * 4, 4)
        data.append(Data("WAVEfmt ".utf8))
        for (value, bytes) in [(16, 4), (3, 2), (1, 2), (44_100, 4), (44_100 * 4, 4), (4, 2), (32, 2)] {
            number(value, bytes)
        }
        data.append(Data("data".utf8))
        number(frames * 4, 4)
        var samples: [UInt32] = []
        samples.reserveCapacity(frames)
        let odd: [Float] = [.nan, .infinity, -.infinity, 3e38, -3e38, .leastNonzeroMagnitude, .signalingNaN]
        for frame in 0..<frames {
            let time = Float(frame) / 44_100
            let value = frame % 1000 == 0 ? odd[frame / 1000 % odd.count] : 0.3 * sin(2 * .pi * 330 * time)
            samples.append(value.bitPattern.littleEndian)
        }
        samples.withUnsafeBytes { data.append(contentsOf: $0) }
        try data.write(to: URL(filePath: path))
        let found = try #require(try SongAnalyser.analyse(path: path))
        let values = [
            found.loudness, found.range, found.peak, found.tempo, found.tempoConfidence, found.energy,
            found.beats.head?.beat, found.beats.head?.period, found.beats.tail?.beat,
        ]
        // What is left is kept from the table by `SongFeatures.finite`, which has a test of its own.
        #expect(found.vector.allSatisfy(\.isFinite) && !found.vector.isEmpty)
        #expect(values.dropFirst(3).allSatisfy { $0?.isFinite ?? true }, "\(values)")
        for text in [found.ramps.start, found.ramps.end] {
            #expect(text?.contains("nan") != true && text?.contains("inf") != true)
        }
    }

    @Test("what is no sound is an error that says so")
    func broken() throws {
        let path = FileManager.default.temporaryDirectory.appending(path: "broken-\(UUID().uuidString).flac").path
        try Data(repeating: 7, count: 10_000).write(to: URL(filePath: path))
        defer { try? FileManager.default.removeItem(atPath: path) }
        #expect(throws: AudioFileError.self) { try SongAnalyser.analyse(path: path) }
    }

    @Test("a cancelled measurement has no result")
    func cancelled() throws {
        #expect(try features(seconds: 1, isCancelled: true, tone(440, 0.5)) == nil)
    }

    /// The names of this process's threads that run only where nothing else wants to.
    private func idleThreads() throws -> [String] {
        let threads = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/task").compactMap { Int32($0) }
        // `SCHED_IDLE`, which Swift doesn't see in the C library.
        return threads.filter { sched_getscheduler($0) == 5 }.compactMap { thread in
            try? String(contentsOfFile: "/proc/self/task/\(thread)/comm", encoding: .utf8)
        }
    }

    @Test("A thread that measures at the lowest priority leaves no decoder's thread there, which decks use afterwards")
    func threads() async throws {
        let path = FileManager.default.temporaryDirectory.appending(path: "analysis-\(UUID().uuidString).wav").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        try ToneFile.wave(milliseconds: 500).write(to: URL(filePath: path))
        let idle: [String] = try await withCheckedThrowingContinuation { continuation in
            let isStarted = BlockingThread.start("measures") {
                continuation.resume(
                    with: Result {
                        _ = try SongAnalyser.analyse(path: path, whenStarted: AnalysisService.becomeIdle)
                        return try idleThreads()
                    })
            }
            if !isStarted { continuation.resume(throwing: CancellationError()) }
        }
        #expect(idle.contains("measures\n") && idle.allSatisfy { $0 == "measures\n" || $0 == "analysis\n" })
    }
}

/// Resident memory in bytes.
private var memory: Int {
    let status = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8)) ?? ""
    return status.split(separator: " ").dropFirst().first.flatMap { Int($0) }.map { $0 * 4096 } ?? 0
}

/// Measures the beginning of a file of ten hours.
private func measureTenHours(upTo longest: Duration) throws {
    let path = FileManager.default.temporaryDirectory.appending(path: "analysis-\(UUID().uuidString).wav").path
    defer { try? FileManager.default.removeItem(atPath: path) }
    try ToneFile.wave(milliseconds: 60_000, rate: 8000, channels: 1).write(to: URL(filePath: path))
    let file = try FileHandle(forUpdating: URL(filePath: path))
    let length = UInt64(36_000 * 8000 * 2)
    // Its end is a hole in the disk: silence.
    let header = try file.seekToEnd() - UInt64(60 * 8000 * 2)
    try file.truncate(atOffset: header + length)
    for (place, size) in [(4, header + length - 8), (header - 4, length)] {
        try file.seek(toOffset: place)
        try file.write(contentsOf: withUnsafeBytes(of: UInt32(size).littleEndian) { Data($0) })
    }
    try file.close()
    // The decoder's own memory is there from then on.
    _ = try SongAnalyser.analyse(path: path, upTo: .seconds(5))
    let before = memory
    let found = try #require(try SongAnalyser.analyse(path: path, upTo: longest))
    #expect(found.loudness != nil && found.ramps.end == nil && found.beats.tail == nil)
    #expect(memory - before < 24 << 20, "\((memory - before) >> 20) MiB")
}
