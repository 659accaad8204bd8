import Foundation
import MusicModel
import Outputs
import Playback
import SoundSamples
import TestSupport
import Testing

@testable import PlaybackEngine

extension AudioTests {
    /// Songs that overlap where a listener goes to another one, in what outputs have written.
    @Suite(.timeLimit(.minutes(4)))
    struct OverlapTests {
        private static let click: Float = 0.001

        /// Records floats, by the clock alone or beside an output that keeps time by itself.
        private func bench(next: Duration = .seconds(1), crossfade: Int = 1, keepingTime: Bool = false) -> Bench {
            let bench = Bench(.virtual, outputFormat: nil, fades: FadeSettings(next: next)) { folder in
                var output = OutputSpecification(type: .file, name: "Recording", path: folder.file("out.wav"))
                output.format = AudioFormat(sampleRate: 44100, sample: .float, channels: 2)
                return [output] + (keepingTime ? [OutputSpecification(type: .null, name: "Nowhere")] : [])
            }
            bench.engine.set(.crossfade(crossfade))
            return bench
        }

        /// A song that goes up and down in small steps on one side, so that a frame left out or doubled would be a
        /// larger one.
        private func addSong(_ bench: Bench, _ number: Int64, onLeft: Bool, seconds: Int = 30) throws {
            let samples = (0..<(44100 * seconds)).flatMap { frame -> [Int16] in
                let place = frame % 16384
                let level = Int16(8192 + min(place, 16384 - place))
                return onLeft ? [level, 0] : [0, level]
            }
            let path = bench.folder.file("\(number).wav")
            try TestSound.write(samples, to: path)
            bench.provider.add(number, path: path)
        }

        private func recorded(_ bench: Bench) -> (left: [Float], right: [Float]) {
            guard let file = try? Data(contentsOf: URL(fileURLWithPath: bench.recording)) else { return ([], []) }
            let bytes = Array(file.dropFirst(44))
            return bytes.withUnsafeBytes { all in
                func side(_ offset: Int) -> [Float] {
                    (0..<(bytes.count / 8)).map { all.loadUnaligned(fromByteOffset: $0 * 8 + offset, as: Float.self) }
                }
                return (side(0), side(4))
            }
        }

        private func moves(_ bench: Bench, beyond seconds: Double, of play: UInt64) async -> Bool {
            await bench.eventually {
                bench.engine.progress.map { $0.play == play && $0.elapsed > .seconds(seconds) } ?? false
            }
        }

        private func isReady(_ bench: Bench, _ play: UInt64) async -> Bool {
            await bench.eventually {
                bench.log.all.contains { if case .info(play, _, _, _) = $0 { true } else { false } }
            }
        }

        private func maxStep(_ heard: some Sequence<Float>) -> Float {
            zip(heard, heard.dropFirst(1)).map { abs($1 - $0) }.max() ?? 1
        }

        /// The first frame and the one behind the last one that has sound.
        private func sounding(_ heard: [Float]) -> Range<Int> {
            guard let first = heard.firstIndex(where: { $0 != 0 }),
                let last = heard.lastIndex(where: { $0 != 0 })
            else { return 0..<0 }
            return first..<(last + 1)
        }

        @Test("the song that is left goes on and fades out under the next one", arguments: [true, false])
        func overlaps(keepingTime: Bool) async throws {
            let bench = bench(keepingTime: keepingTime)
            try addSong(bench, 1, onLeft: true)
            try addSong(bench, 2, onLeft: false)
            bench.start(1)
            bench.engine.prepareNext(bench.track(2))
            #expect(await isReady(bench, 2))
            #expect(await moves(bench, beyond: 0.5, of: 1))
            bench.start(2)
            #expect(await moves(bench, beyond: 1.5, of: 2))
            await bench.engine.shutDown()
            let (left, right) = recorded(bench)
            let (before, after) = (sounding(left), sounding(right))
            #expect(abs(before.upperBound - after.lowerBound - 44100) < 1800, "a second, in blocks of 40 ms")
            #expect(maxStep(left.dropFirst()) < Self.click && maxStep(right) < Self.click)
            // Both are alike but for where they began, and equally loud together all the time.
            func song(_ frame: Int) -> Float { Float(8192 + min(frame % 16384, 16384 - frame % 16384)) / 32768 }
            let start = after.lowerBound
            let sums = stride(from: start + 100, to: start + 44000, by: 97).map { frame -> Float in
                let (out, rising) = (left[frame] / song(frame), right[frame] / song(frame - start))
                return out * out + rising * rising
            }
            #expect(sums.allSatisfy { abs($0 - 1) < 0.02 }, "\(sums.min() ?? 0) \(sums.max() ?? 0)")
            #expect((start + 44100 + 1800..<right.count).allSatisfy { abs(right[$0] - song($0 - start)) < 0.0001 })
            #expect((1..<start).allSatisfy { abs(left[$0] - song($0)) < 0.0001 }, "no frame is missing")
            #expect(bench.log.summary == ["started 1", "started 2"])
        }

