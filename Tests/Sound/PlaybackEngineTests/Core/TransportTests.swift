import Coordination
import Foundation
import MusicModel
import Outputs
import Playback
import SoundSamples
import TestSupport
import Testing

@testable import PlaybackEngine

extension AudioTests {
    /// Pausing, seeking and skipping as time passes, on an output that keeps time and by the clock.
    @Suite(.timeLimit(.minutes(2)))
    struct TransportTests {
        private static func keepingTime(_ folder: TemporaryFolder) -> [OutputSpecification] {
            [OutputSpecification(type: .null, name: "Nowhere")] + Bench.fileOutput(folder)
        }

        private static func byTheClock(_ folder: TemporaryFolder) -> [OutputSpecification] { Bench.fileOutput(folder) }

        private func bench(keepingTime: Bool) -> (Bench, VirtualEngineClock) {
            let clock = VirtualEngineClock()
            return (Bench(.clock(clock), outputs: keepingTime ? Self.keepingTime : Self.byTheClock), clock)
        }

        @Test("a song takes as long as it lasts", arguments: [true, false])
        func takesItsTime(keepingTime: Bool) async throws {
            let (bench, clock) = bench(keepingTime: keepingTime)
            let samples = try bench.song(1, frames: 44100)
            let began = clock.now
            bench.start(1)
            #expect(await bench.log.waits(for: "finished 1"))
            let took = clock.now - began
            #expect(took >= .seconds(1) && took < .milliseconds(1010), "\(took)")
            await bench.engine.shutDown()
            #expect(isSame(try TestSound.read(bench.recording).samples, samples))
        }

        @Test("a pause holds the elapsed time, and nothing is lost or doubled over it", arguments: [true, false])
        func pauses(keepingTime: Bool) async throws {
            let (bench, _) = bench(keepingTime: keepingTime)
            let samples = try bench.song(1, frames: 44100 * 3 / 2)
            bench.start(1)
            #expect(await bench.reaches(0.3))
            bench.engine.setPaused(true)
            await bench.pass(.zero)
            let held = bench.elapsed
            await bench.pass(.seconds(100))
            #expect(bench.elapsed == held && held >= 0.3 && held < 0.7)
            bench.engine.setPaused(false)
            #expect(await bench.reaches(held + 0.1))
            #expect(await bench.log.waits(for: "finished 1"))
            await bench.engine.shutDown()
            #expect(isSame(try TestSound.read(bench.recording).samples, samples))
        }

        @Test("a seek while playing goes on at the place and counts only what is heard", arguments: [true, false])
        func seeks(keepingTime: Bool) async throws {
            let (bench, _) = bench(keepingTime: keepingTime)
            let samples = try bench.song(1, frames: 44100 * 20)
            bench.start(1)
            #expect(await bench.reaches(0.2))
            let left = bench.elapsed
            bench.engine.seek(to: .seconds(19))
            #expect(await bench.log.waits(for: "seeked 1"))
            #expect(bench.elapsed == 19, "no time has passed")
            #expect(await bench.log.waits(for: "finished 1"))
            await bench.engine.shutDown()
            let heard = try TestSound.read(bench.recording).samples
            #expect(isSame(heard.suffix(44100 * 2), samples.suffix(44100 * 2)))
            let before = heard.count - 44100 * 2
            // The block that was begun is written to its end.
            #expect(abs(Double(before / 2) / 44100 - left) <= 0.04)
            #expect(isSame(heard[..<before], samples[..<before]))
            let told = bench.log.all.compactMap { if case .progress(1, _, let heard) = $0 { heard } else { nil } }
            #expect(told.last.map { abs($0 / .seconds(1) - 1 - left) < 0.05 } == true, "\(told)")
        }

        @Test("a seek in pause stays in pause", arguments: [true, false])
        func seeksPaused(keepingTime: Bool) async throws {
            let (bench, _) = bench(keepingTime: keepingTime)
            _ = try bench.song(1, frames: 44100 * 5)
            bench.start(1)
            #expect(await bench.reaches(0.1))
            bench.engine.setPaused(true)
            bench.engine.seek(to: .seconds(4))
            #expect(await bench.log.waits(for: "seeked 1"))
            await bench.pass(.seconds(100))
            #expect(bench.elapsed == 4)
            bench.engine.setPaused(false)
            #expect(await bench.reaches(4.1))
            await bench.engine.shutDown()
        }

