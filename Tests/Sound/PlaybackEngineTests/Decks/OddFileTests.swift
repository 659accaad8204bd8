import Foundation
import MusicModel
import Playback
import SoundSamples
import TestSupport
import Testing

@testable import AudioFiles
@testable import PlaybackEngine

extension AudioTests {
    /// Files as programs write them that are not quite as their formats have them.
    @Suite(.timeLimit(.minutes(4)))
    struct OddFileTests {
        private func play(_ bench: Bench, _ path: String) async throws -> [Int16] {
            bench.provider.add(1, path: path)
            bench.start(1)
            #expect(await bench.log.waits(for: "finished 1"))
            await bench.engine.shutDown()
            return try TestSound.read(bench.recording).samples
        }

        /// What may stand behind the sound of a WAV file.
        static let tails: [(name: String, bytes: [UInt8])] = [
            ("a byte that fills up", [0]), ("three lines", [10, 10, 10]), ("zeros", [UInt8](repeating: 0, count: 100)),
            ("noise", (0..<100).map { UInt8(truncatingIfNeeded: $0 * 97 + 130) }),
            ("texts", ChunkBytes.riff("LIST", Array("INFO".utf8) + ChunkBytes.riff("INAM", Array("Title\0".utf8)))),
            (
                "texts and noise",
                ChunkBytes.riff("LIST", Array("INFO".utf8) + ChunkBytes.riff("INAM", Array("Title\0".utf8)))
                    + [0, 255, 1, 254, 0, 0, 0, 1, 2]
            ),
        ]

        @Test("whatever stands behind the sound of a WAV file is passed over", arguments: tails.map(\.name))
        func behindWaves(name: String) async throws {
            let bench = Bench()
            let samples = TestSound.noise(frames: 20_000)
            let tail = try #require(Self.tails.first { $0.name == name }).bytes
            let path = bench.folder.file("1.wav")
            try Data(TestSound.wav(samples) + tail).write(to: URL(filePath: path))
            let file = try AudioFileReader.read(path: path)
            #expect(file.duration.map { abs($0 / .seconds(1) - 20_000 / 44_100.0) < 0.0001 } == true)
            #expect(file.tags.contains(TagValue(.title, "Title")) == name.hasPrefix("texts"))
            #expect(isSame(try await play(bench, path), samples))
        }

        @Test(
            "sound of an odd number of bytes plays with the byte that fills it up", arguments: ["pcm_u8", "pcm_s24le"])
        func oddBytes(codec: String) async throws {
            let bench = Bench()
            let wave = bench.folder.file("0.wav")
            try TestSound.write(TestSound.noise(frames: 20_001, channels: 1), to: wave, channels: 1)
            let path = bench.folder.file("1.wav")
            try Encoded.ffmpeg(["-i", wave, "-c:a", codec, "-bitexact", "-map_metadata", "-1", path])
            #expect(try AudioFileReader.read(path: path).duration != nil)
            #expect(try await play(bench, path).count == 20_001)
        }

        /// Endings, ffmpeg's options, and whether every sample comes back.
        static let plain: [(suffix: String, codec: [String], isExact: Bool)] = [
            ("aifc", ["-c:a", "pcm_alaw", "-f", "aiff"], false), ("aifc", ["-c:a", "pcm_mulaw", "-f", "aiff"], false),
            ("caf", ["-c:a", "pcm_s16be"], true), ("caf", ["-c:a", "pcm_s16le"], true),
            ("caf", ["-c:a", "pcm_s24le"], true), ("caf", ["-c:a", "pcm_f32be"], true),
            ("caf", ["-c:a", "pcm_alaw"], false), ("au", ["-c:a", "pcm_s24be"], true), ("snd", ["-f", "au"], true),
        ]