        @Test("it goes on also until the next song has been opened, and to a place in that")
        func opens() async throws {
            let bench = bench()
            try addSong(bench, 1, onLeft: true)
            try addSong(bench, 2, onLeft: false)
            bench.start(1)
            #expect(await moves(bench, beyond: 0.5, of: 1))
            bench.start(2, at: .seconds(20))
            #expect(await moves(bench, beyond: 21.5, of: 2))
            await bench.engine.shutDown()
            let (left, right) = recorded(bench)
            #expect(maxStep(left.dropFirst()) < Self.click && maxStep(right) < Self.click)
            #expect(sounding(left).upperBound > sounding(right).lowerBound)
        }

        /// Goes to the second song after a while, and gives how many frames both were heard.
        private func overlap(
            _ bench: Bench, rate: Int = 44100, _ change: (inout EngineTrack) -> Void
        ) async throws -> Int {
            try addSong(bench, 1, onLeft: true)
            try addSong(bench, 2, onLeft: false)
            bench.start(1)
            #expect(await moves(bench, beyond: 0.4, of: 1))
            var track = bench.track(2)
            change(&track)
            bench.engine.start(track, at: .zero, paused: false)
            #expect(await moves(bench, beyond: 0.4, of: 2))
            await bench.engine.shutDown()
            let (left, right) = recorded(bench)
            return zip(left, right).count { $0 != 0 && $1 != 0 }
        }

        @Test("neighbours on an album don't overlap")
        func album() async throws {
            #expect(try await overlap(bench()) { $0.followsOnAlbum = true } == 0)
        }

        @Test("nothing overlaps where it is switched off, or clients have set no crossfade")
        func isOff() async throws {
            #expect(try await overlap(bench(next: .zero, crossfade: 5)) { _ in } == 0)
            #expect(try await overlap(bench(next: .seconds(5), crossfade: 0)) { _ in } == 0)
        }

        @Test("a crossfade that is shorter counts")
        func shorter() async throws {
            let bench = bench(next: .seconds(9), crossfade: 1)
            let frames = try await overlap(bench) { _ in }
            #expect(frames > 0 && frames < 44100 + 1800)
        }

        @Test("the same song begins again without an overlap, and so does a seek in it")
        func sameSong() async throws {
            let bench = bench()
            try addSong(bench, 1, onLeft: true)
            bench.start(1)
            #expect(await moves(bench, beyond: 0.4, of: 1))
            bench.engine.start(bench.track(2, song: 1), at: .seconds(10), paused: false)
            #expect(await moves(bench, beyond: 10.2, of: 2))
            bench.engine.seek(to: .seconds(20))
            #expect(await moves(bench, beyond: 20.2, of: 2))
            await bench.engine.shutDown()
            // Two at once would be louder than any of them.
            #expect(recorded(bench).left.allSatisfy { $0 <= 0.5001 })
        }

        @Test("ten songs in quick succession leave one, which fades out under the last", arguments: [true, false])
        func quick(keepingTime: Bool) async throws {
            let bench = bench(keepingTime: keepingTime)
            try addSong(bench, 1, onLeft: true)
            for number in Int64(2)...11 { try addSong(bench, number, onLeft: false, seconds: 5) }
            bench.start(1)
            #expect(await moves(bench, beyond: 0.5, of: 1))
            for number in UInt64(2)...11 {
                bench.start(number)
                if number % 2 == 0 { await bench.pass(.milliseconds(60)) }
            }
            #expect(await moves(bench, beyond: 1.6, of: 11))
            await bench.engine.shutDown()
            let (left, right) = recorded(bench)
            #expect(maxStep(left.dropFirst()) < Self.click, "the first song fades out in peace")
            #expect(maxStep(right) < 0.02)
            #expect(right.allSatisfy { $0 <= 0.71 }, "never more than the one that comes and the one that goes")
            #expect(sounding(left).upperBound < left.count - 22050)
            #expect(bench.log.summary.last == "started 11")
        }

        @Test("a song that can't be played, a stop and a pause end an overlap")
        func interruptions() async throws {
            let bench = bench(next: .seconds(5), crossfade: 5)
            for number in Int64(1)...3 { try addSong(bench, number, onLeft: number % 2 == 1) }
            bench.start(1)
            #expect(await moves(bench, beyond: 0.3, of: 1))
            bench.start(9)
            #expect(await bench.log.waits(for: "failed 9"))
            bench.start(1)
            #expect(await moves(bench, beyond: 0.3, of: 1))
            bench.start(2)
            #expect(await moves(bench, beyond: 0.3, of: 2))
            bench.engine.setPaused(true)
            bench.engine.setPaused(false)
            #expect(await moves(bench, beyond: 0.6, of: 2))
            bench.engine.stop()
            #expect(await bench.eventually { bench.engine.progress == nil })
            bench.start(3, at: .seconds(29))
            #expect(await bench.log.waits(for: "finished 3"))
            await bench.engine.shutDown()
            #expect(recorded(bench).right.suffix(44100).allSatisfy { $0 == 0 }, "the second song is over")
        }
    }
}
