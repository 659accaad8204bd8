import Foundation
import MusicModel
import Outputs
import Playback
import SoundSamples
import Testing

@testable import AudioFiles
@testable import AudioOutputs
@testable import PlaybackEngine

extension AudioTests {
    @Suite(.timeLimit(.minutes(2)))
    struct EncodingTests {
        private func record(
            _ name: String, frames: Int = 44100, rate: Int = 44100, format: AudioFormat? = nil,
            encoding: StreamEncoding? = nil
        ) async throws -> (bench: Bench, samples: [Int16]) {
            let bench = Bench(.fast) { folder in
                var output = OutputSpecification(type: .file, name: "R", path: folder.file(name), format: format)
                output.encoding = encoding
                return [output]
            }
            let samples = try bench.song(1, frames: frames, rate: rate)
            bench.start(1)
            #expect(await bench.log.waits(for: "finished 1"))
            await bench.engine.shutDown()
            return (bench, samples)
        }

        /// What another engine hears of a file.
        private func heard(_ path: String) async throws -> (samples: [Int16], rate: Int) {
            let bench = Bench(.fast)
            bench.provider.add(1, path: path)
            bench.start(1)
            #expect(await bench.log.waits(for: "finished 1"))
            await bench.engine.shutDown()
            let (samples, rate, _) = try TestSound.read(bench.recording)
            return (samples, rate)
        }

        @Test("FLAC recordings have every sample and say how many", arguments: [44100, 96000, 48000])
        func flac(rate: Int) async throws {
            let (bench, samples) = try await record("out.flac", frames: 50_001, rate: rate)
            let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: bench.folder.file("out.flac"))))
            #expect(bytes[..<4] == ArraySlice("fLaC".utf8))
            #expect(bytes[22..<26].reduce(0) { $0 << 8 | Int($1) } == 50_001)
            let checksum = MD5()
            samples.withUnsafeBytes { checksum.add(Array($0)) }
            #expect(Array(bytes[26..<42]) == checksum.digest)
            let (again, itsRate) = try await heard(bench.folder.file("out.flac"))
            #expect(itsRate == rate)
            #expect(isSame(again, samples))
        }

        @Test("recordings with loss last as long", arguments: ["out.opus", "out.ogg"])
        func lossy(name: String) async throws {
            let (bench, _) = try await record(name, frames: 88200)
            let (samples, rate) = try await heard(bench.folder.file(name))
            #expect(abs(samples.count / 2 - 2 * rate) <= 64)
        }

        @Test("an output without ReplayGain gets songs as loud as they are")
        func withoutReplayGain() async throws {
            let bench = Bench(.fast) { folder in
                var plain = OutputSpecification(type: .file, name: "Plain", path: folder.file("plain.wav"))
                plain.replayGainHandler = .none
                return [plain] + Bench.fileOutput(folder)
            }
            let samples = try bench.song(1, frames: 22050)
            bench.engine.set(.replayGain(.track))
            let gain = ReplayGain(trackGain: -6, trackPeak: nil, albumGain: nil, albumPeak: nil)
            bench.engine.start(bench.track(1, replayGain: gain), at: .zero, paused: false)
            #expect(await bench.log.waits(for: "finished 1"))
            await bench.engine.shutDown()
            #expect(isSame(try TestSound.read(bench.folder.file("plain.wav")).samples, samples))
            let quiet = try TestSound.read(bench.recording).samples
            #expect(quiet.count == samples.count && !isSame(quiet, samples))
        }

        @Test(
            "a stream's chapters each begin with a header and name what plays",
            arguments: [
                StreamEncoding.Encoder.vorbis, .opus, .flac,
            ])
        func chapters(encoder: StreamEncoding.Encoder) throws {
            _ = GStreamerLibrary.failure
            let layout = SampleLayout(rate: 44100, channels: 2)
            let encoding = StreamEncoding(encoder)
            let stream = EncodedStream(encoding, inOgg: true, format: encoding.format(nil, for: layout))
            let sound = [Float](repeating: 0.1, count: 88200)
            var chapters: [[EncodedPiece]] = []
            _ = stream.startChapter([TagValue(.title, "First"), TagValue(.artist, "Ä")])
            var pieces = try stream.write(sound, layout)
            pieces += stream.startChapter([TagValue(.title, "Second")])
            chapters.append(pieces)
            pieces = try stream.write(sound, layout)
            chapters.append(pieces + stream.finish())
            for (chapter, title) in zip(chapters, ["First", "Second"]) {
                let header = chapter.prefix { $0.isHeader }.flatMap(\.bytes)
                #expect(header.starts(with: Array("OggS".utf8)))
                #expect(String(decoding: header, as: UTF8.self).contains(title))
                #expect(chapter.dropFirst(chapter.prefix { $0.isHeader }.count).allSatisfy { !$0.isHeader })
                #expect(chapter.contains { !$0.isHeader })
            }
        }

        @Test("a line says what plays")
        func line() {
            #expect([TagValue(.title, "T"), TagValue(.artist, "A"), TagValue(.artist, "B")].line == "A - T")
            #expect([TagValue(.title, "T"), TagValue(.name, "Radio")].line == "T")
            #expect([TagValue(.name, "Radio")].line == "Radio")
            #expect([TagValue]().line.isEmpty)
        }
    }
}
