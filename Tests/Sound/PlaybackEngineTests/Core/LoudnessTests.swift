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
    @Suite(.timeLimit(.minutes(2)))
    struct LoudnessTests {
        private func play(_ bench: Bench, _ track: EngineTrack) async throws -> [Int16] {
            bench.engine.start(track, at: .zero, paused: false)
            #expect(await bench.log.waits(for: "finished \(track.play)"))
            await bench.engine.shutDown()
            return try TestSound.read(bench.recording).samples
        }

        private func maxErrorSize(_ heard: [Int16], _ samples: [Int16], factor: Float) -> Float {
            guard heard.count == samples.count else { return .infinity }
            return zip(heard, samples).map { abs(Float($0) - Float($1) * factor) }.max() ?? .infinity
        }

        @Test("the volume's curve is MPD's", arguments: [(0, 0), (100, 1), (50, 0.1192), (25, 0.03206), (75, 0.35609)])
        func curve(volume: Int, factor: Double) {
            #expect(abs(Double(Gain.factor(volume: volume)) - factor) < 0.0001)
        }

        @Test("volume 50 makes every sample as small as computed")
        func volume() async throws {
            let bench = Bench()
            let samples = try bench.song(1, frames: 44100)
            bench.engine.set(.volume(50))
            let heard = try await play(bench, bench.track(1))
            #expect(maxErrorSize(heard, samples, factor: Gain.factor(volume: 50)) <= 2)
        }

        @Test("an output with mixer_type none gets the samples unscaled")
        func unscaled() async throws {
            let bench = Bench { folder in
                [OutputSpecification(type: .file, name: "Recording", mixerType: .none, path: folder.file("out.wav"))]
            }
            let samples = try bench.song(1, frames: 44100)
            bench.engine.set(.volume(10))
            #expect(isSame(try await play(bench, bench.track(1)), samples))
        }

        @Test("ReplayGain scales by the track's or the album's value, and no further than the peak allows")
        func replayGain() {
            let gain = ReplayGain(trackGain: -6, trackPeak: 0.9, albumGain: 6, albumPeak: 0.8)
            #expect(Gain.factor(gain, mode: .off) == 1)
            #expect(abs(Gain.factor(gain, mode: .track) - 0.501187) < 0.0001)
            #expect(abs(Gain.factor(gain, mode: .album) - 1.25) < 0.0001)
            #expect(abs(Gain.factor(ReplayGain(trackGain: -6), mode: .album) - 0.501187) < 0.0001)
            #expect(Gain.factor(ReplayGain(), mode: .track) == 1)
        }

        @Test("the track's ReplayGain reaches the output")
        func replayGainIsHeard() async throws {
            let bench = Bench()
            let samples = try bench.song(1, frames: 44100)
            bench.engine.set(.replayGain(.track))
            let heard = try await play(bench, bench.track(1, replayGain: ReplayGain(trackGain: -12, trackPeak: 1)))
            #expect(maxErrorSize(heard, samples, factor: 0.251189) <= 2)
        }

        @Test("ReplayGain adds the preamp, takes the other for songs without values, and limits only where asked")
        func preamp() {
            let gain = ReplayGain(trackGain: -6, trackPeak: 0.9)
            let settings = ReplayGainSettings(preamp: 4, missingPreamp: -3)
            #expect(abs(decibels(Gain.factor(gain, mode: .track, settings)) + 2) < 0.01)
            #expect(abs(decibels(Gain.factor(ReplayGain(), mode: .album, settings)) + 3) < 0.01)
            #expect(Gain.factor(ReplayGain(), mode: .off, settings) == 1)
            let loud = ReplayGain(trackGain: 6, trackPeak: 0.8)
            #expect(abs(Gain.factor(loud, mode: .track, ReplayGainSettings(limitsPeaks: true)) - 1.25) < 0.0001)
            #expect(abs(decibels(Gain.factor(loud, mode: .track, ReplayGainSettings(limitsPeaks: false))) - 6) < 0.01)
            let raised = ReplayGain(trackGain: -1, trackPeak: 0.8)
            #expect(abs(Gain.factor(raised, mode: .track, ReplayGainSettings(preamp: 6)) - 1.25) < 0.0001)
            #expect(Gain.factor(ReplayGain(trackGain: 60), mode: .track) == 15)
        }

        private func decibels(_ factor: Float) -> Double { 20 * log10(Double(factor)) }

        /// A song of one level throughout, so that what is heard shows the factor.
        private func level(_ bench: Bench, _ number: Int64, _ level: (left: Int16, right: Int16), seconds: Int) throws {
            let path = bench.folder.file("\(number).wav")
            let samples = (0..<(44100 * seconds)).flatMap { _ in [level.left, level.right] }
            try TestSound.write(samples, to: path)
            bench.provider.add(number, path: path)
        }

        /// The newest sample of a recording that is being written.
        private func lastSample(_ bench: Bench) -> Int16? {
            let url = URL(fileURLWithPath: bench.recording)
            guard let bytes = try? Data(contentsOf: url).suffix(2), bytes.count == 2 else { return nil }
            let value: Int = bytes.reversed().reduce(0) { $0 << 8 | Int($1) }
            return Int16(truncatingIfNeeded: value)
        }

        @Test("a crossfade's envelopes are those of equal power, within 0.1 dB")
        func crossfade() async throws {
            let bench = Bench()
            try level(bench, 1, (16384, 0), seconds: 20)
            try level(bench, 2, (0, 16384), seconds: 20)
            bench.engine.set(.crossfade(2))
            await bench.startBoth(at: .seconds(16))
            #expect(await bench.log.waits(for: "started 2", seconds: 60))
            bench.engine.stop()
            await bench.engine.shutDown()
            let heard = try TestSound.read(bench.recording).samples
            #expect(heard.count / 2 > 44100 * 4 - 100)
            guard heard.count / 2 > 44100 * 4 - 100 else { return }
            #expect((0..<88200).allSatisfy { heard[$0 * 2] == 16384 && heard[$0 * 2 + 1] == 0 })
            for frame in stride(from: 88200 + 100, to: 88200 + 86000, by: 97) {
                let angle = Double(frame - 88200) / 88200 * .pi / 2
                for (sample, factor) in [(heard[frame * 2], cos(angle)), (heard[frame * 2 + 1], sin(angle))]
                where factor > 0.02 {
                    #expect(abs(20 * log10(Double(sample) / 16384 / factor)) < 0.1, "at frame \(frame)")
                }
            }
        }

        @Test("songs overlap by MPD's rules")
        func rules() {
            func song(_ seconds: Int) -> CrossfadeSettings.Song {
                CrossfadeSettings.Song(duration: .seconds(seconds))
            }
            var settings = CrossfadeSettings(seconds: 5)
            #expect(settings.overlap(of: song(60), and: song(60)) == .init(length: .seconds(5), isPlain: false))
            #expect(settings.overlap(of: song(19), and: song(60)) == nil)
            #expect(settings.overlap(of: song(60), and: song(19)) == nil)
            settings.seconds = 30
            #expect(settings.overlap(of: song(60), and: song(25)) == nil)
            settings.seconds = 0
            #expect(settings.overlap(of: song(60), and: song(60)) == nil)
        }

        @Test("MixRamp tags say how long songs overlap")
        func mixRamp() {
            let profile = "-24.0 0.5;-18.0 1.5;-6.0 3.5;"
            #expect(MixRampTags.seconds(in: profile, decibels: -18) == 1.5)
            #expect(MixRampTags.seconds(in: profile, decibels: -12) == 2.5)
            #expect(MixRampTags.seconds(in: profile, decibels: -40) == 0.5)
            #expect(MixRampTags.seconds(in: profile, decibels: 0) == nil)
            #expect(MixRampTags.seconds(in: "", decibels: 0) == nil)
            #expect(MixRampTags.seconds(in: "-24 x;nan inf", decibels: -30) == nil)
            var current = CrossfadeSettings.Song(duration: .seconds(60))
            var next = current
            current.mixRamp.end = profile
            next.mixRamp.start = profile
            var settings = CrossfadeSettings(seconds: 5, mixRampThreshold: -18, mixRampDelay: 1)
            #expect(settings.overlap(of: current, and: next) == .init(length: .seconds(2), isPlain: true))
            next.gain = -6
            #expect(settings.overlap(of: current, and: next) == .init(length: .seconds(3), isPlain: true))
            settings.mixRampDelay = 10
            #expect(settings.overlap(of: current, and: next) == nil)
            settings.mixRampDelay = nil
            #expect(settings.overlap(of: current, and: next) == .init(length: .seconds(5), isPlain: false))
            settings.mixRampDelay = 1
            next.mixRamp.start = nil
            #expect(settings.overlap(of: current, and: next) == .init(length: .seconds(5), isPlain: false))
        }

        @Test("a change of volume has no step larger than its ramp's slope")
        func volumeRamp() async throws {
            let bench = Bench(.virtual)
            try level(bench, 1, (16384, 16384), seconds: 3)
            bench.start(1)
            #expect(await bench.reaches(0.3))
            for volume in [0, 100, 30, 100] {
                bench.engine.set(.volume(volume))
                // The next one comes once this one is heard.
                let value = 16384 * Gain.factor(volume: volume)
                #expect(await bench.eventually { lastSample(bench).map { abs(Float($0) - value) <= 2 } ?? false })
            }
            #expect(await bench.log.waits(for: "finished 1", seconds: 30))
            await bench.engine.shutDown()
            let heard = try TestSound.read(bench.recording).samples
            let steps = zip(heard, heard.dropFirst(2)).map { abs(Int($0) - Int($1)) }
            #expect(heard.contains(0) && heard.last == 16384)
            #expect(steps.max() ?? 0 <= 16384 / 441 + 5)
        }

        @Test("dither leaves what fits into 16 bits alone and keeps the mean of what doesn't")
        func dither() {
            var dither = Dither()
            let exact = (0..<1000).map { Float($0 - 500) / 32768 }
            var samples = exact
            dither.apply(to: &samples)
            #expect(samples == exact)
            samples = [Float](repeating: 0.25 / 32768, count: 40_000)
            dither.apply(to: &samples)
            let rounded = samples.map { Double(($0 * 32768).rounded()) }
            let mean: Double = rounded.reduce(0, +) / 40_000
            #expect(abs(mean - 0.25) < 0.02)
            #expect(rounded.allSatisfy { abs($0) <= 1 } && Set(rounded).count > 1)
        }

        @Test("a ramp reaches its target in 10 ms without a jump")
        func ramp() {
            var ramp = GainRamp(1)
            ramp.target = 0
            let layout = SampleLayout(rate: 1000, channels: 1)
            var samples = [Float](repeating: 1, count: 20)
            ramp.apply(to: &samples, layout: layout)
            #expect(ramp.current == 0)
            #expect(zip(samples, samples.dropFirst()).allSatisfy { $0 >= $1 && $0 - $1 < 0.11 })
        }
    }
}