        @Test("plain samples in AIFF-C, CAF and AU are played, and listed with their length", arguments: plain.indices)
        func plainSamples(index: Int) async throws {
            let (suffix, codec, isExact) = Self.plain[index]
            let bench = Bench()
            let samples = TestSound.noise(frames: 20_000)
            let wave = bench.folder.file("0.wav")
            try TestSound.write(samples, to: wave)
            let path = bench.folder.file("1." + suffix)
            try Encoded.ffmpeg(["-i", wave] + codec + [path])
            #expect(MusicSuffixes.all.contains(suffix))
            let file = try AudioFileReader.read(path: path)
            #expect(file.duration.map { abs($0 / .seconds(1) - 20_000 / 44_100.0) < 0.002 } == true)
            let heard = try await play(bench, path)
            #expect(heard.count == samples.count)
            if isExact { #expect(isSame(heard, samples)) }
        }

        @Test(
            "of several tracks of sound the first plays, or the one that is flagged, always",
            arguments: ["m4a", "mka", "mp4", "mkv"], [false, true])
        func tracks(suffix: String, flagsSecond: Bool) async throws {
            let bench = Bench()
            var inputs: [String] = []
            for (index, frames) in [20_000, 40_000].enumerated() {
                let wave = bench.folder.file("track\(index).wav")
                try TestSound.write(TestSound.noise(frames: frames), to: wave)
                inputs += ["-i", wave]
            }
            let path = bench.folder.file("1." + suffix)
            let flags = flagsSecond ? ["-disposition:a:0", "0", "-disposition:a:1", "default"] : []
            let codec = suffix.hasPrefix("m4") || suffix == "mp4" ? "alac" : "flac"
            try Encoded.ffmpeg(inputs + ["-map", "0", "-map", "1", "-c:a", codec] + flags + [path])
            let expected = flagsSecond ? 40_000 : 20_000
            for _ in 0..<3 {
                let duration = try AudioFileReader.read(path: path).duration
                if codec == "alac" {
                    #expect(duration.map { abs($0 / .seconds(1) - Double(expected) / 44_100) < 0.01 } == true)
                }
            }
            #expect(try await play(bench, path).count == expected * 2)
        }

        @Test("the length of a fragmented M4A is that of all its pieces", arguments: ["3", "0.5"])
        func fragments(seconds: String) throws {
            let folder = TemporaryFolder()
            let wave = folder.file("0.wav")
            try TestSound.write(TestSound.noise(frames: 44_100 * 10), to: wave)
            let path = folder.file("1.m4a")
            let length = String(Int((Double(seconds) ?? 1) * 1_000_000))
            try Encoded.ffmpeg(
                [
                    "-i", wave, "-c:a", "aac", "-movflags", "empty_moov+default_base_moof", "-frag_duration", length,
                    path,
                ])
            let duration = try #require(try AudioFileReader.read(path: path).duration)
            #expect(abs(duration / .seconds(1) - 10) < 0.06)
        }

        @Test("every ending that decoders are named for is scanned, and no other")
        func suffixes() { #expect(AudioFileReader.supportedSuffixes == MusicSuffixes.all) }

        @Test("Sizes of 64 bits say where the sound ends, and what is behind it is none", arguments: ["RF64", "BW64"])
        func longWaves(form: String) async throws {
            let bench = Bench(outputFormat: AudioFormat(sampleRate: 44_100, sample: .integer(bits: 16), channels: 2))
            let path = bench.folder.file("1.wav")
            let noise = [UInt8](repeating: 0x55, count: 50_000)
            let bytes = ChunkBytes.wav(after: ChunkBytes.riff("note", noise), form: form)
            try Data(bytes).write(to: URL(filePath: path))
            #expect(try AudioFileReader.read(path: path).duration == .seconds(1))
            bench.provider.add(1, path: path)
            bench.start(1)
            #expect(await bench.log.waits(for: "finished 1"))
            await bench.engine.shutDown()
            let heard = try TestSound.read(bench.recording).samples
            #expect(heard.count == 88_200 && heard.allSatisfy { $0 == 0 })
        }
    }
}
