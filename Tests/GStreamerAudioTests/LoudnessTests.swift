import MusicModel
import Playback
import Testing

@testable import GStreamerAudio

extension AudioTests {
    @Suite(.timeLimit(.minutes(2)))
    struct LoudnessTests {
        private func play(_ bench: Bench, _ track: EngineTrack) async throws -> [Int16] {
            bench.engine.start(track, at: .zero, paused: false)
            #expect(await bench.log.waits(for: "finished \(track.play)"))
            await bench.engine.shutDown()
            return try TestSound.read(bench.recording).samples
        }

        private func largestError(_ heard: [Int16], _ samples: [Int16], factor: Float) -> Float {
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
            bench.engine.setVolume(50)
            let heard = try await play(bench, bench.track(1))
            #expect(largestError(heard, samples, factor: Gain.factor(volume: 50)) <= 1)
        }

        @Test("an output with mixer_type none gets the samples unscaled")
        func unscaled() async throws {
            let bench = Bench { folder in
                [OutputSpecification(type: .file, name: "Recording", mixerType: .none, path: folder.file("out.wav"))]
            }
            let samples = try bench.song(1, frames: 44100)
            bench.engine.setVolume(10)
            #expect(isSame(try await play(bench, bench.track(1)), samples))
        }

        @Test("ReplayGain scales by the track's or the album's value, and no further than the peak allows")
        func replayGain() {
            let gain = ReplayGain(trackGain: -6, trackPeak: 0.9, albumGain: 6, albumPeak: 0.8)
            #expect(Gain.factor(gain, mode: "off") == 1)
            #expect(abs(Gain.factor(gain, mode: "track") - 0.501187) < 0.0001)
            #expect(abs(Gain.factor(gain, mode: "album") - 1.25) < 0.0001)
            #expect(abs(Gain.factor(ReplayGain(trackGain: -6), mode: "album") - 0.501187) < 0.0001)
            #expect(Gain.factor(ReplayGain(), mode: "track") == 1)
        }

        @Test("the track's ReplayGain reaches the output")
        func replayGainIsHeard() async throws {
            let bench = Bench()
            let samples = try bench.song(1, frames: 44100)
            bench.engine.setReplayGainMode("track")
            let heard = try await play(bench, bench.track(1, replayGain: ReplayGain(trackGain: -12, trackPeak: 1)))
            #expect(largestError(heard, samples, factor: 0.251189) <= 1)
        }

        @Test("a crossfade overlaps the songs and keeps the power")
        func crossfade() async throws {
            let bench = Bench()
            let first = try bench.song(1, frames: 44100 * 3)
            let second = try bench.song(2, frames: 44100 * 3)
            bench.engine.setCrossfade(1)
            bench.start(1, paused: true)
            bench.engine.prepareNext(bench.track(2))
            #expect(
                await eventually { bench.log.all.contains { if case .info(2, _, _, _) = $0 { true } else { false } } })
            bench.engine.setPaused(false)
            #expect(await bench.log.waits(for: "finished 2"))
            await bench.engine.shutDown()
            let heard = try TestSound.read(bench.recording).samples
            #expect(abs(heard.count / 2 - 44100 * 5) <= 882)
            #expect(isSame(heard[..<(44100 * 4 - 2000)], first[..<(44100 * 4 - 2000)]))
            #expect(isSame(heard.suffix(44100 * 2), second.suffix(44100 * 2)))
            let middle = heard[(44100 * 5 - 4410)..<(44100 * 5 + 4410)].map { Double($0) * Double($0) }.reduce(0, +)
            let plain = heard[..<8820].map { Double($0) * Double($0) }.reduce(0, +)
            #expect(abs(middle / plain - 1) < 0.1)
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
