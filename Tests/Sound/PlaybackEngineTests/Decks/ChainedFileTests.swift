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
    /// Ogg files that were put one behind another.
    @Suite(.timeLimit(.minutes(4)))
    struct ChainedFileTests {
        private static let ogg: [(suffix: String, codec: [String])] = [
            ("ogg", ["-c:a", "libvorbis"]), ("opus", ["-c:a", "libopus"]), ("oga", ["-c:a", "flac", "-f", "ogg"]),
        ]

        /// A file of parts of so many seconds, each of another rate where the codec has it.
        private func file(_ suffix: String, _ codec: [String], _ seconds: [Int], in folder: TemporaryFolder) throws
            -> String
        {
            var bytes = Data()
            for (number, length) in seconds.enumerated() {
                let rate = number.isMultiple(of: 2) ? 48_000 : 44_100
                let part = folder.file("part\(number).\(suffix)")
                let noise = "anoisesrc=r=\(rate):d=\(length):seed=\(number):a=0.2"
                try Encoded.ffmpeg(["-f", "lavfi", "-i", noise, "-ac", "2"] + codec + [part])
                bytes += try Data(contentsOf: URL(filePath: part))
            }
            let path = folder.file("chain." + suffix)
            try bytes.write(to: URL(filePath: path))
            return path
        }

        @Test("its parts are found, however long, and their sum is its length", arguments: ogg.indices)
        func links(index: Int) throws {
            let folder = TemporaryFolder()
            let path = try file(Self.ogg[index].suffix, Self.ogg[index].codec, [2, 9, 1, 30], in: folder)
            let links = try #require(HeaderBytes.reading(path) { OggLinks.read($0) })
            #expect(links.map { Int(($0.length.seconds).rounded()) } == [2, 9, 1, 30])
            #expect(links.map(\.isLast) == [false, false, false, true])
            #expect(links.last?.bytes.upperBound == HeaderBytes.reading(path) { $0.size })
            for (one, next) in zip(links, links.dropFirst()) {
                #expect(one.bytes.upperBound == next.bytes.lowerBound && one.start + one.length == next.start)
            }
            let duration = try #require(try AudioFileReader.read(path: path).duration)
            #expect(abs(duration / .seconds(1) - 42) < 0.1)
            // A file of one part is none of this, and neither is one that is cut off.
            #expect(HeaderBytes.reading(folder.file("part0." + Self.ogg[index].suffix)) { OggLinks.read($0) } == [])
            let bytes = [UInt8](try Data(contentsOf: URL(filePath: path)))
            for length in stride(from: 0, to: bytes.count, by: bytes.count / 7) {
                _ = OggLinks.read(HeaderBytes(Array(bytes[..<length])))
            }
        }

        @Test(
            "parts that share a serial number are parts, wherever the border lies", arguments: ogg.indices,
            [[5, 5], [9, 1], [1, 9], [30, 2], [2, 30], [4, 4, 4]])
        func sameSerial(index: Int, seconds: [Int]) async throws {
            let folder = TemporaryFolder()
            let (suffix, codec) = Self.ogg[index]
            let path = try file(suffix, codec + ["-serial_offset", "77", "-fflags", "+bitexact"], seconds, in: folder)
            let bytes = [UInt8](try Data(contentsOf: URL(filePath: path)))
            let links = OggLinks.read(HeaderBytes(bytes))
            #expect(Set(links.map { bytes[Int($0.bytes.lowerBound) + 14] }).count == 1)
            #expect(links.map { Int($0.length.seconds.rounded()) } == seconds)
            let sum = Double(seconds.reduce(0, +))
            if seconds[0] > 4 { #expect(abs(try await played(path) - sum) < 0.1) }
            let duration = try #require(try AudioFileReader.read(path: path).duration)
            // With nearly all of it in the last part the page numbers alone say nothing, and no more is read.
            if seconds.last ?? 0 < 9 { #expect(abs(duration / .seconds(1) - sum) < 0.1) }
        }

        /// How many seconds are heard of a file.
        private func played(_ path: String) async throws -> Double {
            let format = AudioFormat(sampleRate: 48_000, sample: .integer(bits: 16), channels: 2)
            let bench = Bench(.virtual, outputFormat: format)
            bench.provider.add(1, path: path)
            bench.start(1)
            #expect(await bench.log.waits(for: "finished 1"))
            await bench.engine.shutDown()
            return Double(try TestSound.read(bench.recording).samples.count) / 96_000
        }

        @Test("it plays over each border, from the beginning and from every place", arguments: ogg.indices)
        func plays(index: Int) async throws {
            let folder = TemporaryFolder()
            let path = try file(Self.ogg[index].suffix, Self.ogg[index].codec, [2, 2, 2], in: folder)
            for start in [0, 1, 3, 5] {
                let format = AudioFormat(sampleRate: 48_000, sample: .integer(bits: 16), channels: 2)
                let bench = Bench(.virtual, outputFormat: format)
                bench.provider.add(1, path: path)
                bench.start(1, at: .seconds(start))
                #expect(await bench.log.waits(for: "finished 1"), "from \(start) s")
                await bench.engine.shutDown()
                let frames = try TestSound.read(bench.recording).samples.count / 2
                #expect(abs(frames - (6 - start) * 48_000) <= 1000, "\(frames) frames from \(start) s")
            }
        }

        @Test(
            "a seek leads to the place that is meant, forth and back, and goes on over the borders",
            arguments: ogg.indices)
        func seeks(index: Int) async throws {
            let bench = Bench(.virtual)
            let path = try file(Self.ogg[index].suffix, Self.ogg[index].codec, [2, 2, 2], in: bench.folder)
            bench.provider.add(1, path: path)
            bench.start(1)
            #expect(await bench.reaches(0.2))
            for (number, target) in [1.5, 3.5, 0.5, 5.0, 2.5].enumerated() {
                bench.engine.seek(to: .seconds(target))
                func answers() -> [Duration] {
                    bench.log.all.compactMap { if case .seeked(1, _, let elapsed) = $0 { elapsed } else { nil } }
                }
                #expect(await bench.eventually { answers().count == number + 1 })
                #expect(answers().last.map { abs($0 / .seconds(1) - target) < 0.02 } == true)
                #expect(await bench.reaches(target + 0.7))
            }
            #expect(await bench.log.waits(for: "finished 1"))
            await bench.engine.shutDown()
            #expect(!bench.log.summary.contains { $0.hasPrefix("failed") })
        }
    }
}
