import Coordination
import Foundation
import Glibc
import MusicModel
import Playback
import SoundSamples
import TestSupport
import Testing

@testable import AudioFiles
@testable import Demonstration
@testable import PlaybackEngine

extension AudioTests {
    /// A continuous sound in two files comes out continuous: not a frame more or less.
    @Suite(.timeLimit(.minutes(4)))
    struct JoinTests {
        /// The kinds of files in Tests/Fixtures/audio that say where they end, and what GStreamer needs for them.
        static let lossy = [
            "-lame.mp3": ["mpegaudioparse"], "-ffmpeg.mp3": ["mpegaudioparse"], "-edits.m4a": ["qtdemux", "aacparse"],
            "-note.m4a": ["qtdemux", "aacparse"],
        ]

        /// FFmpeg writes a length 3 frames too long into its second half, and plays it so itself.
        private func surplus(_ second: String) -> Int { second == "-ffmpeg.mp3" ? 3 : 0 }

        private func playAll(_ bench: Bench, _ count: UInt64) async throws -> [Int16] {
            bench.startJoined()
            for play in 3..<(count + 1) {
                #expect(await bench.log.waits(for: "started \(play - 1)", seconds: 60))
                bench.engine.prepareNext(bench.track(play))
            }
            #expect(await bench.log.waits(for: "finished \(count)", seconds: 60))
            await bench.engine.shutDown()
            return try TestSound.read(bench.recording).samples
        }

        private func expectWhole(_ heard: [Int16], rate: Int = 44100, surplus: Int = 0) {
            let expected = CutSound.samples(rate: rate)
            #expect(heard.count / 2 - CutSound.end == surplus, "frames too many")
            guard heard.count >= expected.count else { return }
            for place in [2000, CutSound.cut - 4000, CutSound.cut + 1000, CutSound.end - 4000] {
                #expect(CutSound.lag(heard, expected, at: place) == 0, "frames late at \(place)")
            }
            #expect(CutSound.error(heard, expected, 3000..<27000) < 0.03)
            #expect(CutSound.error(heard, expected, CutSound.cut - 500..<CutSound.cut + 500) < 0.06)
        }

        @Test("a sound cut into two lossy files joins to the frame", arguments: lossy.keys.sorted())
        func joinsLossy(kind: String) async throws {
            guard Self.lossy[kind]?.allSatisfy(GStreamerLibrary.has) == true else { return }
            let bench = Bench()
            bench.provider.add(1, path: CutSound.path("a", kind))
            bench.provider.add(2, path: CutSound.path("b", kind))
            expectWhole(try await playAll(bench, 2), surplus: surplus(kind))
        }

        @Test(
            "files of different kinds join to the frame",
            arguments: [
                ("-lame.mp3", "-edits.m4a"), ("-note.m4a", "-lame.mp3"), ("-lame.mp3", "-ffmpeg.mp3"),
                ("-alac.m4a", "-lame.mp3"), ("-edits.m4a", "-alac.m4a"),
            ])
        func mixed(first: String, second: String) async throws {
            let bench = Bench()
            bench.provider.add(1, path: CutSound.path("a", first))
            bench.provider.add(2, path: CutSound.path("b", second))
            expectWhole(try await playAll(bench, 2), surplus: surplus(second))
        }

        @Test("Opus joins to the frame")
        func opus() async throws {
            let bench = Bench()
            bench.provider.add(1, path: CutSound.path("a", ".opus"))
            bench.provider.add(2, path: CutSound.path("b", ".opus"))
            expectWhole(try await playAll(bench, 2), rate: 48000)
        }

        @Test(
            "Vorbis joins to the frame at every rate",
            arguments: [8000, 11_025, 16_000, 22_050, 32_000, 44_100, 48_000, 88_200, 96_000])
        func vorbis(rate: Int) async throws {
            guard DemoEncoder.isAvailable(DemoEncoder.vorbis) else { return }
            let bench = Bench()
            try encode(DemoEncoder.vorbis, bench, rate: rate)
            expectWhole(try await playAll(bench, 2))
        }

