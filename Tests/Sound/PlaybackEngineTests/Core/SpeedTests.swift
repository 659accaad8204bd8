import Coordination
import Foundation
import MusicModel
import Outputs
import Playback
import SoundSamples
import TestSupport
import Testing

@testable import AudioFiles
@testable import AudioOutputs
@testable import PlaybackEngine

extension AudioTests {
    /// Speed without pitch.
    @Suite(.timeLimit(.minutes(2)))
    struct SpeedTests {
        private static let rate = 44100

        /// A tone of two channels that differ in loudness.
        private static func tone(_ hertz: Double, frames: Int) -> [Float] {
            (0..<frames).flatMap { frame -> [Float] in
                let value = Float(sin(2 * .pi * hertz * Double(frame) / Double(rate)))
                return [value * 0.5, value * 0.25]
            }
        }

        /// How often the left channel rises through zero in a second.
        private func pitch(_ samples: [Float]) -> Double {
            let left = stride(from: 0, to: samples.count, by: 2).map { samples[$0] }
            let rises = (1..<left.count).filter { left[$0 - 1] < 0 && left[$0] >= 0 }
            guard let first = rises.first, let last = rises.last, last > first else { return 0 }
            return Double(rises.count - 1) * Double(Self.rate) / Double(last - first)
        }

        @Test("sound lasts as much longer or shorter as asked, at the same pitch", arguments: [0.5, 0.8, 1.25, 2, 3])
        func stretches(speed: Double) {
            let layout = SampleLayout(rate: Self.rate, channels: 2)
            var stretch = TimeStretch(speed: speed, layout: layout)
            let input = Self.tone(441, frames: Self.rate * 4)
            var output: [Float] = []
            for start in stride(from: 0, to: input.count, by: 3528) {
                output += stretch.process(Array(input[start..<min(input.count, start + 3528)]))
                #expect(stretch.held < Int(Double(Self.rate) * 0.16))
            }
            output += stretch.finish()
            let seconds = Double(output.count / 2) / Double(Self.rate)
            #expect(abs(seconds - 4 / speed) < 0.1)
            #expect(abs(pitch(output) - 441) < 2)
            // The channels stay what they are to each other, and no overlap makes it louder or much softer.
            let middle = output[8820..<(output.count - 8820)]
            #expect(
                stride(from: middle.startIndex, to: middle.endIndex, by: 2).allSatisfy {
                    abs(middle[$0] * 0.5 - middle[$0 + 1]) < 0.001
                })
            let peaks = stride(from: middle.startIndex, to: middle.endIndex - 882, by: 882).map { start in
                middle[start..<start + 882].map(abs).max() ?? 0
            }
            #expect(peaks.allSatisfy { $0 > 0.45 && $0 <= 0.501 })
        }

        @Test("a recording at twice the speed is half as long, and its places are the song's")
        func recording() async throws {
            let bench = Bench()
            let samples = Self.tone(441, frames: Self.rate * 4).map { Int16($0 * 32767) }
            for number in 1...2 {
                try TestSound.write(samples, to: bench.folder.file("\(number).wav"))
                bench.provider.add(Int64(number), path: bench.folder.file("\(number).wav"))
            }
            bench.engine.set(.speed(2))
            bench.startJoined()
            #expect(await bench.log.waits(for: "finished 2"))
            await bench.engine.shutDown()
            let heard = try TestSound.read(bench.recording).samples
            #expect(abs(Double(heard.count / 2) / Double(Self.rate) - 4) < 0.1)
            #expect(abs(pitch(heard.map { Float($0) / 32767 }) - 441) < 2)
            // Both songs go over into each other without a break.
            let loudest = zip(heard.dropFirst(2), heard).map { abs(Int($0) - Int($1)) }.max() ?? 0
            #expect(loudest < 2100)
            for play in UInt64(1)...2 {
                let places = bench.log.all.compactMap { event in
                    if case .progress(play, let elapsed, let heard) = event { (elapsed, heard) } else { nil }
                }
                let last = try #require(places.last)
                #expect(last.0 >= .milliseconds(3850) && last.0 <= .milliseconds(4001))
                #expect(last.1 >= .milliseconds(3800) && last.1 <= .milliseconds(4150))
            }
        }

        @Test("the speed can change while it plays, and 1 gives the very samples again")
        func changes() async throws {
            var speed = PlayingSpeed()
            let layout = SampleLayout(rate: Self.rate, channels: 2)
            let input = Self.tone(441, frames: Self.rate)
            var output: [Float] = []
            for (part, factor) in [1.5, 0.7, 1].enumerated() {
                speed.speed = factor
                let from = input.count / 3 / 2 * 2 * part
                let piece = Array(input[from..<from + input.count / 3 / 2 * 2])
                let block = SampleBlock(layout: layout, samples: piece)
                if speed.mustFinish(before: block) { output += speed.finish(play: 1, place: .zero)?.samples ?? [] }
                let given = speed.process(block)
                if factor == 1 { #expect(given?.samples == piece) }
                output += given?.samples ?? []
            }
            let steps = zip(output.dropFirst(2), output).map { abs($0 - $1) }.max() ?? 0
            #expect(steps < 0.064)
            let rest = speed.finish(play: 1, place: .zero)
            #expect(rest == nil)
        }
    }
}
