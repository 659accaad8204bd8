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
    @Suite(.timeLimit(.minutes(2)))
    struct DSDTests {
        /// A quarter of a second of a sine of 1 kHz at half of full scale, as DSD64; its length is no whole block.
        private func dsf() -> [UInt8] {
            let count = 2_822_400 / 4
            var (bytes, byte, sum, last) = ([UInt8](), UInt8(0), 0.0, 0.0)
            bytes.reserveCapacity(count / 8 + 4096)
            for index in 0..<count {
                sum += 0.5 * sin(2 * .pi * 1000 * Double(index) / 2_822_400) - last
                last = sum >= 0 ? 1 : -1
                if last > 0 { byte |= 1 << UInt8(index % 8) }
                guard index % 8 == 7 else { continue }
                bytes.append(byte)
                byte = 0
            }
            let block = 4096
            let blocks = (bytes.count + block - 1) / block
            bytes += [UInt8](repeating: 0x69, count: blocks * block - bytes.count)
            // Both channels alike, block by block.
            let data = (0..<blocks).flatMap { index in
                let piece = bytes[(index * block)..<((index + 1) * block)]
                return Array(piece) + Array(piece)
            }
            func little(_ value: Int, _ size: Int) -> [UInt8] {
                (0..<size).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
            }
            let format =
                Array("fmt ".utf8) + little(52, 8) + [1, 0, 2, 2, 2_822_400, 1].flatMap { little($0, 4) }
                + little(count, 8) + little(block, 4) + little(0, 4)
            return Array("DSD ".utf8) + little(28, 8) + little(28 + format.count + 12 + data.count, 8) + little(0, 8)
                + format + Array("data".utf8) + little(12 + data.count, 8) + data
        }

        @Test("DSDIFF is decoded to the same samples as DSF of the same bits, and its texts are tags")
        func readsDSDIFF() async throws {
            guard GStreamerLibrary.has("avdec_dsd_msbf_planar"), GStreamerLibrary.has("avdemux_dsf") else { return }
            let sound = DSDSound(bytes: 88_201)
            let texts = DSDSound.texts(title: "A title", artist: "An artist")
            var recordings: [Data] = []
            for (name, bytes) in [("1.dsf", sound.dsf()), ("1.dff", sound.dsdiff(texts))] {
                let bench = Bench(outputFormat: nil)
                let path = bench.folder.file(name)
                try Data(bytes).write(to: URL(fileURLWithPath: path))
                bench.provider.add(1, path: path)
                bench.start(1)
                #expect(await bench.log.waits(for: "finished 1"))
                await bench.engine.shutDown()
                recordings.append(try Data(contentsOf: URL(fileURLWithPath: bench.recording)))
                let file = try AudioFileReader.read(path: path)
                #expect(file.format?.wireText == "dsd64:2")
                // A byte is eight bits of each channel; the last block of DSF is not full.
                #expect(file.duration == .nanoseconds(250_002_834))
                guard name == "1.dff" else { continue }
                #expect(file.tags.contains(TagValue(.title, "A title")))
                #expect(file.tags.contains(TagValue(.artist, "An artist")))
            }
            // The decoder's filter begins with the same byte for both orders of bits, and forgets it soon.
            let start = 44 + 6 * 32
            #expect(recordings[0].dropFirst(start) == recordings[1].dropFirst(start))
            #expect(recordings[0].count == 44 + 88_201 * 6)
        }

        @Test("DST says what it is and what to do")
        func refusesDST() async throws {
            let bench = Bench()
            let path = bench.folder.file("1.dff")
            try Data(DSDSound(bytes: 9000).dsdiff(coding: "DST ")).write(to: URL(fileURLWithPath: path))
            bench.provider.add(1, path: path)
            bench.start(1)
            #expect(await bench.log.waits(for: "failed 1"))
            await bench.engine.shutDown()
            let message = bench.log.all.compactMap { event in
                if case .failed(_, let message) = event { message } else { nil }
            }.first
            #expect(message?.contains("compressed as DST") == true)
        }

        @Test("DSD plays as samples of an eighth of its rate and is told as dsd64")
        func plays() async throws {
            guard GStreamerLibrary.has("avdec_dsd_lsbf_planar"), GStreamerLibrary.has("avdemux_dsf") else { return }
            let bench = Bench(outputFormat: AudioFormat(sampleRate: 44100, sample: .integer(bits: 16), channels: 2))
            let path = bench.folder.file("1.dsf")
            try Data(dsf()).write(to: URL(fileURLWithPath: path))
            bench.provider.add(1, path: path)
            bench.start(1)
            #expect(await bench.log.waits(for: "finished 1"))
            await bench.engine.shutDown()
            let formats = bench.log.all.compactMap { event in
                if case .info(_, let format, _, _) = event { format?.wireText } else { nil }
            }
            #expect(formats.last == "dsd64:2")
            let heard = try TestSound.read(bench.recording).samples
            #expect(heard.count / 2 == 11025, "frames")
            // Without the ends: as loud as it was made.
            let middle = heard[4000..<18000].map { Double($0) / 32768 }
            let level = 10 * log10(middle.reduce(0) { $0 + $1 * $1 } / Double(middle.count) / 0.125)
            #expect(abs(level) < 0.1, "\(level) dB")
        }

        @Test("DSD files join without a frame more or less, and are recorded with 24 bits")
        func joins() async throws {
            guard GStreamerLibrary.has("avdec_dsd_lsbf_planar"), GStreamerLibrary.has("avdemux_dsf") else { return }
            let bench = Bench(outputFormat: nil)
            for number in 1...2 as ClosedRange<Int64> {
                let path = bench.folder.file("\(number).dsf")
                try Data(dsf()).write(to: URL(fileURLWithPath: path))
                bench.provider.add(number, path: path)
            }
            bench.startJoined()
            #expect(await bench.log.waits(for: "finished 2"))
            await bench.engine.shutDown()
            let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: bench.recording)))
            let (rate, bits) = (bytes[24..<28].reversed().reduce(0) { $0 << 8 | Int($1) }, Int(bytes[34]))
            #expect((rate, bits) == (352_800, 24))
            #expect(bytes.count - 44 == 2 * 88_200 * 6, "bytes")
            // The sine goes on where the files meet: its value there, before and after the decoder's filter.
            func sample(_ frame: Int) -> Double {
                let start = 44 + frame * 6
                let value = bytes[start..<(start + 3)].reversed().reduce(0) { $0 << 8 | Int32($1) }
                return Double(value << 8) / 2_147_483_648
            }
            let power = (1000..<175_000).reduce(0) { $0 + sample($1) * sample($1) } / 174_000
            #expect(abs(10 * log10(power / 0.125)) < 0.1)
        }
    }
}
