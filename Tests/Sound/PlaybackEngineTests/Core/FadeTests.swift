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
    /// Fades at pause, stop and going on, in what outputs have written.
    @Suite(.timeLimit(.minutes(4)))
    struct FadeTests {
        private static let level: Float = 0.5
        /// A thousandth, -60 dB.
        private static let click: Float = 0.001

        /// Records floats, by the clock alone or beside an output that keeps time by itself.
        private func bench(
            keepingTime: Bool = false, pause: Duration = .milliseconds(150), stop: Duration = .milliseconds(150)
        ) -> Bench {
            Bench(.virtual, outputFormat: nil, fades: FadeSettings(pause: pause, stop: stop)) { folder in
                var output = OutputSpecification(type: .file, name: "Recording", path: folder.file("out.wav"))
                output.format = AudioFormat(sampleRate: 44100, sample: .float, channels: 2)
                return [output] + (keepingTime ? [OutputSpecification(type: .null, name: "Nowhere")] : [])
            }
        }

        /// A song of one level, so that each sample tells how loud it was made.
        private func addSteadySong(_ bench: Bench, _ number: Int64 = 1, seconds: Int = 30) throws {
            let samples = [Int16](repeating: Int16(Self.level * 32768), count: 44100 * 2 * seconds)
            let path = bench.folder.file("\(number).wav")
            try TestSound.write(samples, to: path)
            bench.provider.add(number, path: path)
        }

        /// The left channel of what has been recorded so far, in parts of the song's level.
        private func recorded(_ bench: Bench) -> [Float] {
            guard let file = try? Data(contentsOf: URL(fileURLWithPath: bench.recording)) else { return [] }
            let bytes = Array(file.dropFirst(44))
            let frames = bytes.count / 8
            return bytes.withUnsafeBytes { all in
                (0..<frames).map { all.loadUnaligned(fromByteOffset: $0 * 8, as: Float.self) / Self.level }
            }
        }

        private func isSilentAtLast(_ bench: Bench) async -> Bool {
            await bench.eventually { (self.recorded(bench).last ?? 1) <= Self.click }
        }

        /// The largest step between two frames.
        private func maxStep(_ heard: [Float]) -> Float {
            zip(heard, heard.dropFirst()).map { abs($1 - $0) }.max() ?? 1
        }

        /// Whether a fade falls, or rises, all the time.
        private func isSteady(_ heard: some Sequence<Float>, falls: Bool) -> Bool {
            zip(heard, heard.dropFirst(1)).allSatisfy { falls ? $0 >= $1 : $0 <= $1 }
        }

        @Test("a pause fades out and in again, without a step, and loses no frame", arguments: [true, false])
        func pauses(keepingTime: Bool) async throws {
            let bench = bench(keepingTime: keepingTime)
            try addSteadySong(bench, seconds: 2)
            bench.start(1)
            #expect(await bench.reaches(0.4))
            bench.engine.setPaused(true)
            #expect(await isSilentAtLast(bench))
            let silent = recorded(bench).count
            await bench.pass(.seconds(100))
            #expect(recorded(bench).count == silent, "it waits")
            // Progress is what was heard: it stands where the fade has ended.
            #expect(abs(bench.elapsed - Double(silent) / 44100) < 0.0001)
            bench.engine.setPaused(false)
            #expect(await bench.log.waits(for: "finished 1"))
            await bench.engine.shutDown()
            let heard = recorded(bench)
            #expect(heard.count == 2 * 44100, "it goes on where the fade has ended")
            #expect(maxStep(heard) < Self.click)
            #expect(isSteady(heard[..<silent], falls: true) && isSteady(heard[silent...], falls: false))
            let faded = heard.count { $0 < 1 }
            #expect(abs(faded - 2 * 6615) < 8, "two fades of 0.15 seconds")
            #expect(bench.log.summary == ["started 1", "finished 1"])
        }

        @Test("all but the fades is the song, sample by sample")
        func rest() async throws {
            let bench = bench()
            let samples = try bench.song(1, frames: 2 * 44100)
            bench.start(1)
            #expect(await bench.reaches(0.3))
            bench.engine.setPaused(true)
            #expect(await bench.eventually { recorded(bench).suffix(10).allSatisfy { abs($0) < 0.004 } }, "silence")
            bench.engine.setPaused(false)
            #expect(await bench.log.waits(for: "finished 1"))
            await bench.engine.shutDown()
            let heard = recorded(bench)
            let song = (0..<(2 * 44100)).map { Float(samples[$0 * 2]) / 32768 / Self.level }
            #expect(heard.count == song.count)
            let changed = zip(heard, song).enumerated().filter { $0.element.0 != $0.element.1 }.map(\.offset)
            let (first, last) = (changed.first ?? 0, changed.last ?? 0)
            #expect(last - first > 6615 && last - first <= 2 * 6615 + 8, "fades of 0.15 seconds, and nothing else")
        }

        @Test("a pause that is taken back while it fades turns round without a step", arguments: [true, false])
        func turnsRound(keepingTime: Bool) async throws {
            let bench = bench(keepingTime: keepingTime, pause: .milliseconds(800))
            try addSteadySong(bench, seconds: 5)
            bench.start(1)
            #expect(await bench.reaches(0.4))
            for _ in 0..<2 {
                bench.engine.setPaused(true)
                #expect(await bench.eventually { (recorded(bench).last ?? 1) < 0.95 }, "softer sound")
                bench.engine.setPaused(false)
                #expect(await bench.eventually { recorded(bench).last == 1 }, "sound as it was")
            }
            #expect(await bench.log.waits(for: "finished 1"))
            await bench.engine.shutDown()
            let heard = recorded(bench)
            #expect(heard.count == 5 * 44100)
            #expect(maxStep(heard) < Self.click)
            #expect(heard.contains { $0 < 1 } && heard.suffix(44100).allSatisfy { $0 == 1 })
        }

        @Test("a stop fades out, while nothing is shown any more", arguments: [true, false])
        func stops(keepingTime: Bool) async throws {
            let bench = bench(keepingTime: keepingTime)
            try addSteadySong(bench)
            bench.start(1)
            #expect(await bench.reaches(0.4))
            bench.engine.stop()
            #expect(await bench.eventually { bench.engine.progress == nil })
            #expect(await isSilentAtLast(bench))
            let heard = recorded(bench)
            #expect(maxStep(heard) < Self.click && isSteady(heard, falls: true))
            #expect(abs(heard.count { $0 < 1 } - 6615) < 4)
            await bench.pass(.seconds(100))
            #expect(recorded(bench).count == heard.count)
            #expect(bench.engine.progress == nil)
            bench.start(1, at: .seconds(29))
            #expect(await bench.log.waits(for: "finished 1"))
            await bench.engine.shutDown()
            #expect(recorded(bench).suffix(44100).allSatisfy { $0 == 1 }, "what starts next is whole")
            #expect(recorded(bench).count == heard.count + 44100)
            #expect(bench.log.summary == ["started 1", "started 1", "finished 1"])
        }

        @Test("a pause that fades becomes a stop, and a start ends the fade")
        func stopsInFade() async throws {
            let bench = bench(pause: .milliseconds(800))
            try addSteadySong(bench)
            try addSteadySong(bench, 2, seconds: 1)
            bench.start(1)
            #expect(await bench.reaches(0.3))
            bench.engine.setPaused(true)
            bench.engine.stop()
            #expect(await isSilentAtLast(bench))
            #expect(maxStep(recorded(bench)) < Self.click)
            bench.start(1)
            #expect(await bench.reaches(0.3))
            bench.engine.stop()
            bench.start(2)
            #expect(await bench.log.waits(for: "finished 2"))
            await bench.engine.shutDown()
            #expect(recorded(bench).suffix(44100).allSatisfy { $0 == 1 })
        }

        @Test("a pause right before the end waits there, and the end comes after it")
        func pausesAtTheEnd() async throws {
            let bench = bench(pause: .milliseconds(1500))
            try addSteadySong(bench, seconds: 3)
            bench.start(1)
            #expect(await bench.reaches(1.8))
            bench.engine.setPaused(true)
            await bench.pass(.seconds(100))
            #expect(!bench.log.summary.contains("finished 1"))
            bench.engine.setPaused(false)
            #expect(await bench.log.waits(for: "finished 1"))
            await bench.engine.shutDown()
            #expect(recorded(bench).count == 3 * 44100)
        }

        @Test("a seek in a pause that fades goes to its place, and stays in pause")
        func seeks() async throws {
            let bench = bench(pause: .milliseconds(800))
            try addSteadySong(bench)
            bench.start(1)
            #expect(await bench.reaches(0.3))
            bench.engine.setPaused(true)
            bench.engine.seek(to: .seconds(29))
            #expect(await bench.log.waits(for: "seeked 1"))
            let count = recorded(bench).count
            await bench.pass(.seconds(100))
            #expect(bench.elapsed == 29)
            #expect(recorded(bench).count - count < 2000)
            bench.engine.setPaused(false)
            #expect(await bench.log.waits(for: "finished 1"))
            await bench.engine.shutDown()
            #expect(recorded(bench).suffix(44100).allSatisfy { $0 == 1 })
        }

        @Test("switched off, a pause cuts, and every sample is the song's", arguments: [true, false])
        func isOff(keepingTime: Bool) async throws {
            let bench = bench(keepingTime: keepingTime, pause: .zero, stop: .zero)
            try addSteadySong(bench, seconds: 1)
            bench.start(1)
            #expect(await bench.reaches(0.3))
            bench.engine.setPaused(true)
            bench.engine.setPaused(false)
            #expect(await bench.log.waits(for: "finished 1"))
            await bench.engine.shutDown()
            #expect(recorded(bench).count == 44100 && recorded(bench).allSatisfy { $0 == 1 })
        }
    }
}
