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
    /// What formats the outputs get, and that nothing is changed on the way without need.
    @Suite(.timeLimit(.minutes(2)))
    struct FormatTests {
        /// A WAV file of 24 bits.
        private func write24(_ samples: [Int32], to path: String, rate: Int) throws {
            let data = samples.flatMap { sample in (0..<3).map { UInt8(truncatingIfNeeded: sample >> (8 * $0)) } }
            func little(_ value: Int, _ count: Int) -> [UInt8] {
                (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
            }
            let head =
                Array("RIFF".utf8) + little(36 + data.count, 4) + Array("WAVEfmt ".utf8) + little(16, 4)
                + little(1, 2) + little(2, 2) + little(rate, 4) + little(rate * 6, 4) + little(6, 2) + little(24, 2)
                + Array("data".utf8) + little(data.count, 4)
            try Data(head + data).write(to: URL(fileURLWithPath: path))
        }

        private func noise24(frames: Int) -> [Int32] {
            var state: UInt32 = 99
            return (0..<(frames * 2)).map { _ in
                state = state &* 1_664_525 &+ 1_013_904_223
                return Int32(bitPattern: state) >> 8
            }
        }

        private func playAll(_ bench: Bench, _ count: UInt64) async {
            bench.start(1)
            for play in 2..<(count + 1) {
                bench.engine.prepareNext(bench.track(play))
                if play < count { #expect(await bench.log.waits(for: "started \(play)", seconds: 60)) }
            }
            #expect(await bench.log.waits(for: "finished \(count)", seconds: 60))
            await bench.engine.shutDown()
        }

        @Test(
            "24 bits of a song arrive bit by bit, and its rate stays, whether they are asked for or not",
            arguments: [nil, AudioFormat(sampleRate: 0, sample: .integer(bits: 24), channels: 0)])
        func isExact(format: AudioFormat?) async throws {
            let bench = Bench(outputFormat: format)
            let samples = noise24(frames: 96_000)
            let path = bench.folder.file("24.wav")
            try write24(samples, to: path, rate: 96_000)
            bench.provider.add(1, path: path)
            await playAll(bench, 1)
            let (written, recorded) = (
                try Data(contentsOf: URL(fileURLWithPath: path)),
                try Data(contentsOf: URL(fileURLWithPath: bench.recording))
            )
            // The header tells rate, bits and channels.
            #expect(recorded.count == written.count)
            #expect(recorded == written)
        }

        @Test("with one format for all outputs, songs of different rates join in it to the frame")
        func oneFormat() async throws {
            let format = AudioFormat(sampleRate: 48000, sample: .integer(bits: 16), channels: 2)
            let bench = Bench(.virtual, outputFormat: format)
            let rates = [44100, 96000, 48000, 22050]
            var seconds = 0.0
            for (index, rate) in rates.enumerated() {
                // Each is named while the one before it plays, so those in the middle last longer.
                let frames = ((1...2).contains(index) ? rate * 5 / 2 : rate / 2) + 123
                _ = try bench.song(Int64(index + 1), frames: frames, rate: rate, channels: index % 2 + 1)
                seconds += Double(frames) / Double(rate)
            }
            await playAll(bench, 4)
            let heard = try TestSound.read(bench.recording)
            #expect(heard.rate == 48000)
            #expect(heard.channels == 2)
            #expect(heard.samples.count / 2 == Int((seconds * 48000).rounded()))
        }

        @Test("the format that is told follows the parts of a chained file, whose sound is whole")
        func chained() async throws {
            guard DemoEncoder.isAvailable(DemoEncoder.vorbis) else { return }
            let bench = Bench(
                .realTime, outputFormat: AudioFormat(sampleRate: 48000, sample: .integer(bits: 16), channels: 2))
            var bytes = Data()
            for (number, caps) in ["rate=44100,channels=2", "rate=48000,channels=1"].enumerated() {
                var format = DemoEncoder.vorbis
                format.pipeline = "audio/x-raw,\(caps) ! audioconvert ! \(format.pipeline)"
                let path = bench.folder.file("part\(number).ogg")
                try DemoEncoder.encode(
                    TestSound.noise(frames: 44100 * 2), as: format, tags: DemoTags(title: "Part"), to: path)
                bytes += try Data(contentsOf: URL(fileURLWithPath: path))
            }
            let path = bench.folder.file("1.ogg")
            try bytes.write(to: URL(fileURLWithPath: path))
            bench.provider.add(1, path: path)
            await playAll(bench, 1)
            var formats: [String] = []
            for case .info(1, let format?, _, _) in bench.log.all where formats.last != format.wireText {
                formats.append(format.wireText)
            }
            #expect(formats == ["44100:f:2", "48000:f:1"])
            #expect(abs(try TestSound.read(bench.recording).samples.count / 2 - 4 * 48000) <= 2, "frames")
        }

        @Test("an output's own format counts more than the one for all")
        func ownFormat() {
            var output = OutputSpecification(type: .alsa, name: "DAC")
            let general = AudioFormat(sampleRate: 48000, sample: .integer(bits: 16), channels: 2)
            #expect(output.filled(nil).format == nil)
            #expect(output.filled(general).format == general)
            output.format = AudioFormat(sampleRate: 0, sample: .integer(bits: 24), channels: 0)
            #expect(output.filled(general).format?.wireText == "48000:24:2")
        }

        @Test(
            "a device gets the song's rate if it takes it, else one of its family, else the next higher one",
            arguments: [
                ("rate=(int)[8000,192000],channels=2,format={S16LE,S32LE}", 44100, "44100:32:2"),
                ("rate=(int)[8000,192000],channels=2,format={S16LE,S24LE}", 96000, "96000:24:2"),
                ("rate=48000,channels=2,format=S16LE", 44100, "48000:16:2"),
                ("rate=(int){44100,48000,88200},channels=(int)[1,8],format=F32LE", 96000, "48000:f:2"),
                ("rate=(int){44100,96000},channels=2,format=S24_32LE", 48000, "96000:f:2"),
            ])
        func device(caps: String, rate: Int, expected: String) throws {
            try #require(GStreamerLibrary.failure == nil)
            let formats = try #require(DeviceFormats("audio/x-raw,layout=interleaved,\(caps)"))
            let best = formats.best(for: SampleLayout(rate: rate, channels: 2), wanted: nil)
            #expect(best?.wireText == expected)
        }

        @Test("a device that takes floats and 32 bits gets the whole numbers where it prefers them")
        func wholeNumbers() throws {
            try #require(GStreamerLibrary.failure == nil)
            let caps = "audio/x-raw,layout=interleaved,rate=44100,channels=2,format={F32LE,S32LE}"
            let layout = SampleLayout(rate: 44100, channels: 2)
            #expect(DeviceFormats(caps)?.best(for: layout, wanted: nil)?.wireText == "44100:f:2")
            let preferring = DeviceFormats(caps, prefersIntegers: true)
            #expect(preferring?.best(for: layout, wanted: nil)?.wireText == "44100:32:2")
            let floats = AudioFormat(sampleRate: 0, sample: .float, channels: 0)
            #expect(preferring?.best(for: layout, wanted: floats)?.wireText == "44100:f:2")
        }

        @Test("what is wanted of a device counts as far as it takes it")
        func wanted() throws {
            try #require(GStreamerLibrary.failure == nil)
            let caps = "rate=(int)[44100,96000],channels=2,format={S16LE,S32LE}"
            let formats = try #require(DeviceFormats("audio/x-raw,layout=interleaved,\(caps)"))
            let layout = SampleLayout(rate: 44100, channels: 1)
            let wanted = AudioFormat(sampleRate: 96000, sample: .integer(bits: 16), channels: 0)
            #expect(formats.best(for: layout, wanted: wanted)?.wireText == "96000:16:2")
            let absent = AudioFormat(sampleRate: 192_000, sample: .integer(bits: 24), channels: 2)
            #expect(formats.best(for: layout, wanted: absent)?.wireText == "96000:32:2")
        }
    }
}
