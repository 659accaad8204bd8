import Coordination
import Foundation
import MusicModel
import Playback
import SoundSamples
import TestSupport
import Testing

@testable import AudioFiles
@testable import PlaybackEngine

extension AudioTests {
    /// Sound whose container hides from GStreamer where it is, how long, or what.
    @Suite(.timeLimit(.minutes(4)))
    struct OddContainerTests {
        /// Plays a file from a place on; gives what is heard.
        private func play(_ path: String, from start: Double = 0) async throws -> [Int16] {
            let bench = Bench()
            bench.provider.add(1, path: path)
            bench.start(1, at: .seconds(start))
            #expect(await bench.log.waits(for: "finished 1"))
            await bench.engine.shutDown()
            #expect(!bench.log.summary.contains { $0.hasPrefix("failed") })
            return try TestSound.read(bench.recording).samples
        }

        /// The samples that ffmpeg decodes of a file.
        private func decoded(_ path: String, in folder: TemporaryFolder) throws -> [Int16] {
            let wave = folder.file("decoded.wav")
            try Encoded.ffmpeg(["-i", path, "-c:a", "pcm_s16le", "-bitexact", "-map_metadata", "-1", wave])
            return try TestSound.read(wave).samples
        }

        @Test(
            "ADPCM in WAV is as long as it is, and places in it are the right ones",
            arguments: ["adpcm_ima_wav", "adpcm_ms"], [1, 2])
        func adpcm(codec: String, channels: Int) async throws {
            let folder = TemporaryFolder()
            let path = folder.file("1.wav")
            try Encoded.ffmpeg(
                ["-f", "lavfi", "-i", "anoisesrc=r=44100:d=4:a=0.3", "-ac", String(channels), "-c:a", codec, path])
            let expected = try decoded(path, in: folder)
            let duration = try #require(try AudioFileReader.read(path: path).duration)
            #expect(abs(duration / .seconds(1) - Double(expected.count / channels) / 44_100) < 0.0001)
            #expect(isSame(try await play(path), expected))
            let part = try await play(path, from: 2.5)
            #expect(part.count == expected.count - channels * 110_250)
            // A block begins with its decoder's state.
            #expect(isSame(part, expected.suffix(part.count)))
        }

        @Test(
            "frames of MP3 are found however far they are behind the tag, or behind no tag",
            arguments: [false, true], [5000, 100_000, 3_000_000])
        func behindJunk(hasTag: Bool, length: Int) async throws {
            let folder = TemporaryFolder()
            let plain = folder.file("plain.mp3")
            let noise = "anoisesrc=r=44100:d=3:a=0.3"
            try Encoded.ffmpeg(["-f", "lavfi", "-i", noise, "-ac", "2", "-id3v2_version", "0", plain])
            var tag = ID3Bytes()
            tag.add("TIT2", "Title")
            var state: UInt32 = 3
            let junk = (0..<length).map { index -> UInt8 in
                state = state &* 1_664_525 &+ 1_013_904_223
                return index < 4 ? 0x11 : UInt8(truncatingIfNeeded: state >> 24)
            }
            let path = folder.file("1.mp3")
            let sound = [UInt8](try Data(contentsOf: URL(filePath: plain)))
            try Data((hasTag ? tag.bytes : []) + junk + sound).write(to: URL(filePath: path))
            let file = try AudioFileReader.read(path: path)
            #expect(file.tags.contains(TagValue(.title, "Title")) == hasTag)
            #expect(file.duration.map { abs($0 / .seconds(1) - 3) < 0.1 } == true)
            #expect(isSame(try await play(path), try await play(plain)))
        }

        @Test("a file without a frame of MPEG is none, whatever it is called, and one of another kind is that")
        func noFrames() throws {
            let folder = TemporaryFolder()
            let path = folder.file("1.mp3")
            try Data([UInt8](repeating: 0xFF, count: 700_000)).write(to: URL(filePath: path))
            #expect(throws: AudioFileError.self) { try AudioFileReader.read(path: path) }
            try Data(ChunkBytes.wav()).write(to: URL(filePath: path))
            #expect(try AudioFileReader.read(path: path).duration == .seconds(1))
        }

