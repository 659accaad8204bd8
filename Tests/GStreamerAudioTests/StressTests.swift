import Foundation
import MusicModel
import Playback
import Testing

@testable import GStreamerAudio

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

        private var openFiles: Int {
            (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd"))?.count ?? 0
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
            case 8: bench.engine.setCrossfade(random.next() % 2 == 0 ? 0 : 2)
            default: bench.engine.stop()
            }
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
            let (decks, files) = (threads(named: "deck"), openFiles)
            let bench = Bench(.realTime) { folder in
                [OutputSpecification(type: .null, name: "Clock")] + Bench.fileOutput(folder)
            }
            try fill(bench)
            var random = Numbers(state: 0x9E37_79B9_7F4A_7C15 &* seed)
            for play in 1...300 {
                command(bench, &random, UInt64(play))
                // Some come at once, others while the one before takes effect.
                if play % 5 == 0 { try await Task.sleep(for: .milliseconds(Int(random.next() % 30))) }
            }
            bench.engine.setPaused(false)
            bench.engine.start(bench.track(1000, song: 2), at: .zero, paused: false)
            #expect(await bench.log.waits(for: "finished 1000", seconds: 60))
            await bench.engine.shutDown()
            #expect(await eventually { threads(named: "deck") <= decks })
            #expect(await eventually { openFiles <= files + 2 })
        }
    }
}
