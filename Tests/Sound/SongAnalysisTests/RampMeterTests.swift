import Foundation
import MusicModel
import Testing

@testable import SongAnalysis

@Suite("How songs begin and end")
struct RampMeterTests {
    /// Ramps of a tone of 1 kHz whose level in decibels depends on the time.
    private func ramps(
        rate: Int = 44_100, channels: Int = 2, seconds: Double, _ level: (Double) -> Double
    ) -> MixRampTags {
        let meter = RampMeter()
        let frames = Int(seconds * Double(rate))
        var samples: [Float] = []
        samples.reserveCapacity(frames * channels)
        for frame in 0..<frames {
            let time = Double(frame) / Double(rate)
            let value = Float(pow(10, level(time) / 20) * sin(2 * .pi * 1000 * time))
            for _ in 0..<channels { samples.append(value) }
        }
        samples.withUnsafeBufferPointer { meter.take($0, rate: rate, channels: channels) }
        return MixRampTags(start: meter.start, end: meter.end)
    }

    /// Two seconds of quiet, three of sound, one of quiet.
    private func middle(_ time: Double) -> Double { (2..<5).contains(time) ? -12 : -90 }

    @Test(
        "the times at which a song reaches a level are found, at any rate and with any number of channels",
        arguments: [(44_100, 2), (48_000, 2), (22_050, 1), (96_000, 2), (8000, 1)])
    func times(rate: Int, channels: Int) throws {
        let found = ramps(rate: rate, channels: channels, seconds: 6, middle)
        let (start, end) = (try #require(found.start), try #require(found.end))
        let (first, last) = (try loudest(start), try loudest(end))
        let rising = try #require(MixRampTags.seconds(in: start, decibels: first))
        let falling = try #require(MixRampTags.seconds(in: end, decibels: last))
        #expect(abs(rising - 2) < 0.15, "\(start)")
        #expect(abs(falling - 1.1) < 0.15, "\(end)")
        #expect(MixRampTags.seconds(in: start, decibels: 20) == nil)
    }

    /// The highest level of a profile.
    private func loudest(_ profile: String?) throws -> Double {
        let last = try #require(profile?.split(separator: ";").last?.split(separator: " ").first)
        return try #require(Double(last))
    }

    @Test("20 dB more are 20 dB more, and rates agree within a decibel")
    func levels() throws {
        let loud = try loudest(ramps(seconds: 1) { _ in -10 }.start)
        let soft = try loudest(ramps(seconds: 1) { _ in -30 }.start)
        #expect(abs(loud - soft - 20) < 0.1)
        let other = try loudest(ramps(rate: 48_000, seconds: 1) { _ in -10 }.start)
        #expect(abs(loud - other) < 1)
    }

    @Test("a moment has no ramps, and silence or what is no number only the lowest level")
    func little() {
        #expect(ramps(seconds: 0.05) { _ in -10 } == MixRampTags())
        #expect(ramps(seconds: 1) { _ in -500 }.start == "-64.00 0.00;")
        #expect(ramps(seconds: 1) { _ in .nan }.start == "-64.00 0.00;")
    }
}