        @Test(
            "Vorbis of any length has its frames, also while it arrives", arguments: [false, true],
            [[22_051, 30_001], [33_337, 44_099], [48_000, 50_021]])
        func vorbisLengths(arrives: Bool, lengths: [Int]) async throws {
            guard DemoEncoder.isAvailable(DemoEncoder.vorbis) else { return }
            // Two at a time: a third would have to be named before the second, which takes milliseconds, has ended.
            let bench = Bench()
            for (number, frames) in lengths.enumerated() {
                let path = bench.folder.file("\(number).ogg")
                try DemoEncoder.encode(
                    TestSound.noise(frames: frames), as: DemoEncoder.vorbis, tags: DemoTags(title: "T"), to: path)
                guard arrives else {
                    bench.provider.add(Int64(number + 1), path: path)
                    continue
                }
                try addArriving(Int64(number + 1), path, to: bench)
            }
            let heard = try await playAll(bench, UInt64(lengths.count))
            #expect(heard.count / 2 == lengths.reduce(0, +))
        }

        /// Adds a file whose last bytes arrive a moment later.
        private func addArriving(_ number: Int64, _ path: String, to bench: Bench) throws {
            let size = try #require(try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int64)
            let file = TrackFile(path: path, suffix: "ogg", available: size - 100, total: size)
            bench.provider.add(number, file)
            bench.startThread("grower") {
                bench.sleep(for: .milliseconds(200))
                file.advance(to: size, total: nil)
                file.complete()
            }
        }

        /// Encodes the two halves; at another rate the same samples are a faster or slower sound.
        private func encode(_ format: DemoEncoder.Format, _ bench: Bench, rate: Int = 44100) throws {
            let samples = CutSound.samples()
            for (number, part) in [(1, samples[..<(CutSound.cut * 2)]), (2, samples[(CutSound.cut * 2)...])] {
                let path = bench.folder.file("\(number).\(format.suffix)")
                try DemoEncoder.encode(Array(part), rate: rate, as: format, tags: DemoTags(title: "T"), to: path)
                bench.provider.add(Int64(number), path: path)
            }
        }

        @Test("lossless files join without a bit changed", arguments: ["flac", "wv", "wav"])
        func lossless(suffix: String) async throws {
            let formats = [DemoEncoder.flac, DemoEncoder.wavpack, DemoEncoder.wav]
            let format = try #require(formats.first { $0.suffix == suffix })
            guard DemoEncoder.isAvailable(format) else { return }
            let bench = Bench()
            try encode(format, bench)
            #expect(isSame(try await playAll(bench, 2), CutSound.samples()))
        }

        @Test("ALAC joins without a bit changed")
        func alac() async throws {
            guard GStreamerLibrary.has("avdec_alac") else { return }
            let bench = Bench()
            bench.provider.add(1, path: CutSound.path("a", "-alac.m4a"))
            bench.provider.add(2, path: CutSound.path("b", "-alac.m4a"))
            #expect(isSame(try await playAll(bench, 2), CutSound.samples()))
        }

        @Test("Monkey's Audio joins without a bit changed")
        func ape() async throws {
            guard GStreamerLibrary.has("avdec_ape"), GStreamerLibrary.has("avdemux_ape") else { return }
            let bench = Bench()
            bench.provider.add(1, path: CutSound.path("a", ".ape"))
            bench.provider.add(2, path: CutSound.path("b", ".ape"))
            #expect(isSame(try await playAll(bench, 2), CutSound.samples()))
        }

        @Test("Musepack joins to the frame, however often it is opened", arguments: 1...8)
        func musepack(_: Int) async throws {
            guard GStreamerLibrary.has("musepackdec") else { return }
            let bench = Bench()
            bench.provider.add(1, path: CutSound.path("a", ".mpc"))
            bench.provider.add(2, path: CutSound.path("b", ".mpc"))
            expectWhole(try await playAll(bench, 2))
        }

        @Test("an MP3 file that says nothing about its ends is played whole")
        func plain() async throws {
            let bench = Bench()
            bench.provider.add(1, path: CutSound.path("a", "-plain.mp3"))
            bench.start(1)
            #expect(await bench.log.waits(for: "finished 1"))
            await bench.engine.shutDown()
            let heard = try TestSound.read(bench.recording).samples
            #expect(heard.count / 2 == 28 * 1152)
            #expect(CutSound.lag(heard, CutSound.samples(), at: 10_000) == 1105)
        }

