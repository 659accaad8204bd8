import Foundation
import MusicModel
import Testing

@testable import AudioFiles
@testable import AudioOutputs

/// Sines and how far something is from them.
private enum Sine {
    static func floats(_ frequency: Double, rate: Int, frames: Range<Int>, amplitude: Double = 0.5) -> [Float] {
        floats(frequency, rate: rate, from: Double(frames.lowerBound) / Double(rate), frames: frames.count, amplitude)
    }

    /// Both channels alike, from a moment in seconds on.
    static func floats(
        _ frequency: Double, rate: Int, from moment: Double, frames: Int, _ amplitude: Double = 0.5
    ) -> [Float] {
        (0..<frames).flatMap { frame in
            let sample = Float(amplitude * sin(2 * .pi * frequency * (moment + Double(frame) / Double(rate))))
            return [sample, sample]
        }
    }

    static func decibels(_ samples: ArraySlice<Float>) -> Double {
        let power = samples.reduce(0.0) { $0 + Double($1) * Double($1) } / Double(max(1, samples.count))
        return 10 * log10(max(power, 1e-20))
    }

    /// The sine that is in samples of its rate: how loud it is next to the one expected, how late it is in frames, and
    /// how loud everything else is; in decibels.
    static func fit(
        _ heard: [Float], _ frequency: Double, rate: Int, _ frames: Range<Int>, amplitude: Double = 0.5
    ) -> (level: Double, delay: Double, rest: Double) {
        var (ss, cc, sc, hs, hc) = (0.0, 0.0, 0.0, 0.0, 0.0)
        let step = 2 * .pi * frequency / Double(rate)
        for frame in frames {
            let (s, c, h) = (sin(step * Double(frame)), cos(step * Double(frame)), Double(heard[frame * 2]))
            (ss, cc, sc, hs, hc) = (ss + s * s, cc + c * c, sc + s * c, hs + h * s, hc + h * c)
        }
        let whole = ss * cc - sc * sc
        let (a, b) = ((hs * cc - hc * sc) / whole, (hc * ss - hs * sc) / whole)
        let rest = frames.map { frame in
            heard[frame * 2] - Float(a * sin(step * Double(frame)) + b * cos(step * Double(frame)))
        }
        let level = 20 * log10((a * a + b * b).squareRoot() / amplitude)
        return (level, -atan2(b, a) / step, decibels(rest[...]) - 10 * log10(amplitude * amplitude / 2))
    }

    /// The loudness of the difference from a sine, compared with the sine's own.
    static func error(_ heard: [Float], _ frequency: Double, rate: Int, _ frames: Range<Int>) -> Double {
        let ideal = floats(frequency, rate: rate, frames: frames)
        let difference = zip(heard[(frames.lowerBound * 2)..<(frames.upperBound * 2)], ideal).map { $0 - $1 }
        return decibels(difference[...]) - decibels(ideal[...])
    }
}

extension [UInt8] {
    fileprivate var floats: [Float] { withUnsafeBytes { Array<Float>($0.bindMemory(to: Float.self)) } }
}

@Suite("Sample conversion")
struct ConverterTests {
    private func converter(rate: Int, _ sample: AudioFormat.Sample = .float) throws -> SampleConverter {
        try SampleConverter(to: AudioFormat(sampleRate: rate, sample: sample, channels: 2))
    }

    /// Converts in blocks as they come from songs.
    private func convert(_ converter: SampleConverter, _ samples: [Float], rate: Int, block: Int = 1764) -> [Float] {
        stride(from: 0, to: samples.count, by: block * 2).flatMap { start in
            let piece = Array(samples[start..<min(samples.count, start + block * 2)])
            return converter.convert(piece, SampleLayout(rate: rate, channels: 2)).floats
        }
    }

    @Test(
        "another rate gives as many frames as belong to it, in time and clean",
        arguments: [
            (44100, 48000), (48000, 44100), (96000, 44100), (44100, 96000), (88200, 48000), (192_000, 48000),
            (22050, 44100), (32000, 48000),
        ])
    func resamples(from: Int, to: Int) throws {
        let converter = try converter(rate: to)
        let frames = from * 2 + 137
        let tone = Sine.floats(997, rate: from, frames: 0..<frames)
        let heard = convert(converter, tone, rate: from) + converter.finish().floats
        #expect(heard.count / 2 == Int((Double(frames) * Double(to) / Double(from)).rounded()))
        // Noise and distortion together, without the ends where the sine begins and breaks off.
        let found = Sine.fit(heard, 997, rate: to, to / 10..<to * 19 / 10)
        #expect(found.rest < -120, "\(found.rest) dB")
        #expect(abs(found.level) < 0.001, "\(found.level) dB")
        #expect(abs(found.delay) < 0.1, "\(found.delay) frames")
    }

    @Test("high notes stay as they are", arguments: [(44100, 48000, 18_000.0), (96000, 44100, 18_000)])
    func passes(from: Int, to: Int, frequency: Double) throws {
        let converter = try converter(rate: to)
        let heard = convert(converter, Sine.floats(frequency, rate: from, frames: 0..<from * 2), rate: from)
        let found = Sine.fit(heard, frequency, rate: to, to / 10..<to * 19 / 10)
        #expect(found.rest < -110, "\(found.rest) dB")
        #expect(abs(found.level) < 0.01, "\(found.level) dB")
    }

