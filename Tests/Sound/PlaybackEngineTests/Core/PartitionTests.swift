import Glibc
import MusicModel
import Outputs
import Playback
import SoundSamples
import TestSupport
import Testing

@testable import PlaybackEngine

extension AudioTests {
    @Suite("Outputs that move between engines, and parts of songs", .timeLimit(.minutes(4)))
    struct PartitionTests {
        private func recorders(_ folder: TemporaryFolder, _ names: String...) -> [OutputSpecification] {
            names.map { OutputSpecification(type: .file, name: $0, path: folder.file("\($0).wav")) }
        }

        @Test("an output moves while both engines play; neither loses a sample")
        func moving() async throws {
            let clock = VirtualEngineClock()
            let one = Bench(.clock(clock)) { recorders($0, "A", "Both") }
            let two = Bench(.clock(clock)) { recorders($0, "B") }
            let first = try one.song(1, frames: 44100 * 4)
            let second = try two.song(2, frames: 44100 * 4)
            two.start(2)
            one.start(1)
            #expect(await one.reaches(0.8))
            one.engine.moveOutput(named: "Both", to: two.engine)
            #expect(one.engine.outputs.map(\.plugin) == ["file", "dummy"])
            #expect(two.engine.outputs.map(\.name) == ["B", "Both"])
            #expect(await one.log.waits(for: "finished 1"))
            #expect(await two.log.waits(for: "finished 2"))
            await one.engine.shutDown()
            await two.engine.shutDown()
            #expect(isSame(try TestSound.read(one.folder.file("A.wav")).samples, first))
            #expect(isSame(try TestSound.read(two.folder.file("B.wav")).samples, second))
            let moved = try TestSound.read(one.folder.file("Both.wav")).samples
            let kept = zip(moved, first).prefix { $0 == $1 }.count
            #expect(kept > 44100 && kept < first.count)
            #expect(moved.count > kept)
            #expect(isSame(moved[kept...], second.suffix(moved.count - kept)))
        }

        @Test("a clocked output moves to an engine that went by the system's clock, and back, while both play")
        func movingClock() async throws {
            let clock = VirtualEngineClock()
            let one = Bench(.clock(clock)) { _ in [OutputSpecification(type: .null, name: "Null")] }
            let two = Bench(.clock(clock)) { recorders($0, "B") }
            _ = try one.song(1, frames: 44100 * 6)
            let second = try two.song(2, frames: 44100 * 4)
            one.start(1)
            two.start(2)
            #expect(await two.reaches(0.5))
            one.engine.moveOutput(named: "Null", to: two.engine)
            #expect(await two.reaches(1.5))
            two.engine.moveOutput(named: "Null", to: one.engine)
            #expect(one.engine.outputs.map(\.plugin) == ["null"])
            #expect(two.engine.outputs.map(\.plugin) == ["file", "dummy"])
            #expect(await two.log.waits(for: "finished 2"))
            #expect(await one.log.waits(for: "finished 1"))
            await one.engine.shutDown()
            await two.engine.shutDown()
            #expect(isSame(try TestSound.read(two.folder.file("B.wav")).samples, second))
        }

        @Test(
            "parts of songs join to the sample, from and into whole songs, and are sought within",
            arguments: [44100, 48000])
        func parts(rate: Int) async throws {
            let bench = Bench(.virtual)
            let song = try bench.song(1, frames: rate * 8, rate: rate)
            let other = try bench.song(2, frames: rate * 3, rate: rate)
            func part(_ play: UInt64, _ start: Int, _ end: Int?) -> EngineTrack {
                EngineTrack(
                    play: play, source: .song(SongID(rawValue: 1)),
                    range: SongRange(start: .milliseconds(start), end: end.map { .milliseconds($0) }))
            }
            bench.engine.start(part(1, 333, 1001), at: .zero, paused: false)
            bench.engine.prepareNext(part(2, 1001, 4500))
            #expect(await bench.log.waits(for: "started 2"))
            bench.engine.prepareNext(bench.track(3, song: 2))
            #expect(await bench.log.waits(for: "started 3"))
            bench.engine.prepareNext(part(4, 7750, nil))
            #expect(await bench.log.waits(for: "finished 4"))
            bench.engine.start(part(5, 1000, 2000), at: .milliseconds(600), paused: false)
            #expect(await bench.log.waits(for: "finished 5"))
            await bench.engine.shutDown()
            func cut(_ start: Int, _ end: Int) -> ArraySlice<Int16> {
                func frame(_ milliseconds: Int) -> Int { Int((Double(milliseconds * rate) / 1000).rounded()) }
                return song[(frame(start) * 2)..<(frame(end) * 2)]
            }
            let expected = cut(333, 4500) + other[...] + cut(7750, 8000) + cut(1600, 2000)
            #expect(isSame(try TestSound.read(bench.recording).samples, expected))
            let durations = bench.log.all.compactMap { event -> Duration? in
                if case .info(1, _, let duration, _) = event { duration } else { nil }
            }
            #expect(durations.last == .milliseconds(668))
        }
    }
}