        @Test("ALAC in Matroska and in CAF plays, to the bit, from every place", arguments: ["mka", "mkv", "caf"])
        func lossless(suffix: String) async throws {
            let folder = TemporaryFolder()
            let wave = folder.file("0.wav")
            let samples = TestSound.noise(frames: 100_001)
            try TestSound.write(samples, to: wave)
            let path = folder.file("1." + suffix)
            try Encoded.ffmpeg(["-i", wave, "-c:a", "alac", "-metadata", "title=T", path])
            let file = try AudioFileReader.read(path: path)
            #expect(file.duration.map { abs($0 / .seconds(1) - 100_001 / 44_100.0) < 0.0001 } == true)
            if suffix != "caf" { #expect(file.tags.contains(TagValue(.title, "T"))) }
            #expect(isSame(try await play(path), samples))
            #expect(isSame(try await play(path, from: 2), samples.dropFirst(2 * 88_200)))
        }

        @Test("packets of ALAC that are all of one size, as silence has them, are packets")
        func silence() async throws {
            let folder = TemporaryFolder()
            let path = folder.file("1.m4a")
            try Encoded.ffmpeg(
                ["-f", "lavfi", "-i", "anullsrc=r=44100", "-af", "atrim=end_sample=40960", "-c:a", "alac", path])
            let duration = try #require(try AudioFileReader.read(path: path).duration)
            #expect(abs(duration / .seconds(1) - 0.9288) < 0.001)
            #expect(try await play(path) == [Int16](repeating: 0, count: 81_920))
        }

        /// Writes the head of a file of DSD in WavPack.
        private func packedDSD(in folder: TemporaryFolder) throws -> String {
            let path = folder.file("dsd.wv")
            var head = [UInt8](repeating: 0, count: 400)
            head.replaceSubrange(0..<4, with: Array("wvpk".utf8))
            head[27] = 0x80
            try Data(head).write(to: URL(filePath: path))
            return path
        }

        @Test("a song that can't be decoded here plays as its server converts it, or is given up with the reason")
        func converted() async throws {
            let bench = Bench()
            let samples = TestSound.noise(frames: 44_100)
            let conversion = bench.folder.file("converted.wav")
            try TestSound.write(samples, to: conversion)
            let noise = bench.folder.file("noise.flac")
            var generator = SplitMix64(seed: 5)
            let bytes = (0..<5000).map { _ in UInt8.random(in: 0...255, using: &generator) }
            try Data(bytes).write(to: URL(filePath: noise))
            for (number, path) in [(1, try packedDSD(in: bench.folder)), (2, noise)] {
                bench.provider.add(Int64(number), path: path)
                bench.provider.convert(Int64(number), to: conversion)
            }
            bench.provider.add(3, path: try packedDSD(in: bench.folder))
            bench.startJoined()
            #expect(await bench.log.waits(for: "finished 2"))
            bench.start(3)
            #expect(await bench.log.waits(for: "failed 3"))
            await bench.engine.shutDown()
            #expect(isSame(try TestSound.read(bench.recording).samples, samples + samples))
            let news = bench.log.all.compactMap { event in
                switch event {
                case .converted(let play): "converted \(play)"
                case .failed(_, let message): message
                default: nil
                }
            }
            #expect(Set(news.dropLast()) == ["converted 1", "converted 2"])
            #expect(news.last?.contains("DSD in WavPack") == true)
        }

        @Test("the log says of DSD in WavPack that it is that")
        func packedDSDInFolder() throws {
            let folder = TemporaryFolder()
            let path = try packedDSD(in: folder)
            let error = try #require(throws: AudioFileError.self) { try AudioFileReader.read(path: path) }
            #expect(error.message.contains("DSD in WavPack"))
        }

        @Test("where a decoder is missing the packages are named that have such")
        func missingDecoder() throws {
            let folder = TemporaryFolder()
            let path = folder.file("1.wav")
            try Encoded.ffmpeg(["-f", "lavfi", "-i", "anullsrc=r=16000:cl=mono:d=2", "-c:a", "g722", path])
            let error = try #require(throws: AudioFileError.self) { try AudioFileReader.read(path: path) }
            #expect(error.message.contains("gstreamer1.0-plugins-good, -bad, -ugly and -libav"))
        }

        @Test("heads that break off, or say what can't be, do no harm", arguments: ["mka", "caf", "wav", "m4a"])
        func torn(suffix: String) throws {
            let folder = TemporaryFolder()
            let path = folder.file("1." + suffix)
            let codec = suffix == "wav" ? "adpcm_ima_wav" : "alac"
            try Encoded.ffmpeg(["-f", "lavfi", "-i", "anullsrc=r=44100:d=2", "-c:a", codec, path])
            let bytes = [UInt8](try Data(contentsOf: URL(filePath: path)))
            for length in stride(from: 0, to: bytes.count, by: max(1, bytes.count / 100)) {
                _ = TrackHeader.read(HeaderBytes(Array(bytes[..<length])))
            }
            var state: UInt32 = 7
            for _ in 0..<500 {
                var torn = bytes
                for _ in 0..<4 {
                    state = state &* 1_664_525 &+ 1_013_904_223
                    torn[Int(state >> 8) % min(torn.count, 1500)] = UInt8(truncatingIfNeeded: state)
                }
                let header = TrackHeader.read(HeaderBytes(torn))
                #expect(header.trim?.isPlausible != false)
            }
        }
    }
}
