import Coordination
import Foundation
import MusicModel
import Outputs
import Playback
import SoundSamples
import Testing

@testable import AudioFiles
@testable import AudioOutputs
@testable import Demonstration
@testable import PlaybackEngine

extension AudioTests {
    /// Songs of more than 16 bits: as long and as loud as they are, and recorded with all they have.
    @Suite(.timeLimit(.minutes(2)))
    struct DepthTests {
        /// A WAV file of 32 bits, whole numbers or floats.
        private func wav32(_ data: [UInt8], isFloat: Bool, rate: Int) -> Data {
            func little(_ value: Int, _ count: Int) -> [UInt8] {
                (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
            }
            return Data(
                Array("RIFF".utf8) + little(36 + data.count, 4) + Array("WAVEfmt ".utf8) + little(16, 4)
                    + little(isFloat ? 3 : 1, 2) + little(2, 2) + little(rate, 4) + little(rate * 8, 4) + little(8, 2)
                    + little(32, 2) + Array("data".utf8) + little(data.count, 4) + data)
        }

        private func noise(_ count: Int, seed: UInt32 = 77) -> [Int32] {
            var state = seed
            return (0..<count).map { _ in
                state = state &* 1_664_525 &+ 1_013_904_223
                return Int32(bitPattern: state)
            }
        }

        /// Writes a song of noise of 32 bits, and gives its samples.
        @discardableResult
        private func song(_ number: Int64, _ bench: Bench, rate: Int = 44100, frames: Int = 60_001) throws -> [Int32] {
            let samples = noise(frames * 2, seed: UInt32(number))
            let path = bench.folder.file("\(number).wav")
            try wav32(samples.withUnsafeBytes { Array($0) }, isFloat: false, rate: rate)
                .write(to: URL(fileURLWithPath: path))
            bench.provider.add(number, path: path)
            return samples
        }

        /// The samples of a recording of 32 bits.
        private func wholeNumbers(_ recording: String) throws -> [Int32] {
            let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: recording)))
            try #require(bytes.count > 44 && bytes[34] == 32)
            return Array(bytes[44...]).withUnsafeBytes { Array($0.bindMemory(to: Int32.self)) }
        }

        private static func file(_ folder: TemporaryFolder, _ change: (inout OutputSpecification) -> Void)
            -> [OutputSpecification]
        {
            var output = OutputSpecification(type: .file, name: "Recording", path: folder.file("out.wav"))
            change(&output)
            return [output]
        }

        /// Plays a file; gives what was recorded of it and the format that was told.
        private func play(_ bench: Bench, _ path: String) async throws -> (bytes: [UInt8], format: String?) {
            bench.provider.add(1, path: path)
            bench.start(1)
            #expect(await bench.log.waits(for: "finished 1"))
            await bench.engine.shutDown()
            var told: String?
            for case .info(1, let format, _, _) in bench.log.all { told = format?.wireText }
            return ([UInt8](try Data(contentsOf: URL(fileURLWithPath: bench.recording))), told)
        }

        @Test("32 bits arrive bit by bit, and are recorded as 32 bits", arguments: [44100, 192_000])
        func integers(rate: Int) async throws {
            let bench = Bench(outputFormat: nil)
            let samples = try song(1, bench, rate: rate)
            let (_, format) = try await play(bench, bench.folder.file("1.wav"))
            #expect(format == "\(rate):32:2")
            #expect(try wholeNumbers(bench.recording) == samples)
        }

        @Test("songs of 32 bits join bit by bit")
        func joined() async throws {
            let bench = Bench(outputFormat: nil)
            let (first, second) = (try song(1, bench), try song(2, bench, frames: 30_007))
            bench.startJoined()
            #expect(await bench.log.waits(for: "finished 2"))
            await bench.engine.shutDown()
            #expect(try wholeNumbers(bench.recording) == first + second)
        }

        @Test("songs of 32 bits join bit by bit on one of another rate, as long as they have the recording's")
        func afterAnotherRate() async throws {
            let bench = Bench(outputFormat: AudioFormat(sampleRate: 48000, sample: .integer(bits: 32), channels: 2))
            _ = try bench.song(1, frames: 44100)
            let second = try song(2, bench, rate: 48000)
            bench.startJoined()
            #expect(await bench.log.waits(for: "finished 2"))
            await bench.engine.shutDown()
            let heard = try wholeNumbers(bench.recording)
            #expect(heard.count == 48000 * 2 + second.count)
            #expect(Array(heard.suffix(second.count)) == second)
        }

        @Test("WavPack's 32 bits arrive bit by bit")
        func wavPack() async throws {
            var format = DemoEncoder.flac
            // What doubles make of 16 bits by an odd factor needs all 32.
            format.pipeline = """
                audio/x-raw,format=F64LE ! volume volume=0.7 ! audioconvert dithering=none noise-shaping=none \
                ! audio/x-raw,format=S32LE ! wavpackenc
                """
            let bench = Bench(outputFormat: nil)
            let samples = TestSound.noise(frames: 50_003)
            let path = bench.folder.file("1.wv")
            try DemoEncoder.encode(samples, as: format, tags: DemoTags(title: "Deep"), to: path)
            let (_, told) = try await play(bench, path)
            #expect(told == "44100:32:2")
            let heard = try wholeNumbers(bench.recording)
            #expect(heard.count == samples.count)
            let errors = zip(heard, samples).map { abs(Double($0) - Double($1) * 65536 * Double(Float(0.7))) }
            // A float would be up to 64 off.
            #expect(errors.max() ?? .infinity <= 1)
        }

        @Test("an output whose device applies ReplayGain gets 32 bits bit by bit, others their product")
        func replayGain() async throws {
            let bench = Bench(outputFormat: nil) { folder in
                Self.file(folder) { $0.replayGainHandler = .none }
                    + [OutputSpecification(type: .file, name: "Softer", path: folder.file("softer.wav"))]
            }
            let samples = try song(1, bench)
            bench.engine.set(.replayGain(.track))
            bench.engine.start(bench.track(1, replayGain: ReplayGain(trackGain: -6.0206)), at: .zero, paused: false)
            #expect(await bench.log.waits(for: "finished 1"))
            await bench.engine.shutDown()
            #expect(try wholeNumbers(bench.recording) == samples)
            let softer = try wholeNumbers(bench.folder.file("softer.wav"))
            #expect(softer.count == samples.count)
            #expect(zip(softer, samples).allSatisfy { abs(Double($0) - Double($1) / 2) < 4096 })
        }

        @Test("the filters of an output change 32 bits as they change all sound")
        func filters() async throws {
            let bench = Bench(outputFormat: nil) { folder in Self.file(folder) { $0.filters.balance = -100 } }
            let samples = try song(1, bench)
            bench.start(1)
            #expect(await bench.log.waits(for: "finished 1"))
            await bench.engine.shutDown()
            let heard = try wholeNumbers(bench.recording)
            #expect(heard.count == samples.count)
            #expect(stride(from: 1, to: heard.count, by: 2).allSatisfy { heard[$0] == 0 })
            #expect(stride(from: 0, to: heard.count, by: 2).contains { heard[$0] != 0 })
        }

        @Test("a block that is parted keeps its whole numbers, and loses them with any change")
        func parts() throws {
            let samples = (0..<20).map { Int32($0) + 1_000_000_001 }
            var block = SampleBlock(
                start: .zero, duration: .milliseconds(10), layout: SampleLayout(rate: 1000, channels: 2),
                samples: samples.map { Float($0) / 2_147_483_648 })
            block.integers = samples
            let parts = try #require(block.split(at: .milliseconds(4)))
            #expect(parts.before.integers == Array(samples[..<8]))
            #expect(parts.behind.integers == Array(samples[8...]))
            #expect(parts.behind.samples == Array(block.samples[8...]))
            var unplayed = UnplayedSound()
            unplayed.note(block)
            unplayed.forget(before: .milliseconds(3))
            #expect(unplayed.take().map(\.integers) == [Array(samples[6...])])
            var changed = block
            changed.samples[3] *= 0.5
            #expect(changed.integers == nil)
            var faded = block
            var envelope = FadeEnvelope()
            envelope.fall(from: .milliseconds(5), to: .milliseconds(8))
            envelope.apply(to: &faded)
            #expect(faded.integers == nil)
        }

        @Test("floats arrive bit by bit, also those beyond full scale")
        func floats() async throws {
            let bench = Bench(outputFormat: AudioFormat(sampleRate: 0, sample: .float, channels: 0))
            let samples = noise(50_003 * 2).map { Float($0) / 1_500_000_000 }
            let path = bench.folder.file("1.wav")
            try wav32(samples.withUnsafeBytes { Array($0) }, isFloat: true, rate: 96_000)
                .write(to: URL(fileURLWithPath: path))
            let (bytes, format) = try await play(bench, path)
            #expect(format == "96000:f:2")
            #expect(bytes.count - 44 == samples.count * 4)
            let heard = Array(bytes[44...]).withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
            #expect(heard.elementsEqual(samples))
        }

        @Test("FLAC of 24 bits is recorded with 24 bits, as long and as loud as it is")
        func flac() async throws {
            var format = DemoEncoder.flac
            // Three quarters of a sample of 16 bits need more than 16 bits.
            format.pipeline = """
                audio/x-raw,format=F64LE ! volume volume=0.75 ! audioconvert dithering=none \
                ! audio/x-raw,format=S24_32LE ! flacenc
                """
            let bench = Bench(outputFormat: nil)
            let samples = TestSound.noise(frames: 70_003)
            let path = bench.folder.file("1.flac")
            try DemoEncoder.encode(samples, as: format, tags: DemoTags(title: "Deep"), to: path)
            let (bytes, told) = try await play(bench, path)
            #expect(told == "44100:24:2")
            #expect(bytes[34] == 24)
            #expect(bytes.count - 44 == samples.count * 3)
            guard bytes.count - 44 == samples.count * 3 else { return }
            let isExact = samples.indices.allSatisfy { index in
                let start = 44 + index * 3
                let value = bytes[start..<(start + 3)].reversed().reduce(0) { $0 << 8 | Int32($1) }
                return value << 8 == Int32(samples[index]) * 192 << 8
            }
            #expect(isExact)
        }
    }
}
