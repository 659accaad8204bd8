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
    /// Commands faster than any finger, and what is left of them.
    @Suite(.timeLimit(.minutes(5)))
    struct StressTests {
        private func threads(named name: String) -> Int {
            let tasks = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task")) ?? []
            return tasks.filter { task in
                (try? String(contentsOfFile: "/proc/self/task/\(task)/comm", encoding: .utf8)) == name + "\n"
            }.count
        }

        /// How many of the bench's files are open; other tests of the process open theirs.
        private func openFiles(of bench: Bench) -> Int {
            let descriptors = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
            return descriptors.count { descriptor in
                let path = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(descriptor)")
                return path?.hasPrefix(bench.folder.path) == true
            }
        }

        /// Songs of several kinds: short, long, broken and absent.
        private func fill(_ bench: Bench) throws {
            _ = try bench.song(1, frames: 44100 * 20)
            _ = try bench.song(2, frames: 4000)
            _ = try bench.song(3, frames: 48000 * 5, rate: 48000, channels: 1)
            let broken = bench.folder.file("4.mp3")
            try Data((0..<20_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }).write(to: URL(fileURLWithPath: broken))
            bench.provider.add(4, path: broken)
            try DemoEncoder.encode(
                TestSound.noise(frames: 44100 * 3, seed: 6), as: DemoEncoder.flac, tags: DemoTags(title: "Six"),
                to: bench.folder.file("6.flac"))
            bench.provider.add(6, path: bench.folder.file("6.flac"))
        }

        private func command(_ bench: Bench, _ random: inout Numbers, _ play: UInt64) {
            let song = Int64(random.next() % 6) + 1
            switch random.next() % 10 {
            case 0...2:
                let start = Duration.milliseconds(Int(random.next() % 3000))
                bench.engine.start(bench.track(play, song: song), at: start, paused: random.next() % 4 == 0)
            case 3, 4: bench.engine.prepareNext(bench.track(play, song: song))
            case 5, 6: bench.engine.seek(to: .milliseconds(Int(random.next() % 25_000)))
            case 7: bench.engine.setPaused(random.next() % 2 == 0)
            case 8: bench.engine.set(.crossfade(random.next() % 2 == 0 ? 0 : 2))
            default: bench.engine.stop()
            }
        }

        /// Long songs of all rates and channels, which overlap.
        private func fillMixed(_ bench: Bench) throws {
            let layouts = [(44100, 2), (48000, 1), (96000, 2), (44100, 1), (22050, 2), (48000, 2)]
            for (index, (rate, channels)) in layouts.enumerated() {
                let path = bench.folder.file("\(index + 1).wav")
                let piece = TestSound.noise(frames: rate, channels: channels, seed: UInt32(index + 1))
                var samples: [Int16] = []
                for _ in 0..<Self.seconds { samples += piece }
                try TestSound.write(samples, to: path, rate: rate, channels: channels)
                bench.provider.add(Int64(index + 1), path: path)
            }
        }

        private static let seconds = 22

        /// Mostly what makes songs overlap, and what breaks into that.
        private func overlapping(_ bench: Bench, _ random: inout Numbers, _ play: UInt64) {
            let song = Int64(random.next() % 6) + 1
            switch random.next() % 12 {
            case 0...2:
                let start = Duration.milliseconds(Int(random.next() % 5000) + 17_000)
                bench.engine.start(bench.track(play, song: song), at: start, paused: random.next() % 6 == 0)
            case 3...5: bench.engine.prepareNext(random.next() % 8 == 0 ? nil : bench.track(play, song: song))
            case 6, 7: bench.engine.seek(to: .milliseconds(Int(random.next() % 5000) + 17_000))
            case 8, 9: bench.engine.setPaused(false)
            case 10: bench.engine.set(.replayGain(random.next() % 2 == 0 ? .off : .track))
            default: bench.engine.set(.crossfade(Int(random.next() % 4)))
            }
        }

        @Test("songs of all rates overlap while commands come fast", arguments: [4, 5] as [UInt64])
        func overlaps(seed: UInt64) async throws {
            let decks = threads(named: "deck")
            let bench = Bench(.virtual) { folder in
                [OutputSpecification(type: .null, name: "Clock")] + Bench.fileOutput(folder)
            }
            try fillMixed(bench)
            bench.engine.set(.crossfade(3))
            var random = Numbers(state: 0x9E37_79B9_7F4A_7C15 &* seed)
            let limit = Duration.seconds(Self.seconds) + .milliseconds(1)
            for play in 1...300 {
                overlapping(bench, &random, UInt64(play))
                if play % 3 == 0 { await bench.pass(.milliseconds(Int(random.next() % 60))) }
                let elapsed = bench.engine.progress?.elapsed ?? .zero
                #expect(elapsed >= .zero && elapsed <= limit, "elapsed \(elapsed)")
            }
            bench.engine.setPaused(false)
            bench.engine.set(.crossfade(2))
            bench.engine.start(bench.track(1000, song: 3), at: .seconds(18), paused: false)
            bench.engine.prepareNext(bench.track(1001, song: 2))
            #expect(await bench.log.waits(for: "started 1001"))
            bench.engine.seek(to: .seconds(Self.seconds - 1))
            #expect(await bench.log.waits(for: "finished 1001"))
            await bench.engine.shutDown()
            for case .progress(_, let elapsed, let heard) in bench.log.all {
                #expect(elapsed >= .zero && elapsed <= limit && heard >= .zero)
            }
            #expect(await eventually { threads(named: "deck") <= decks })
            #expect(await eventually { openFiles(of: bench) == 0 })
        }

        /// The same numbers in every run.
        private struct Numbers {
            var state: UInt64

            mutating func next() -> UInt64 {
                state ^= state << 13
                state ^= state >> 7
                state ^= state << 17
                return state >> 11
            }
        }

        @Test(
            "after 300 fast commands the engine still plays, and nothing of them stays behind",
            arguments: [1, 2, 3] as [UInt64])
        func commands(seed: UInt64) async throws {
            let decks = threads(named: "deck")
            let bench = Bench(.virtual) { folder in
                [OutputSpecification(type: .null, name: "Clock")] + Bench.fileOutput(folder)
            }
            try fill(bench)
            var random = Numbers(state: 0x9E37_79B9_7F4A_7C15 &* seed)
            for play in 1...300 {
                command(bench, &random, UInt64(play))
                // Some come at once, others while the one before takes effect.
                if play % 5 == 0 { await bench.pass(.milliseconds(Int(random.next() % 30))) }
            }
            bench.engine.setPaused(false)
            bench.engine.start(bench.track(1000, song: 2), at: .zero, paused: false)
            #expect(await bench.log.waits(for: "finished 1000"))
            await bench.engine.shutDown()
            #expect(await eventually { threads(named: "deck") <= decks })
            #expect(await eventually { openFiles(of: bench) == 0 })
        }
    }
}