        @Test("the length that is told is the song's own", arguments: lossy.keys.sorted())
        func length(kind: String) async throws {
            guard Self.lossy[kind]?.allSatisfy(GStreamerLibrary.has) == true else { return }
            let bench = Bench()
            bench.provider.add(1, path: CutSound.path("a", kind))
            bench.start(1)
            #expect(await bench.log.waits(for: "finished 1"))
            var told: Duration?
            var sample: AudioFormat.Sample?
            for case .info(1, let format, let duration, _) in bench.log.all {
                (told, sample) = (duration, format?.sample)
            }
            #expect(sample == (kind.hasSuffix("mp3") ? .integer(bits: 24) : .float))
            let length: Double = (told ?? .zero) / .seconds(1)
            #expect(abs(length - Double(CutSound.cut) / 44100) < 0.00003)
            await bench.engine.shutDown()
        }

        @Test(
            "a seek lands on the frame, and the join after it is whole",
            arguments: lossy.keys.sorted() + ["-alac.m4a", ".mpc", ".ape"])
        func seeks(kind: String) async throws {
            guard Self.lossy[kind]?.allSatisfy(GStreamerLibrary.has) != false else { return }
            let bench = Bench()
            bench.provider.add(1, path: CutSound.path("a", kind))
            bench.provider.add(2, path: CutSound.path("b", kind))
            bench.start(1, paused: true)
            bench.engine.prepareNext(bench.track(2))
            bench.engine.seek(to: .milliseconds(300))
            #expect(await bench.log.waits(for: "seeked 1"))
            bench.engine.setPaused(false)
            #expect(await bench.log.waits(for: "finished 2"))
            await bench.engine.shutDown()
            let heard = try TestSound.read(bench.recording).samples
            let expected = Array(CutSound.samples().dropFirst(13230 * 2))
            #expect(heard.count == expected.count + 2 * surplus(kind))
            guard heard.count >= expected.count else { return }
            #expect(CutSound.lag(heard, expected, at: 0) == 0)
            #expect(CutSound.error(heard, expected, 0..<12000) < 0.03)
            #expect(CutSound.error(heard, expected, 16000..<18000) < 0.06)
        }

        @Test("files that arrive while they are played join to the frame", arguments: lossy.keys.sorted() + [".opus"])
        func growing(kind: String) async throws {
            guard Self.lossy[kind]?.allSatisfy(GStreamerLibrary.has) != false else { return }
            let bench = Bench()
            for (number, half) in [(Int64(1), "a"), (2, "b")] {
                let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: CutSound.path(half, kind))))
                let path = bench.folder.file("\(number)\(kind)")
                #expect(FileManager.default.createFile(atPath: path, contents: nil))
                let suffix = (path as NSString).pathExtension
                let file = TrackFile(path: path, suffix: suffix, available: 0, total: Int64(bytes.count))
                bench.provider.add(number, file)
                let handle = try #require(FileHandle(forWritingAtPath: path))
                bench.startThread("grower") {
                    for start in stride(from: 0, to: bytes.count, by: 1000) {
                        bench.sleep(for: .milliseconds(10))
                        let end = min(start + 1000, bytes.count)
                        handle.write(Data(bytes[start..<end]))
                        file.advance(to: Int64(end), total: nil)
                    }
                    file.complete()
                }
            }
            expectWhole(try await playAll(bench, 2), rate: kind == ".opus" ? 48000 : 44100, surplus: surplus(kind))
        }

        @Test("a song put in at the last moment in place of another joins to the frame")
        func late() async throws {
            let bench = Bench(.virtual)
            bench.provider.add(1, path: CutSound.path("a", "-lame.mp3"))
            bench.provider.add(2, path: CutSound.path("b", "-ffmpeg.mp3"))
            bench.provider.add(3, path: CutSound.path("b", "-edits.m4a"))
            bench.start(1)
            bench.engine.prepareNext(bench.track(2))
            // The join is mixed, and a third of a second is left until it is heard.
            #expect(await bench.reaches(0.35))
            bench.engine.prepareNext(bench.track(3))
            #expect(await bench.log.waits(for: "finished 3"))
            await bench.engine.shutDown()
            #expect(bench.log.summary == ["started 1", "started 3", "finished 3"])
            expectWhole(try TestSound.read(bench.recording).samples)
        }
    }
}
