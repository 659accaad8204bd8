import Foundation
import MusicModel
import Outputs
import Playback
import SoundSamples
import TestSupport
import Testing

@testable import AudioFiles
@testable import PlaybackEngine

extension AudioTests {
    @Suite(.timeLimit(.minutes(2)))
    struct DoPTests {
        /// A program that keeps what it gets, as a device for DoP of DSD64 or a multiple would.
        private static func capture(
            _ folder: TemporaryFolder, _ multiple: Int = 64, channels: Int = 2
        ) -> OutputSpecification {
            var output = OutputSpecification(
                type: .pipe, name: "Capture",
                format: AudioFormat(sampleRate: multiple * 44_100 / 16, sample: .integer(bits: 24), channels: channels))
            output.command = "exec cat >> '\(folder.file("capture"))'"
            output.dsd.isDoP = true
            return output
        }

        private func add(_ number: Int64, _ bytes: [UInt8], _ suffix: String, to bench: Bench) throws {
            let path = bench.folder.file("\(number).\(suffix)")
            try Data(bytes).write(to: URL(fileURLWithPath: path))
            bench.provider.add(number, path: path)
        }

        private func told(_ bench: Bench) -> [String] {
            bench.log.all.compactMap { event in
                if case .info(_, let format, _, _) = event { format?.wireText } else { nil }
            }
        }

        @Test(
            "the very bits of a file reach an output as DoP, whatever the volume and ReplayGain are",
            arguments: [64, 128, 256], ["dsf", "dsf of the highest bit first", "dff"])
        func bits(multiple: Int, kind: String) async throws {
            let bench = Bench(outputFormat: nil) { [Self.capture($0, multiple)] }
            // No whole block, nor a whole frame.
            let sound = DSDSound(multiple, bytes: 30_001)
            let bytes = kind == "dff" ? sound.dsdiff() : sound.dsf(isLowestBitFirst: kind == "dsf")
            try add(1, bytes, kind == "dff" ? "dff" : "dsf", to: bench)
            bench.engine.set(.volume(37))
            bench.engine.set(.replayGain(.track))
            bench.engine.set(.speed(1.25))
            bench.engine.start(bench.track(1, replayGain: ReplayGain(trackGain: -6)), at: .zero, paused: false)
            #expect(await bench.log.waits(for: "finished 1"))
            await bench.engine.shutDown()
            #expect(told(bench).last == "dsd\(multiple):2")
            let heard = try DoPCapture(bench.folder.file("capture"))
            #expect(heard.isContinuous)
            #expect(heard.frames.count == 15_001)
            #expect(heard.frames == sound.frames, "bits")
        }

        @Test(
            "the bits of a surround file reach an output in the order of its speakers",
            arguments: [
                ("dsf", [0, 1, 2, 3, 4, 5]), ("dff", [0, 1, 2, 3, 4, 5]), ("dff", [2, 4, 5, 0, 1, 3]),
                ("dff", [1, 0, 2]), ("dsf", [0, 1, 2, 3]),
            ])
        func surround(kind: String, order: [Int]) async throws {
            let bench = Bench(outputFormat: nil) { [Self.capture($0, channels: order.count)] }
            let sound = DSDSound(bytes: 30_001, channels: order.count)
            let speakers = order.map { DSDSound.speakers[$0] }
            try add(1, kind == "dff" ? sound.dsdiff(speakers: speakers) : sound.dsf(), kind, to: bench)
            bench.start(1)
            #expect(await bench.log.waits(for: "finished 1"))
            await bench.engine.shutDown()
            #expect(told(bench).last == "dsd64:\(order.count)")
            let heard = try DoPCapture(bench.folder.file("capture"), channels: order.count)
            #expect(heard.isContinuous)
            let places = order.indices.map { order.firstIndex(of: $0) ?? 0 }
            #expect(heard.frames == sound.frames.map { frame in places.map { frame[$0] } }, "bits")
        }

        @Test("what an output can't get bit by bit is decoded: other speakers, other channels, too much at once")
        func decodesSurround() async throws {
            guard GStreamerLibrary.has("avdec_dsd_lsbf_planar"), GStreamerLibrary.has("avdemux_dsf") else { return }
            let fronts = DSDSound(bytes: 30_000, channels: 4)
            let songs: [(sound: DSDSound, channels: Int, bytes: [UInt8])] = [
                (fronts, 4, fronts.dsdiff()), (fronts, 2, fronts.dsf()),
                (DSDSound(256, bytes: 30_000, channels: 3), 3, DSDSound(256, bytes: 30_000, channels: 3).dsf()),
            ]
            for song in songs {
                let bench = Bench(outputFormat: nil) {
                    [Self.capture($0, song.sound.multiple, channels: song.channels)]
                }
                try add(1, song.bytes, song.bytes.starts(with: "FRM8".utf8) ? "dff" : "dsf", to: bench)
                bench.start(1)
                #expect(await bench.log.waits(for: "finished 1"))
                await bench.engine.shutDown()
                let heard = try DoPCapture(bench.folder.file("capture"), channels: song.channels)
                #expect(!heard.isContinuous && !heard.frames.isEmpty)
            }
        }

