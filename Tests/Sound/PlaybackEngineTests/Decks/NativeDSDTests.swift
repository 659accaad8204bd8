import Foundation
import MusicModel
import Outputs
import Playback
import SoundSamples
import TestSupport
import Testing

@testable import AudioFiles
@testable import AudioOutputs
@testable import PlaybackEngine

extension AudioTests {
    @Suite(.timeLimit(.minutes(2)))
    struct NativeDSDTests {
        /// An ALSA device that takes every form of DSD and keeps what it gets.
        private static func device(_ folder: TemporaryFolder) -> OutputSpecification {
            var output = OutputSpecification(type: .alsa, name: "Device")
            output.device = "file:'|cat >> \(folder.file("capture"))',raw"
            output.dsd.isNative = true
            return output
        }

        private func add(_ number: Int64, _ bytes: [UInt8], to bench: Bench) throws {
            let path = bench.folder.file("\(number).dsf")
            try Data(bytes).write(to: URL(fileURLWithPath: path))
            bench.provider.add(number, path: path)
        }

        /// Four bytes of each channel in turn; the last frame is filled up with silence.
        private func frames(_ sounds: DSDSound...) -> [UInt8] {
            let left = channel(0, of: sounds)
            let right = channel(1, of: sounds)
            var bytes: [UInt8] = []
            for start in stride(from: 0, to: left.count, by: 4) {
                bytes += left[start..<start + 4]
                bytes += right[start..<start + 4]
            }
            return bytes
        }

        /// The bytes of a channel of songs that join at whole frames of DoP, filled up to whole frames of the device.
        private func channel(_ index: Int, of sounds: [DSDSound]) -> [UInt8] {
            var bytes: [UInt8] = []
            for sound in sounds {
                bytes += sound.channels[index]
                if sound.length % 2 == 1 { bytes.append(DoP.silence) }
            }
            while bytes.count % 4 != 0 { bytes.append(DoP.silence) }
            return bytes
        }

        private func heard(_ bench: Bench) throws -> [UInt8] {
            [UInt8](try Data(contentsOf: URL(fileURLWithPath: bench.folder.file("capture"))))
        }

        @Test(
            "the very bits of a file reach a device that takes DSD, whatever the volume and ReplayGain are",
            arguments: [64, 128, 256])
        func bits(multiple: Int) async throws {
            let bench = Bench(outputFormat: nil) { [Self.device($0)] }
            let sound = DSDSound(multiple, bytes: 30_001)
            try add(1, sound.dsf(), to: bench)
            bench.engine.set(.volume(37))
            bench.engine.set(.replayGain(.track))
            bench.engine.start(bench.track(1, replayGain: ReplayGain(trackGain: -6)), at: .zero, paused: false)
            #expect(await bench.log.waits(for: "finished 1"))
            await bench.engine.shutDown()
            // Without the frame that ends the last byte: that one waits for what follows.
            let wanted = frames(sound)
            let heard = try heard(bench)
            #expect(heard.count >= wanted.count - 8)
            #expect(wanted.starts(with: heard), "bits")
        }

        @Test("a surround file's bits reach the device in the order of ALSA's channels")
        func surround() async throws {
            let bench = Bench(outputFormat: nil) {
                var output = Self.device($0)
                output.dsd.nativeFormats = [AudioFormat(sampleRate: 352_800, sample: .dsd, channels: 6)]
                return [output]
            }
            let sound = DSDSound(bytes: 30_000, channels: 6)
            try add(1, sound.dsf(), to: bench)
            bench.start(1)
            #expect(await bench.log.waits(for: "finished 1"))
            await bench.engine.shutDown()
            let wanted = stride(from: 0, to: sound.length, by: 4).flatMap { start in
                [0, 1, 4, 5, 2, 3].flatMap { sound.channels[$0][start..<start + 4] }
            }
            #expect(try heard(bench) == wanted, "bits")
        }

