import Foundation
import MusicModel
import Playback
import Testing

@testable import GStreamerAudio

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

        private func noise(_ count: Int) -> [Int32] {
            var state: UInt32 = 77
            return (0..<count).map { _ in
                state = state &* 1_664_525 &+ 1_013_904_223
                return Int32(bitPattern: state)
            }
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

        @Test(
            "32 bits arrive as exactly as floats hold them, and are recorded as 32 bits", arguments: [44100, 192_000])
        func integers(rate: Int) async throws {
            let bench = Bench(outputFormat: nil)
            let samples = noise(60_001 * 2)
            let path = bench.folder.file("1.wav")
            try wav32(samples.withUnsafeBytes { Array($0) }, isFloat: false, rate: rate)
                .write(to: URL(fileURLWithPath: path))
            let (bytes, format) = try await play(bench, path)
            #expect(format == "\(rate):32:2")
            #expect(bytes[34] == 32)
            #expect(bytes.count - 44 == samples.count * 4)
            let heard = Array(bytes[44...]).withUnsafeBytes { Array($0.bindMemory(to: Int32.self)) }
            // 24 bits of each sample are kept, whatever its size: a part in 16 millions.
            let error = zip(heard, samples).map { abs(Int64($0) - Int64($1)) }.max()
            #expect(error ?? .max <= 128)
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