        @Test("markers alternate across a join, without a frame more or less, and songs don't overlap")
        func joins() async throws {
            let bench = Bench(outputFormat: nil) { [Self.capture($0)] }
            let sounds = [DSDSound(bytes: 90_001), DSDSound(bytes: 80_006, frequency: 700)]
            try add(1, sounds[0].dsf(), "dsf", to: bench)
            try add(2, sounds[1].dsdiff(), "dff", to: bench)
            bench.engine.set(.crossfade(5))
            bench.startJoined()
            #expect(await bench.log.waits(for: "finished 2"))
            await bench.engine.shutDown()
            let heard = try DoPCapture(bench.folder.file("capture"))
            #expect(heard.isContinuous)
            #expect(heard.frames == sounds[0].frames + sounds[1].frames, "bits")
        }

        @Test("a song of PCM before and behind one of DSD leaves its bits alone")
        func mixesWithPCM() async throws {
            // The second song, named while the first plays, lasts long enough for the third to be named in time.
            let bench = Bench(.realTime, outputFormat: nil) { [Self.capture($0)] }
            let sound = DSDSound(bytes: 1_000_000)
            _ = try bench.song(1, frames: 20_000)
            try add(2, sound.dsf(), "dsf", to: bench)
            _ = try bench.song(3, frames: 20_000)
            for play in 1...3 as ClosedRange<UInt64> {
                if play == 1 { bench.start(1) } else { #expect(await bench.log.waits(for: "started \(play)")) }
                if play < 3 { bench.engine.prepareNext(bench.track(play + 1)) }
            }
            #expect(await bench.log.waits(for: "finished 3"))
            await bench.engine.shutDown()
            let heard = try DoPCapture(bench.folder.file("capture"))
            let wanted = sound.frames
            let start = try #require(heard.frames.indices.first { heard.frames[$0...].starts(with: wanted[..<64]) })
            #expect(heard.frames[start...].starts(with: wanted), "bits")
            #expect(abs(start - 80_000) < 100 && abs(heard.frames.count - 660_000) < 200)
        }

        @Test("a seek leads to the very frame, and the markers go on")
        func seeks() async throws {
            let bench = Bench(.realTime, outputFormat: nil) { [Self.capture($0)] }
            let sound = DSDSound(bytes: 352_800 * 2 + 5)
            try add(1, sound.dsf(), "dsf", to: bench)
            bench.start(1, at: .milliseconds(123))
            #expect(await eventually { bench.engine.progress?.elapsed ?? .zero > .milliseconds(400) })
            bench.engine.seek(to: .milliseconds(1517))
            #expect(await bench.log.waits(for: "finished 1"))
            await bench.engine.shutDown()
            let heard = try DoPCapture(bench.folder.file("capture"))
            #expect(heard.isContinuous)
            #expect(heard.frames.starts(with: sound.frames[21_697..<60_000]), "from 123 ms on")
            let rest = sound.frames[267_599...]
            #expect(Array(heard.frames.suffix(rest.count)) == Array(rest), "from 1517 ms on")
            #expect(heard.frames.count < 250_000)
        }

        @Test("where another output plays, too, all get PCM; once it is off, the device gets DoP from that place on")
        func follows() async throws {
            let bench = Bench(.realTime, outputFormat: nil) { folder in
                [Self.capture(folder)] + Bench.fileOutput(folder)
            }
            let sound = DSDSound(bytes: 352_800 * 3)
            try add(1, sound.dsf(), "dsf", to: bench)
            bench.start(1)
            #expect(await eventually { bench.engine.progress?.elapsed ?? .zero > .milliseconds(300) })
            bench.engine.setOutput(1, enabled: false)
            #expect(await bench.log.waits(for: "finished 1"))
            await bench.engine.shutDown()
            let heard = try DoPCapture(bench.folder.file("capture"))
            #expect(!heard.isContinuous)
            let rest = sound.frames.suffix(176_400 * 3 / 2)
            #expect(Array(heard.frames.suffix(rest.count)) == Array(rest), "the second half")
        }

        @Test(
            "switched on or off in the middle of a song, DoP begins or ends with the frame behind what the device has",
            arguments: [true, false])
        func switches(isOn: Bool) async throws {
            guard GStreamerLibrary.has("avdec_dsd_lsbf_planar"), GStreamerLibrary.has("avdemux_dsf") else { return }
            let bench = Bench(.realTime, outputFormat: nil) { folder in
                var output = Self.capture(folder)
                output.dsd.isDoP = !isOn
                return [output]
            }
            let sound = DSDSound(bytes: 352_800 * 2)
            try add(1, sound.dsf(), "dsf", to: bench)
            bench.start(1)
            #expect(await eventually { bench.engine.progress?.elapsed ?? .zero > .milliseconds(600) })
            #expect(bench.engine.outputs[0].attributes["dop"] == (isOn ? "0" : "1"))
            try bench.engine.setOutput(0, attribute: "dop", to: isOn ? "1" : "0")
            #expect(bench.engine.outputs[0].chosenAttributes == ["dop": isOn ? "1" : "0"])
            #expect(await bench.log.waits(for: "finished 1"))
            await bench.engine.shutDown()
            let heard = try DoPCapture(bench.folder.file("capture")).frames
            let wanted = sound.frames
            // Nothing is lost, and nothing comes twice, but for what rounding to other rates makes of the ends.
            #expect(abs(heard.count - wanted.count) < 10, "\(heard.count) frames")
            let rest = wanted.count / 5
            if isOn {
                let start = try #require(
                    heard.indices.first { heard[$0...].starts(with: wanted[$0...].prefix(64)) })
                #expect(start > 80_000 && start < wanted.count - rest, "from \(start) on")
                #expect(heard[start...].elementsEqual(wanted[start...]), "bits")
            } else {
                let end = try #require(zip(heard, wanted).enumerated().first { $1.0 != $1.1 }).offset
                #expect(end > 80_000 && end < wanted.count - rest, "up to \(end)")
            }
        }