        @Test("songs join to the byte, and a song of PCM between two gets the device for itself")
        func joins() async throws {
            // The second song, named while the first plays, lasts long enough for the third to be named in time.
            let bench = Bench(.realTime, outputFormat: nil) { [Self.device($0)] }
            let sounds = [DSDSound(bytes: 90_001), DSDSound(bytes: 1_200_006, frequency: 700), DSDSound(bytes: 60_000)]
            for index in 0..<2 { try add(Int64(index + 1), sounds[index].dsf(), to: bench) }
            _ = try bench.song(3, frames: 60_000)
            try add(4, sounds[2].dsf(), to: bench)
            for play in 1...4 as ClosedRange<UInt64> {
                if play == 1 { bench.start(1) } else { #expect(await bench.log.waits(for: "started \(play)")) }
                if play < 4 { bench.engine.prepareNext(bench.track(play + 1)) }
            }
            #expect(await bench.log.waits(for: "finished 4"))
            await bench.engine.shutDown()
            let heard = try heard(bench)
            let (first, last) = (frames(sounds[0], sounds[1]), frames(sounds[2]))
            #expect(heard.starts(with: first), "the first two")
            #expect(Array(heard.suffix(last.count)) == last, "the last one")
            // The song between them, in whatever form the device gets it.
            #expect(heard.count - first.count - last.count >= 60_000 * 4)
        }

        @Test("a receiver that needs it gets PCM before DSD that follows other sound, or what is faster than DSD256")
        func receiverThatKeepsRates() async throws {
            let bench = Bench(outputFormat: nil) {
                var output = Self.device($0)
                output.dsd.beginsWithPCM = true
                return [output]
            }
            let sounds = [64, 128, 512, 64].map { DSDSound($0, bytes: 10_000 * $0 / 64) }
            for (index, sound) in sounds.enumerated() { try add(Int64(index + 1), sound.dsf(), to: bench) }
            for play in 1...4 as ClosedRange<UInt64> {
                bench.start(play)
                #expect(await bench.log.waits(for: "finished \(play)"))
            }
            await bench.engine.shutDown()
            // A tenth of a second of zeros, which one-bit sound never has.
            let runs = try heard(bench).split { $0 != 0 }.map(\.count).filter { $0 > 10_000 }
            #expect(runs.count == 2, "\(runs)")
            let last = frames(sounds[3])
            #expect(try heard(bench).dropLast(last.count).last == 0)
        }

        @Test("a device that takes no DSD gets it decoded")
        func decoded() async throws {
            let bench = Bench(outputFormat: nil) { _ in
                var output = OutputSpecification(type: .alsa, name: "Device")
                // Converts samples, which DSD has none of.
                output.device = "plug:null"
                output.dsd.nativeFormats = [AudioFormat(sampleRate: 5_644_800 / 8, sample: .dsd, channels: 2)]
                return [output]
            }
            try add(1, DSDSound(bytes: 60_000).dsf(), to: bench)
            bench.start(1)
            #expect(await bench.log.waits(for: "finished 1"))
            await bench.engine.shutDown()
        }
    }

    /// Frames of DSD made from blocks of DoP.
    @Suite
    struct NativeDSDPackingTests {
        private func samples(_ sounds: [UInt16]) -> [Float] { sounds.map { DoP.sample(DoP.markers.first, $0) } }

        @Test(
            "each form has the bytes in its order",
            arguments: [
                (NativeDSD.fourBytesFirstByteFirst, [0x11, 0x22, 0x33, 0x44, 0xA1, 0xA2, 0xA3, 0xA4]),
                (.fourBytesLastByteFirst, [0x44, 0x33, 0x22, 0x11, 0xA4, 0xA3, 0xA2, 0xA1]),
                (.twoBytesFirstByteFirst, [0x11, 0x22, 0xA1, 0xA2, 0x33, 0x44, 0xA3, 0xA4]),
                (.twoBytesLastByteFirst, [0x22, 0x11, 0xA2, 0xA1, 0x44, 0x33, 0xA4, 0xA3]),
                (.oneByte, [0x11, 0xA1, 0x22, 0xA2, 0x33, 0xA3, 0x44, 0xA4]),
            ] as [(NativeDSD, [UInt8])])
        func order(form: NativeDSD, bytes: [UInt8]) {
            var packing = NativeDSDPacking(form, places: [0, 1])
            #expect(packing.pack(samples([0x1122, 0xA1A2, 0x3344, 0xA3A4])) == bytes)
            #expect(packing.finish() == [])
            #expect(form.rate(ofDoP: 176_400) * form.width == 352_800)
        }

        @Test("channels lie where a device names them, and in ALSA's usual order where it names none")
        func places() {
            #expect(ALSAChannels.places(of: 2, positions: [3, 4]) == [0, 1])
            #expect(ALSAChannels.places(of: 2, positions: [4, 3]) == [1, 0])
            #expect(ALSAChannels.places(of: 1, positions: [2]) == [0])
            #expect(ALSAChannels.places(of: 5, positions: []) == [0, 1, 4, 2, 3])
            #expect(ALSAChannels.places(of: 6, positions: []) == [0, 1, 4, 5, 2, 3])
            #expect(ALSAChannels.places(of: 6, positions: [3, 4, 7, 8, 5, 6]) == [0, 1, 2, 3, 4, 5])
            // The channels behind are at the sides for this device.
            #expect(ALSAChannels.places(of: 6, positions: [3, 4, 7, 8, 9, 10]) == [0, 1, 2, 3, 4, 5])
            // Of no use: unknown ones, one twice, too few.
            for positions in [[0, 0, 0, 0, 0, 0], [3, 3, 4, 5, 6, 7], [3, 4]] as [[UInt32]] {
                #expect(ALSAChannels.places(of: 6, positions: positions) == [0, 1, 4, 5, 2, 3])
            }
        }

        @Test("what doesn't fill a frame waits for the next block, and is filled up with silence at the end")
        func waits() {
            var packing = NativeDSDPacking(.fourBytesFirstByteFirst, places: [0])
            #expect(packing.pack(samples([0x1122])) == [])
            #expect(packing.pack(samples([0x3344, 0x5566])) == [0x11, 0x22, 0x33, 0x44])
            #expect(packing.finish() == [0x55, 0x66, 0x69, 0x69])
            #expect(packing.finish() == [])
        }
    }
}
