import Foundation
import MusicModel
import Outputs
import Playback
import SoundSamples
import TestSupport
import Testing

@testable import Demonstration
@testable import PlaybackEngine

extension AudioTests {
    /// Crossfades between songs whose samples are unlike each other.
    @Suite(.timeLimit(.minutes(4)))
    struct CrossfadeTests {
        /// A song that fades out, one that fades in, and what they sound in.
        struct Pair: Sendable, CustomTestStringConvertible {
            var before: (rate: Int, channels: Int)
            var after: (rate: Int, channels: Int)
            var common: (rate: Int, channels: Int)
            var outputFormat: AudioFormat?

            init(
                _ before: (Int, Int), _ after: (Int, Int), _ common: (Int, Int), outputFormat: AudioFormat? = nil
            ) {
                (self.before, self.after, self.common) = (before, after, common)
                self.outputFormat = outputFormat
            }

            var testDescription: String { "\(before) to \(after) in \(common)" }

            /// What is recorded in; the engine has to bring the songs there by itself.
            var format: AudioFormat {
                AudioFormat(sampleRate: common.rate, sample: .float, channels: common.channels)
            }
        }

        static let pairs = [
            Pair((44100, 2), (48000, 2), (44100, 2)), Pair((48000, 2), (44100, 2), (48000, 2)),
            Pair((96000, 2), (44100, 2), (96000, 2)), Pair((44100, 2), (96000, 2), (44100, 2)),
            Pair((44100, 2), (22050, 2), (44100, 2)), Pair((22050, 2), (48000, 2), (48000, 2)),
            Pair((44100, 1), (44100, 2), (44100, 2)), Pair((44100, 2), (48000, 1), (44100, 2)),
            Pair(
                (44100, 2), (96000, 2), (48000, 2),
                outputFormat: AudioFormat(sampleRate: 48000, sample: .float, channels: 2)),
            Pair(
                (44100, 2), (48000, 2), (48000, 2),
                outputFormat: AudioFormat(sampleRate: 48000, sample: .unknown, channels: 0)),
        ]

        /// The loudness that all test songs have, and the seconds that the first one plays and that the songs overlap.
        private static let level = 0.5
        private static let (played, overlap) = (4.0, 2.0)
        /// How many seconds the songs last; MPD's rules want at least 20.
        private static let length = 21

        /// A song of one level on the left and a tone on the right; one of a single channel has just the tone.
        private func write(_ bench: Bench, _ number: Int64, _ layout: (rate: Int, channels: Int)) throws {
            let tone = (0..<(layout.rate / 50)).map { frame in
                Int16((Self.level * 32768 * sin(2 * .pi * 1000 * Double(frame) / Double(layout.rate))).rounded())
            }
            let isFirst = number == 1
            var period: [Int16] = []
            for sample in tone {
                let constant = Int16(Self.level * 32768)
                switch (layout.channels, isFirst) {
                case (1, true): period.append(constant)
                case (1, false): period.append(sample)
                case (_, true): period += [constant, 0]
                case (_, false): period += [0, sample]
                }
            }
            let samples = [Int16](
                unsafeUninitializedCapacity: period.count * 50 * Self.length,
                initializingWith: { target, count in
                    for start in stride(from: 0, to: target.count, by: period.count) {
                        for index in period.indices { target[start + index] = period[index] }
                    }
                    count = target.count
                })
            let path = bench.folder.file("\(number).wav")
            try TestSound.write(samples, to: path, rate: layout.rate, channels: layout.channels)
            bench.provider.add(number, path: path)
        }

        /// Plays the end of the first song and all of the second one, and gives what was recorded, channel by channel.
        private func play(_ bench: Bench) async throws -> [[Float]] {
            await bench.startBoth(at: .seconds(Double(Self.length) - Self.played))
            #expect(await bench.log.waits(for: "finished 2", seconds: 60))
            await bench.engine.shutDown()
            let bytes = try Data(contentsOf: URL(fileURLWithPath: bench.recording)).dropFirst(44)
            let samples = Array(bytes).withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
            return (0..<2).map { channel in stride(from: channel, to: samples.count, by: 2).map { samples[$0] } }
        }

        private func bench(_ pair: Pair) -> Bench {
            Bench(outputFormat: pair.outputFormat) { folder in
                var output = OutputSpecification(type: .file, name: "Recording", path: folder.file("out.wav"))
                output.format = pair.format
                return [output]
            }
        }

        /// The largest difference of a sound from what it should be, within some frames, every few of them.
        private func error(_ heard: [Float], _ frames: Range<Int>, _ expected: (Int) -> Double) -> Double {
            stride(from: frames.lowerBound, to: min(frames.upperBound, heard.count), by: 7)
                .map { abs(Double(heard[$0]) - expected($0)) }.max() ?? .infinity
        }

