import Foundation
import MusicModel
import SoundSamples
import Testing

@testable import AudioFiles

@Suite("Decoding files", .timeLimit(.minutes(2)))
struct SongSamplesTests {
    private static let rate = 44_100

    /// A file of a minute of noise in that form, with its samples.
    private func file(_ suffix: String, _ coding: [String] = []) throws -> (path: String, samples: [Int16]) {
        let folder = FileManager.default.temporaryDirectory.appending(path: "samples-\(UUID().uuidString)").path
        let (wave, path) = (folder + ".wav", folder + ".coded." + suffix)
        let samples = TestSound.noise(frames: 60 * Self.rate)
        try TestSound.write(samples, to: wave)
        if suffix == "wav" { return (wave, samples) }
        let made = Process()
        made.executableURL = URL(filePath: "/usr/bin/env")
        made.arguments = ["ffmpeg", "-nostdin", "-loglevel", "error", "-i", wave] + coding + [path]
        try made.run()
        made.waitUntilExit()
        try? FileManager.default.removeItem(atPath: wave)
        try #require(made.terminationStatus == 0)
        return (path, samples)
    }

    private func read(_ path: String, _ start: Duration, _ end: Duration?) throws -> (samples: [Float], decoded: Int) {
        var (samples, decoded) = ([Float](), 0)
        try SongSamples.read(path: path, part: SongRange(start: start, end: end)) { piece in
            samples += piece.samples
            decoded += piece.decoded
            return true
        }
        return (samples, decoded)
    }

    @Test("all parts of a disc are decoded about once, and have each sample of their own", arguments: ["flac", "wav"])
    func parts(suffix: String) throws {
        let (path, samples) = try file(suffix)
        defer { try? FileManager.default.removeItem(atPath: path) }
        // Twenty parts of 3 s less a frame of a CD, so that they begin within blocks.
        let length = Duration.seconds(3) - Duration.seconds(1) / 75
        var all = 0
        for number in 0..<20 {
            let end = number == 19 ? nil : length * (number + 1)
            let (heard, decoded) = try read(path, length * number, end)
            func place(_ time: Duration) -> Int { Int((time / .seconds(1) * Double(Self.rate)).rounded()) * 2 }
            let own = samples[place(length * number)..<(end.map(place) ?? samples.count)]
            #expect(heard.elementsEqual(own.lazy.map { Float($0) / 32768 }), "part \(number)")
            all += decoded
        }
        #expect(all < 60 * Self.rate * 2, "\(Double(all) / Double(Self.rate)) s decoded of 60")
    }

    @Test("parts of files in which no place is found exactly are decoded from the beginning")
    func inexact() throws {
        let (path, _) = try file("mp3", ["-b:a", "320k"])
        defer { try? FileManager.default.removeItem(atPath: path) }
        let (heard, decoded) = try read(path, .seconds(50), .seconds(52))
        #expect(heard.count == 2 * Self.rate * 2)
        #expect(decoded >= 52 * Self.rate)
    }
}
