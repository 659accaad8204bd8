import Coordination
import Foundation
import MusicModel
import Outputs
import Playback
import Testing
import TestSupport

@testable import GStreamerAudio

extension AudioTests {
    /// Pausing, seeking and skipping in real time, on an output that keeps time and by the clock.
    @Suite(.timeLimit(.minutes(2)))
    struct TransportTests {
        private static func keepingTime(_ folder: TemporaryFolder) -> [OutputSpecification] {
            [OutputSpecification(type: .null, name: "Nowhere")] + Bench.fileOutput(folder)
        }

        private static func byTheClock(_ folder: TemporaryFolder) -> [OutputSpecification] { Bench.fileOutput(folder) }

        private func bench(keepingTime: Bool) -> Bench {
            Bench(.realTime, outputs: keepingTime ? Self.keepingTime : Self.byTheClock)
        }

        private func elapsed(_ bench: Bench) -> Double {
            bench.engine.progress.map { $0.elapsed / .seconds(1) } ?? -1
        }

        private func moves(_ bench: Bench, beyond seconds: Double) async -> Bool {
            await eventually { self.elapsed(bench) > seconds }
        }

        @Test("a song takes as long as it lasts", arguments: [true, false])
        func takesItsTime(keepingTime: Bool) async throws {
            let bench = bench(keepingTime: keepingTime)
            let samples = try bench.song(1, frames: 44100)
            let began = Monotonic.now
            bench.start(1)
            #expect(await bench.log.waits(for: "finished 1"))
            let took = (Monotonic.now - began).seconds
            #expect(took > 0.95 && took < 3)
            await bench.engine.shutDown()
            #expect(isSame(try TestSound.read(bench.recording).samples, samples))
        }

        @Test("a pause holds the elapsed time, and nothing is lost or doubled over it", arguments: [true, false])
        func pauses(keepingTime: Bool) async throws {
            let bench = bench(keepingTime: keepingTime)
            let samples = try bench.song(1, frames: 44100 * 3 / 2)
            bench.start(1)
            #expect(await moves(bench, beyond: 0.3))
            bench.engine.setPaused(true)
            var last = -1.0
            #expect(
                await eventually { () -> Bool in
                    defer { last = elapsed(bench) }; return last == elapsed(bench)
                })
            let held = elapsed(bench)
            #expect(!(await eventually(within: .seconds(0.4)) { elapsed(bench) != held }))
            bench.engine.setPaused(false)
            #expect(await moves(bench, beyond: held + 0.1))
            #expect(await bench.log.waits(for: "finished 1"))
            await bench.engine.shutDown()
            #expect(isSame(try TestSound.read(bench.recording).samples, samples))
        }

        @Test("a seek while playing goes on at the place and counts only what is heard", arguments: [true, false])
        func seeks(keepingTime: Bool) async throws {
            let bench = bench(keepingTime: keepingTime)
            let samples = try bench.song(1, frames: 44100 * 20)
            bench.start(1)
            #expect(await moves(bench, beyond: 0.2))
            let (began, left) = (Monotonic.now, elapsed(bench))
            bench.engine.seek(to: .seconds(19))
            #expect(await bench.log.waits(for: "seeked 1"))
            let place = elapsed(bench)
            // What may have been heard meanwhile, and then some: less than is mixed ahead.
            let more = (Monotonic.now - began).seconds + 0.4
            #expect(place >= 19 && place < 19 + more)
            #expect(await bench.log.waits(for: "finished 1"))
            await bench.engine.shutDown()
            let heard = try TestSound.read(bench.recording).samples
            #expect(isSame(heard.suffix(44100 * 2), samples.suffix(44100 * 2)))
            let seconds = Double(heard.count / 2) / 44100
            #expect(seconds > 1.2 && seconds < 1 + left + more)
            let before = heard.count - 44100 * 2
            #expect(isSame(heard[..<before], samples[..<before]))
        }

        @Test("a seek in pause stays in pause", arguments: [true, false])
        func seeksPaused(keepingTime: Bool) async throws {
            let bench = bench(keepingTime: keepingTime)
            _ = try bench.song(1, frames: 44100 * 5)
            bench.start(1)
            #expect(await moves(bench, beyond: 0.1))
            bench.engine.setPaused(true)
            bench.engine.seek(to: .seconds(4))
            #expect(await bench.log.waits(for: "seeked 1"))
            #expect(!(await eventually(within: .seconds(0.3)) { elapsed(bench) != 4 }))
            bench.engine.setPaused(false)
            #expect(await moves(bench, beyond: 4.1))
            await bench.engine.shutDown()
        }

        @Test("a skip is heard at once", arguments: [true, false])
        func skips(keepingTime: Bool) async throws {
            let bench = bench(keepingTime: keepingTime)
            _ = try bench.song(1, frames: 44100 * 5)
            _ = try bench.song(2, frames: 44100 * 5)
            bench.start(1)
            #expect(await moves(bench, beyond: 0.2))
            let began = Monotonic.now
            bench.start(2)
            #expect(await bench.log.waits(for: "started 2"))
            #expect((Monotonic.now - began).seconds < 2)
            #expect(bench.log.summary == ["started 1", "started 2"])
            await bench.engine.shutDown()
        }

        @Test("at a change of rate both songs are heard whole", arguments: [true, false])
        func changesRate(keepingTime: Bool) async throws {
            let bench = bench(keepingTime: keepingTime)
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

        /// Plays a song of a second and calls its join with a second one of `frames` off, shortly before it is heard.
        ///
        /// There are 0.3 s for it; what comes too late is tried once more.
        private func callOff(keepingTime: Bool, frames: Int) async throws -> Heard {
            for _ in 0..<4 {
                let heard = try await callOffOnce(bench(keepingTime: keepingTime), frames: frames)
                if !heard.summary.contains("started 2") { return heard }
            }
            return try await callOffOnce(bench(keepingTime: keepingTime), frames: frames)
        }

        private func callOffOnce(_ bench: Bench, frames: Int) async throws -> Heard {
            let first = try bench.song(1, frames: 44100)
            _ = try bench.song(2, frames: frames)
            let third = try bench.song(3, frames: 11025)
            func isTooLate() -> Bool { bench.log.summary.contains("started 2") }
            bench.start(1)
            bench.engine.prepareNext(bench.track(2))
            #expect(await eventually { self.elapsed(bench) > 0.7 || isTooLate() })
            bench.engine.prepareNext(bench.track(3))
            #expect(await eventually { bench.log.summary.contains("finished 3") || isTooLate() })
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
            let bench = bench(keepingTime: true)
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
                    try await Task.sleep(for: .milliseconds(Int.random(in: 0...60, using: &generator)))
                }
            }
            bench.engine.setOutput(0, enabled: true)
            bench.engine.setPaused(false)
            bench.engine.start(bench.track(1000, song: 1), at: .zero, paused: false)
            #expect(await bench.log.waits(for: "finished 1000", seconds: 60))
            let began = Monotonic.now
            await bench.engine.shutDown()
            #expect((Monotonic.now - began).seconds < 1.6)
        }
    }
}