        @Test("songs of different rates and channels overlap, to the frame and within 0.1 dB", arguments: pairs)
        func overlap(pair: Pair) async throws {
            let bench = bench(pair)
            try write(bench, 1, pair.before)
            try write(bench, 2, pair.after)
            bench.engine.set(.crossfade(Int(Self.overlap)))
            let heard = try await play(bench)
            let rate = Double(pair.common.rate)
            let (start, frames) = (Int((Self.played - Self.overlap) * rate), Int(Self.overlap * rate))
            let whole = Int((Self.played + Double(Self.length) - Self.overlap) * rate)
            #expect(heard[0].count == whole, "frames")
            guard heard[0].count == whole else { return }
            // A song of one channel is on both sides.
            let isMixed = pair.before.channels != 2 || pair.after.channels != 2
            func tone(_ frame: Int) -> Double { Self.level * sin(2 * .pi * 1000 * Double(frame - start) / rate) }
            func angle(_ frame: Int) -> Double { Double(frame - start) / Double(frames) * .pi / 2 }
            // 0.1 dB is 1.16 percent. Resamplers ring for a few frames where a constant level begins and ends.
            let edge = 200
            let early = edge..<(start - edge)
            #expect(error(heard[0], early) { _ in Self.level } < 0.0002, "before")
            #expect(error(heard[0], (start - edge)..<(start + edge)) { Self.level * cos(max(0, angle($0))) } < 0.006)
            let late = (start + frames + edge)..<(whole - edge)
            // A resampler shifts its sound by 0.03 frames of the song.
            #expect(error(heard[1], late) { tone($0) } < 0.005, "after")
            let fade = (start + edge)..<(start + frames - edge)
            if isMixed {
                // One song is on both sides: their difference is the other one.
                let difference = zip(heard[0], heard[1]).map { pair.before.channels == 1 ? $1 - $0 : $0 - $1 }
                #expect(
                    error(difference, fade) { frame in
                        pair.before.channels == 1 ? tone(frame) * sin(angle(frame)) : Self.level * cos(angle(frame))
                    } < 0.005, "the song on one side")
            } else {
                #expect(ratioError(heard[0], fade) { Self.level * cos(angle($0)) } < 0.1, "dB, falling")
                #expect(error(heard[1], fade) { tone($0) * sin(angle($0)) } < 0.0116 * Self.level, "rising")
            }
        }

        /// The largest difference of two levels, in decibels, where there is much to hear.
        private func ratioError(_ heard: [Float], _ frames: Range<Int>, _ expected: (Int) -> Double) -> Double {
            stride(from: frames.lowerBound, to: frames.upperBound, by: 7)
                .filter { expected($0) > 0.01 }
                .map { abs(20 * log10(Double(heard[$0]) / expected($0))) }.max() ?? .infinity
        }

        @Test("by their MixRamp tags songs of different rates overlap as they are")
        func mixRamp() async throws {
            guard DemoEncoder.isAvailable(DemoEncoder.flac) else { return }
            let bench = bench(Pair((44100, 2), (48000, 2), (44100, 2)))
            for (number, rate) in [(Int64(1), 44100), (2, 48000)] {
                var format = DemoEncoder.flac
                format.pipeline = "audio/x-raw,rate=\(rate) ! audioconvert ! flacenc"
                let frame: [Int16] = number == 1 ? [8192, 0] : [0, 8192]
                let samples = (0..<(44100 * Self.length)).flatMap { _ in frame }
                let profiles = ["MIXRAMP_START=-30.0 0.2;-17.0 1.5;", "MIXRAMP_END=-30.0 0.2;-17.0 2.5;"]
                let path = bench.folder.file("\(number).flac")
                try DemoEncoder.encode(
                    samples, as: format, tags: DemoTags(others: profiles.map { ("extended-comment", $0) }), to: path)
                bench.provider.add(number, path: path)
            }
            bench.engine.set(.crossfade(5))
            bench.engine.set(.mixRamp(threshold: -17, delay: 1))
            let heard = try await play(bench)
            // One and a half seconds, two and a half, and one less.
            let (start, end, edge) = (44100, 4 * 44100, 200)
            // The encoder's resampler may have left a frame out.
            #expect(abs(heard[0].count - 44100 * (4 + Self.length - 3)) <= 1, "frames")
            guard heard[0].count > end + edge else { return }
            #expect(error(heard[0], edge..<(end - edge)) { _ in 0.25 } < 0.001)
            #expect(error(heard[0], (end + edge)..<heard[0].count) { _ in 0 } < 0.001)
            #expect(error(heard[1], 0..<(start - edge)) { _ in 0 } < 0.001)
            #expect(error(heard[1], (start + edge)..<(heard[1].count - edge)) { _ in 0.25 } < 0.001)
        }
    }
}