        @Test("volume 0 is DSD's silence")
        func mutes() async throws {
            let bench = Bench(outputFormat: nil) { [Self.capture($0)] }
            let sound = DSDSound(bytes: 20_000)
            try add(1, sound.dsf(), "dsf", to: bench)
            bench.engine.set(.volume(0))
            bench.start(1)
            #expect(await bench.log.waits(for: "finished 1"))
            await bench.engine.shutDown()
            let heard = try DoPCapture(bench.folder.file("capture"))
            #expect(heard.isContinuous)
            #expect(heard.frames == [[UInt16]](repeating: [0x6969, 0x6969], count: 10_000))
        }

        @Test("before a pause there is DSD's silence, where that is wished for")
        func pauses() async throws {
            let bench = Bench(.realTime, outputFormat: nil) { folder in
                var output = Self.capture(folder)
                output.dsd.stopsWithSilence = true
                return [output]
            }
            let sound = DSDSound(bytes: 352_800)
            try add(1, sound.dsf(), "dsf", to: bench)
            bench.start(1)
            #expect(await eventually { bench.engine.progress?.elapsed ?? .zero > .milliseconds(200) })
            bench.engine.setPaused(true)
            #expect(
                await eventually {
                    (try? DoPCapture(bench.folder.file("capture")))?.frames.suffix(5000).allSatisfy {
                        $0 == [0x6969, 0x6969]
                    } == true
                })
            bench.engine.setPaused(false)
            #expect(await bench.log.waits(for: "finished 1"))
            await bench.engine.shutDown()
            let heard = try DoPCapture(bench.folder.file("capture"))
            #expect(heard.isContinuous)
            let rest = sound.frames.suffix(20_000)
            #expect(Array(heard.frames.suffix(rest.count)) == Array(rest))
        }

        @Test("DSD of a rate that the output's format doesn't carry is decoded")
        func decodes() async throws {
            guard GStreamerLibrary.has("avdec_dsd_lsbf_planar"), GStreamerLibrary.has("avdemux_dsf") else { return }
            let bench = Bench(outputFormat: nil) { [Self.capture($0)] }
            try add(1, DSDSound(128, bytes: 70_560).dsf(), "dsf", to: bench)
            bench.start(1)
            #expect(await bench.log.waits(for: "finished 1"))
            await bench.engine.shutDown()
            let heard = try DoPCapture(bench.folder.file("capture"))
            #expect(!heard.isContinuous)
            #expect(abs(heard.frames.count - 17_640) < 10)
        }
    }
}