        @Test("a skip is heard at once", arguments: [true, false])
        func skips(keepingTime: Bool) async throws {
            let (bench, clock) = bench(keepingTime: keepingTime)
            _ = try bench.song(1, frames: 44100 * 5)
            _ = try bench.song(2, frames: 44100 * 5)
            bench.start(1)
            #expect(await bench.reaches(0.2))
            let began = clock.now
            bench.start(2)
            #expect(await bench.log.waits(for: "started 2"))
            #expect(clock.now - began < .milliseconds(200), "much more is mixed ahead")
            #expect(bench.log.summary == ["started 1", "started 2"])
            await bench.engine.shutDown()
        }

        @Test("at a change of rate both songs are heard whole", arguments: [true, false])
        func changesRate(keepingTime: Bool) async throws {
            let (bench, _) = bench(keepingTime: keepingTime)
            let first = try bench.song(1, frames: 22050)
            _ = try bench.song(2, frames: 24000, rate: 48000)
            bench.start(1)
            bench.engine.prepareNext(bench.track(2))
            #expect(await bench.log.waits(for: "finished 2"))
            await bench.engine.shutDown()
            let heard = try TestSound.read(bench.recording).samples
            #expect(isSame(heard[..<44100], first))
            #expect(abs(heard.count / 2 - 44100) <= 2)
            #expect(bench.log.summary == ["started 1", "started 2", "finished 2"])
        }

        private typealias Heard = (first: [Int16], third: [Int16], heard: [Int16], summary: [String])

        /// Plays a song of a second and calls its join with a second one of `frames` off, 0.3 s before it is heard.
        private func callOff(keepingTime: Bool, frames: Int) async throws -> Heard {
            let (bench, _) = bench(keepingTime: keepingTime)
            let first = try bench.song(1, frames: 44100)
            _ = try bench.song(2, frames: frames)
            let third = try bench.song(3, frames: 11025)
            bench.start(1)
            bench.engine.prepareNext(bench.track(2))
            #expect(await bench.reaches(0.7))
            bench.engine.prepareNext(bench.track(3))
            #expect(await bench.log.waits(for: "finished 3"))
            await bench.engine.shutDown()
            return (first, third, try TestSound.read(bench.recording).samples, bench.log.summary)
        }

        @Test("a join that is called off before it is heard leaves the song before it whole", arguments: [true, false])
        func callsOff(keepingTime: Bool) async throws {
            let (first, third, heard, summary) = try await callOff(keepingTime: keepingTime, frames: 44100)
            #expect(summary == ["started 1", "started 3", "finished 3"])
            #expect(isSame(heard.suffix(third.count), third))
            #expect(abs(heard.count - first.count - third.count) <= 4 * 882)
            // An output that goes by the clock has not taken what is called off.
            if !keepingTime { #expect(isSame(heard, first + third)) }
        }

        @Test("a song so short that it is mixed to its end can still be called off")
        func callsOffShort() async throws {
            let (first, third, heard, _) = try await callOff(keepingTime: false, frames: 4410)
            #expect(isSame(heard, first + third))
        }

        @Test("three hundred random calls leave nothing stuck")
        func random() async throws {
            let (bench, clock) = bench(keepingTime: true)
            for number in 1...4 { _ = try bench.song(Int64(number), frames: 44100 * number) }
            bench.provider.add(5, path: bench.folder.file("absent.wav"))
            var generator = SplitMix64(seed: 300)
            for play in UInt64(1)...300 {
                let song = Int64.random(in: 1...5, using: &generator)
                switch Int.random(in: 0..<8, using: &generator) {
                case 0, 1:
                    bench.engine.start(
                        bench.track(play, song: song), at: .milliseconds(Int.random(in: 0...900, using: &generator)),
                        paused: false)
                case 2: bench.engine.prepareNext(bench.track(play, song: song))
                case 3: bench.engine.seek(to: .milliseconds(Int.random(in: 0...5000, using: &generator)))
                case 4: bench.engine.setPaused(Bool.random(using: &generator))
                case 5: bench.engine.stop()
                case 6:
                    bench.engine.setOutput(
                        Int.random(in: 0...1, using: &generator), enabled: Bool.random(using: &generator))
                default: bench.engine.prepareNext(nil)
                }
                if play.isMultiple(of: 4) {
                    await bench.pass(.milliseconds(Int.random(in: 0...60, using: &generator)))
                }
            }
            bench.engine.setOutput(0, enabled: true)
            bench.engine.setPaused(false)
            bench.engine.start(bench.track(1000, song: 1), at: .zero, paused: false)
            #expect(await bench.log.waits(for: "finished 1000"))
            let began = clock.now
            await bench.engine.shutDown()
            #expect(clock.now == began, "no output is waited for")
        }
    }
}
