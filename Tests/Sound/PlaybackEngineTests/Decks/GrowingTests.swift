import Coordination
import Foundation
import MusicModel
import Outputs
import Playback
import SoundSamples
import Synchronization
import TestSupport
import Testing

@testable import Demonstration
@testable import PlaybackEngine

extension DemoEncoder {
    static let wavpack = Format(suffix: "wv", pipeline: "wavpackenc", takesPicture: false)
}

extension AudioTests {
    /// Songs that play while they are still arriving.
    @Suite(.timeLimit(.minutes(2)))
    struct GrowingTests {
        private static let formats = [
            DemoEncoder.flac, DemoEncoder.vorbis, DemoEncoder.opus, DemoEncoder.mp3, DemoEncoder.m4a,
            DemoEncoder.wavpack, DemoEncoder.wav,
        ]

        /// Writes `bytes` to a file piece by piece on a thread of its own.
        private func grow(
            _ bench: Bench, _ bytes: [UInt8], suffix: String, piece: Int, pause: Duration, stopAt: Int? = nil,
            song: Int64 = 1, breakAfterFirst: Duration = .zero
        ) throws -> TrackFile {
            let path = bench.folder.file("growing." + suffix)
            #expect(FileManager.default.createFile(atPath: path, contents: nil))
            let file = TrackFile(path: path, suffix: suffix, available: 0, total: Int64(bytes.count))
            bench.provider.add(song, file)
            let handle = try #require(FileHandle(forWritingAtPath: path))
            bench.startThread("grower") {
                var written = 0
                let last = stopAt ?? bytes.count
                while written < last {
                    bench.sleep(for: written == piece ? pause + breakAfterFirst : pause)
                    let end = min(written + piece, last)
                    handle.write(Data(bytes[written..<end]))
                    written = end
                    file.advance(to: Int64(written), total: nil)
                }
                if stopAt == nil { file.complete() } else { file.fail("the server broke off") }
            }
            return file
        }