    @Test(
        "what the target's rate can't hold is taken away",
        arguments: [(96000, 44100, 30_000.0), (48000, 32000, 20_000)])
    func stops(from: Int, to: Int, frequency: Double) throws {
        let converter = try converter(rate: to)
        let heard = convert(converter, Sine.floats(frequency, rate: from, frames: 0..<from * 2), rate: from)
        let left = Sine.decibels(heard[(to / 5)...])
        #expect(left < -110, "\(left) dB")
    }

    @Test(
        "songs of different rates join to the frame and without a click",
        arguments: [
            [44100, 96000, 48000], [48000, 44100, 48000], [96000, 44100, 192_000], [44100, 22050, 88200],
            [48000, 48000, 44100],
        ])
    func joins(rates: [Int]) throws {
        // Songs whose ends fall on whole frames of the output, and songs whose ends don't: such a join is up to half a
        // frame off. GStreamer's resampler itself is a thirty-second of a frame late.
        try joins(rates, surplus: 0, error: -42)
        try joins(rates, surplus: 61, error: -22)
    }

    private func joins(_ rates: [Int], surplus: Int, error limit: Double) throws {
        let converter = try converter(rate: 48000)
        var heard: [Float] = []
        var moment = 0.0
        for rate in rates {
            let frames = rate / 2 + surplus
            heard += convert(converter, Sine.floats(997, rate: rate, from: moment, frames: frames), rate: rate)
            moment += Double(frames) / Double(rate)
        }
        heard += converter.finish().floats
        #expect(heard.count / 2 == Int((moment * 48000).rounded()))
        var seam = 0.0
        for rate in rates.dropLast() {
            seam += Double(rate / 2 + surplus) / Double(rate) * 48000
            let error = Sine.error(heard, 997, rate: 48000, Int(seam) - 64..<Int(seam) + 64)
            #expect(error < limit, "\(error) dB at \(rate) Hz")
        }
    }

    @Test("the rate may change very often and nothing adds up")
    func changesOften() throws {
        let converter = try converter(rate: 48000)
        var (count, moment) = (0, 0.0)
        for song in 0..<200 {
            let rate = [44100, 48000, 96000, 22050][song % 4]
            let frames = 1000 + song * 7
            let tone = Sine.floats(440, rate: rate, from: moment, frames: frames)
            count += convert(converter, tone, rate: rate, block: 600).count / 2
            moment += Double(frames) / Double(rate)
        }
        count += converter.finish().floats.count / 2
        #expect(count == Int((moment * 48000).rounded()))
    }

    @Test("samples of 16 and 24 bits stay as they are", arguments: [16, 24])
    func isExact(bits: Int) throws {
        let converter = try converter(rate: 44100, .integer(bits: bits))
        var state: UInt32 = 7
        let whole: [Int32] = (0..<20_000).map { _ in
            state = state &* 1_664_525 &+ 1_013_904_223
            return Int32(bitPattern: state) >> Int32(32 - bits)
        }
        let floats = whole.map { Float($0) / Float(1 << (bits - 1)) }
        let bytes = converter.convert(floats, SampleLayout(rate: 44100, channels: 2))
        let width = bits / 8
        #expect(bytes.count == whole.count * width)
        let heard = (0..<whole.count).map { index in
            let value = (0..<width).reduce(UInt32(0)) { $0 | UInt32(bytes[index * width + $1]) << UInt32(8 * $1) }
            return Int32(bitPattern: value << UInt32(32 - bits)) >> Int32(32 - bits)
        }
        #expect(heard.elementsEqual(whole))
    }

    @Test("a tone softer than the last of 16 bits is heard in the noise of the dither")
    func dithers() throws {
        let converter = try converter(rate: 48000, .integer(bits: 16))
        let tone = Sine.floats(1000, rate: 48000, frames: 0..<48000 * 4).map { $0 * 0.8 / 32768 }
        let bytes = converter.convert(tone, SampleLayout(rate: 48000, channels: 2))
        let heard = bytes.withUnsafeBytes { Array($0.bindMemory(to: Int16.self)) }.map { Float($0) / 32768 }
        let together = zip(heard, tone).reduce(0.0) { $0 + Double($1.0) * Double($1.1) }
        let share = together / tone.reduce(0.0) { $0 + Double($1) * Double($1) }
        #expect(abs(share - 1) < 0.1, "\(share)")
        // Dither of a triangle of two steps and the rounding itself: a quarter of a step squared.
        let noise = zip(heard, tone).map { ($0 - $1) * 32768 }
        let power = noise.reduce(0.0) { $0 + Double($1) * Double($1) } / Double(noise.count)
        #expect(abs(power - 0.25) < 0.02, "\(power)")
        #expect(abs(noise.reduce(0.0) { $0 + Double($1) } / Double(noise.count)) < 0.01)
    }
}