        private func encoded(_ format: DemoEncoder.Format, _ samples: [Int16], _ bench: Bench) throws -> [UInt8] {
            let path = bench.folder.file("source." + format.suffix)
            try DemoEncoder.encode(samples, as: format, tags: DemoTags(title: "T"), to: path)
            return [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
        }

        @Test("a song that arrives slowly plays to its end", arguments: ["wav", "flac"])
        func exact(suffix: String) async throws {
            let bench = Bench(.virtual)
            let samples = TestSound.noise(frames: 44100 * 2)
            let bytes = suffix == "wav" ? TestSound.wav(samples) : try encoded(DemoEncoder.flac, samples, bench)
            _ = try grow(bench, bytes, suffix: suffix, piece: 10_000, pause: .milliseconds(10))
            bench.start(1)
            #expect(await bench.log.waits(for: "finished 1"))
            await bench.engine.shutDown()
            #expect(isSame(try TestSound.read(bench.recording).samples, samples))
        }

        @Test("sound comes long before the last byte", arguments: ["wav", "flac", "ogg", "opus", "mp3", "m4a", "wv"])
        func early(suffix: String) async throws {
            let format = try #require(Self.formats.first { $0.suffix == suffix })
            let bench = Bench(.virtual)
            let bytes = try encoded(format, TestSound.noise(frames: 44100 * 10), bench)
            let file = try grow(bench, bytes, suffix: suffix, piece: bytes.count / 100, pause: .milliseconds(40))
            bench.start(1)
            #expect(await bench.log.waits(for: "started 1"))
            #expect(Double(file.current.available) < Double(bytes.count) * 0.4)
            await bench.engine.shutDown()
        }

        @Test("a song that arrives slower than it plays tells that it waits, and then goes on")
        func buffers() async throws {
            let bench = Bench(.virtual)
            let samples = TestSound.noise(frames: 44100 * 2)
            _ = try grow(bench, TestSound.wav(samples), suffix: "wav", piece: 44_100, pause: .milliseconds(450))
            bench.start(1)
            #expect(await bench.log.waits(for: "finished 1"))
            var waits: [Bool] = []
            for case .buffering(1, let isWaiting) in bench.log.all { waits.append(isWaiting) }
            #expect(waits.first == true && waits.last == false)
            await bench.engine.shutDown()
            #expect(isSame(try TestSound.read(bench.recording).samples, samples))
        }

        @Test(
            "an output that runs dry while a song is waited for has no underrun",
            arguments: [
                // Each piece suffices to go on, and comes a moment late: too soon to be taken for another sound.
                (piece: 141_120, pause: Duration.milliseconds(950)),
                // Each gap is shorter than what the player is told of while it lasts.
                (piece: 17_640, pause: .milliseconds(108)),
            ])
        func isNoUnderrun(piece: Int, pause: Duration) async throws {
            let bench = Bench(.virtual) { _ in [OutputSpecification(type: .null, name: "Clock")] }
            let bytes = TestSound.wav(TestSound.noise(frames: 44100 * 4))
            _ = try grow(bench, bytes, suffix: "wav", piece: piece, pause: pause)
            bench.start(1)
            #expect(await bench.log.waits(for: "finished 1"))
            #expect(bench.log.all.contains { if case .buffering(1, true) = $0 { true } else { false } })
            #expect(bench.engine.outputs.map(\.underruns) == [0])
            await bench.engine.shutDown()
        }

        @Test("a song sounds alone until what overlaps with it has arrived, and doesn't wait for that")
        func overlapsLate() async throws {
            let bench = Bench(.virtual)
            let samples = try bench.song(1, frames: 44100 * 21)
            let next = TestSound.wav(TestSound.noise(frames: 44100 * 21, seed: 2))
            // Its first third of a second is there before the overlap, the others come in the midst of it.
            _ = try grow(
                bench, next, suffix: "wav", piece: 58_800, pause: .milliseconds(5), song: 2,
                breakAfterFirst: .seconds(2))
            bench.engine.set(.crossfade(2))
            await bench.startBoth(at: .seconds(18))
            #expect(await bench.log.waits(for: "started 2"))
            #expect(!bench.log.all.contains { if case .buffering = $0 { true } else { false } })
            await bench.engine.shutDown()
            let heard = try TestSound.read(bench.recording).samples
            // The overlap would have begun after a second.
            let alone = 44_100 * 2 * 3 / 2
            #expect(heard.count > alone && isSame(heard.prefix(alone), samples[(44_100 * 2 * 18)...].prefix(alone)))
        }

        @Test("a song whose bytes break off plays what there is and then fails with the cache's words")
        func breaksOff() async throws {
            let bench = Bench(.virtual)
            let samples = TestSound.noise(frames: 44100 * 2)
            _ = try grow(
                bench, TestSound.wav(samples), suffix: "wav", piece: 44_100, pause: .milliseconds(1), stopAt: 44_100 * 4
            )
            bench.start(1)
            #expect(await bench.log.waits(for: "failed 1"))
            var message = ""
            for case .failed(1, let text) in bench.log.all { message = text }
            #expect(message == "the server broke off")
            await bench.engine.shutDown()
            let heard = try TestSound.read(bench.recording).samples
            #expect(heard.count > 44100 && isSame(heard, samples[..<heard.count]))
        }

        @Test("a song that breaks off while more of it is waited for gives its rest and fails, and waits for nothing")
        func breaksOffWhileItWaits() async throws {
            let bench = Bench(.virtual)
            let samples = TestSound.noise(frames: 44100 * 2)
            // The second piece comes into a gap, and would not suffice to go on if there were another.
            _ = try grow(
                bench, TestSound.wav(samples), suffix: "wav", piece: 141_120, pause: .milliseconds(1500),
                stopAt: 194_040)
            bench.start(1)
            #expect(await bench.log.waits(for: "failed 1"))
            #expect(bench.log.all.contains { if case .buffering(1, true) = $0 { true } else { false } })
            await bench.engine.shutDown()
            let heard = try TestSound.read(bench.recording).samples
            #expect(heard.count > 95_000 && isSame(heard, samples[..<heard.count]))
        }

        @Test("a seek beyond what has arrived waits for it and lands on the frame", arguments: ["wav", "flac"])
        func seeksAhead(suffix: String) async throws {
            let bench = Bench(.virtual)
            let samples = TestSound.noise(frames: 44100 * 6)
            let bytes = suffix == "wav" ? TestSound.wav(samples) : try encoded(DemoEncoder.flac, samples, bench)
            _ = try grow(bench, bytes, suffix: suffix, piece: bytes.count / 50, pause: .milliseconds(20))
            bench.start(1, paused: true)
            #expect(await bench.eventually { bench.log.all.contains { if case .info = $0 { true } else { false } } })
            bench.engine.seek(to: .seconds(5))
            bench.engine.setPaused(false)
            #expect(await bench.log.waits(for: "finished 1"))
            await bench.engine.shutDown()
            let heard = try TestSound.read(bench.recording).samples
            #expect(isSame(heard, samples[(44100 * 10)...]))
        }

        @Test("a seek while an Ogg file arrives works too", arguments: ["ogg", "opus", "mp3", "m4a"])
        func seeksAheadInLossy(suffix: String) async throws {
            let format = try #require(Self.formats.first { $0.suffix == suffix })
            let bench = Bench(.virtual)
            let bytes = try encoded(format, TestSound.noise(frames: 44100 * 6), bench)
            _ = try grow(bench, bytes, suffix: suffix, piece: bytes.count / 20, pause: .milliseconds(50))
            bench.start(1, paused: true)
            #expect(await bench.eventually { bench.log.all.contains { if case .info = $0 { true } else { false } } })
            bench.engine.seek(to: .seconds(5))
            #expect(await bench.log.waits(for: "seeked 1"))
            #expect(abs((bench.engine.progress?.elapsed ?? .zero) / .seconds(1) - 5) < 0.03)
            bench.engine.setPaused(false)
            #expect(await bench.log.waits(for: "finished 1"))
            await bench.engine.shutDown()
            let heard =
                Double(try TestSound.read(bench.recording).samples.count) / 2 / (suffix == "opus" ? 48000 : 44100)
            #expect(abs(heard - 1) < 0.1)
        }

        @Test("an M4A file with its tables at the end plays once they are there")
        func tablesAtEnd() async throws {
            var format = DemoEncoder.m4a
            format.pipeline = format.pipeline.replacing(" faststart=true", with: "")
            let bench = Bench(.virtual)
            let bytes = try encoded(format, TestSound.noise(frames: 44100 * 2), bench)
            _ = try grow(bench, bytes, suffix: "m4a", piece: bytes.count / 10, pause: .milliseconds(20))
            bench.start(1)
            #expect(await bench.log.waits(for: "finished 1"))
            await bench.engine.shutDown()
            #expect(try TestSound.read(bench.recording).samples.count > 44100 * 2)
        }

        @Test("a stop while bytes are awaited calls them off")
        func stops() async throws {
            let bench = Bench(.virtual)
            let path = bench.folder.file("never.flac")
            #expect(FileManager.default.createFile(atPath: path, contents: nil))
            weak var awaited: TrackFile?
            do {
                let file = TrackFile(path: path, suffix: "flac", total: 1_000_000)
                awaited = file
                bench.provider.add(1, file)
            }
            bench.start(1)
            // The song is open, and time goes on without its bytes.
            await bench.pass(.seconds(5))
            bench.engine.stop()
            bench.provider.remove(1)
            #expect(await eventually { awaited == nil })
            await bench.engine.shutDown()
        }
    }
}
