import Coordination
import Foundation
import Logging
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
    /// What clients set of single outputs.
    @Suite(.timeLimit(.minutes(2)))
    struct OutputAttributeTests {
        private func maxErrorSize(_ heard: [Int16], _ samples: [Int16], factor: Float) -> Float {
            guard heard.count == samples.count else { return .infinity }
            return zip(heard, samples).map { abs(Float($0) - Float($1) * factor) }.max() ?? .infinity
        }

        @Test("an output's own volume comes on top of the common one, and others don't have it")
        func ownVolume() async throws {
            let bench = Bench { folder in
                ["out", "other"].map {
                    OutputSpecification(type: .file, name: $0, path: folder.file($0 + ".wav"))
                }
            }
            let samples = try bench.song(1, frames: 44100)
            bench.engine.set(.volume(75))
            try bench.engine.setOutput(0, attribute: "volume", to: "50")
            #expect(bench.engine.outputs.map { $0.attributes["volume"] } == ["50", "100"])
            #expect(bench.engine.outputs.map(\.chosenAttributes) == [["volume": "50"], [:]])
            bench.start(1)
            #expect(await bench.log.waits(for: "finished 1"))
            await bench.engine.shutDown()
            let (own, common) = (Gain.factor(volume: 50), Gain.factor(volume: 75))
            #expect(maxErrorSize(try TestSound.read(bench.recording).samples, samples, factor: own * common) <= 2)
            let other = try TestSound.read(bench.folder.file("other.wav")).samples
            #expect(maxErrorSize(other, samples, factor: common) <= 2)
        }

        @Test("what is no volume is refused, and so is any volume where there is to be none")
        func refusals() async {
            let bench = Bench { _ in
                [
                    OutputSpecification(type: .null, name: "A"),
                    OutputSpecification(type: .null, name: "B", mixerType: .none),
                ]
            }
            for value in ["", "loud", "-1", "101", "1e1", "99999999999999999999"] {
                #expect(throws: OutputAttributeError.badValue) {
                    try bench.engine.setOutput(0, attribute: "volume", to: value)
                }
            }
            #expect(throws: OutputAttributeError.unsupported) {
                try bench.engine.setOutput(1, attribute: "volume", to: "50")
            }
            #expect(throws: OutputAttributeError.unsupported) {
                try bench.engine.setOutput(0, attribute: "bass", to: "50")
            }
            #expect(bench.engine.outputs.map { $0.attributes["volume"] } == ["100", nil])
            await bench.engine.shutDown()
        }

        @Test("formats are told as they were listed, and kept where clients have set them")
        func formats() async throws {
            let listed = try AllowedFormat.list("dsd64:2=dop 96000:24:2")
            let bench = Bench { _ in
                var device = OutputSpecification(type: .alsa, name: "A", isEnabled: false)
                device.allow(listed)
                return [
                    device, OutputSpecification(type: .pulse, name: "B", isEnabled: false),
                    OutputSpecification(type: .fifo, name: "C", isEnabled: false, path: "/nowhere"),
                ]
            }
            func shown(_ id: Int) -> [String?] {
                ["allowed_formats", "dop"].map { bench.engine.outputs[id].attributes[$0] }
            }
            #expect(shown(0) == ["dsd64:2=dop 96000:24:2", "0"])
            #expect(shown(1) == ["", nil] && shown(2) == [nil, "0"])
            try bench.engine.setOutput(0, attribute: "allowed_formats", to: "  44100:24_3:*  *:f:2 352800:dsd:* ")
            try bench.engine.setOutput(0, attribute: "dop", to: "1")
            #expect(shown(0) == ["44100:24:* *:f:2 dsd64:*", "1"])
            #expect(
                bench.engine.outputs[0].chosenAttributes == [
                    "allowed_formats": "44100:24:* *:f:2 dsd64:*", "dop": "1",
                ])
            try bench.engine.setOutput(0, attribute: "allowed_formats", to: "")
            #expect(shown(0) == ["", "1"])
            await bench.engine.shutDown()
        }

        @Test(
            "formats that no output can have are refused with a sentence",
            arguments: [
                ("dop", "yes", "0 or 1"), ("dop", "", "0 or 1"), ("allowed_formats", "44100", "is no format"),
                ("allowed_formats", "*:*:* 96000:24:9", "\"96000:24:9\" is out of range"),
                ("allowed_formats", "dsd65:2", "is no format for DSD"),
                ("allowed_formats", "44100:16:2=dop", "is no format for DoP"),
                ("allowed_formats", "dsd99999999999999999999:2", "is no format for DSD"),
                ("allowed_formats", String(repeating: "*:*:* ", count: 101), "more than 100"),
            ])
        func refusedFormats(attribute: String, value: String, reason: String) async {
            let bench = Bench { _ in [OutputSpecification(type: .alsa, name: "A", isEnabled: false)] }
            var told = ""
            do throws(OutputAttributeError) {
                try bench.engine.setOutput(0, attribute: attribute, to: value)
            } catch {
                if case .refused(let sentence) = error { told = sentence }
            }
            #expect(told.contains(reason))
            await bench.engine.shutDown()
        }

        @Test("outputs without a choice of formats have no attributes for them, and DSD is for alsa alone")
        func foreignFormats() async {
            let bench = Bench { _ in
                [
                    OutputSpecification(type: .null, name: "A", isEnabled: false),
                    OutputSpecification(type: .pipewire, name: "B", isEnabled: false),
                ]
            }
            for (id, attribute) in [(0, "dop"), (0, "allowed_formats"), (1, "dop")] {
                #expect(throws: OutputAttributeError.unsupported) {
                    try bench.engine.setOutput(id, attribute: attribute, to: "1")
                }
            }
            #expect(
                throws: OutputAttributeError.refused(
                    "\"dsd64:2\": DSD reaches this type as PCM; only alsa plays it as it is")
            ) { try bench.engine.setOutput(1, attribute: "allowed_formats", to: "dsd64:2") }
            await bench.engine.shutDown()
        }

        /// Plays a tone and gives how loud the left channel of the recording is at its frequency.
        private func recorded(_ bench: Bench, _ hertz: Double, frames: Int = 44100) async throws -> Double {
            let samples = (0..<frames * 2).map { Int16(8192 * sin(2 * .pi * hertz * Double($0 / 2) / 44100)) }
            try TestSound.write(samples, to: bench.folder.file("1.wav"))
            bench.provider.add(1, path: bench.folder.file("1.wav"))
            bench.start(1)
            #expect(await bench.log.waits(for: "finished 1"))
            await bench.engine.shutDown()
            let heard = try TestSound.read(bench.recording).samples
            #expect(heard.count == samples.count)
            var (real, imaginary) = (0.0, 0.0)
            for frame in frames / 2..<heard.count / 2 {
                let angle = 2 * .pi * hertz * Double(frame) / 44100
                real += Double(heard[frame * 2]) * cos(angle)
                imaginary += Double(heard[frame * 2]) * sin(angle)
            }
            return 20 * log10(2 * (real * real + imaginary * imaginary).squareRoot() / Double(frames / 2) / 8192)
        }

        @Test("an equalizer reaches the recording as it is set, within a tenth of a decibel")
        func equalizer() async throws {
            let bench = Bench()
            try bench.engine.setOutput(0, attribute: "equalizer", to: "-3; PK 1000 -6 1.41")
            #expect(bench.engine.outputs[0].chosenAttributes == ["equalizer": "-3; PK 1000 -6 1.41"])
            #expect(abs(try await recorded(bench, 1000) + 9) < 0.1)
        }

        @Test(
            "each filter reaches the recording as it is set, within a tenth of a decibel",
            arguments: [
                ("balance", "50", 1000.0, -6.02), ("mono", "1", 1000, 0), ("delay", "20", 1000, 0),
                ("crossfeed", "1", 1000, -1.45), ("levelling", "1", 441, -2.94),
            ])
        func eachFilter(attribute: String, value: String, hertz: Double, expected: Double) async throws {
            let bench = Bench()
            try bench.engine.setOutput(0, attribute: attribute, to: value)
            // Levelling takes some seconds.
            let frames = attribute == "levelling" ? 44100 * 40 : 44100
            #expect(abs(try await recorded(bench, hertz, frames: frames) - expected) < 0.1)
        }

        @Test("effects and a graph reach the recording as they are set, and one that is missing is refused")
        func plugins() async throws {
            let bench = Bench()
            for (attribute, value, reason) in [
                ("effects", "nothing-such", "no such element"), ("effects", "volume ! ! volume", "element is missing"),
                ("graph", "amovie=/x", "none of the filters"), ("graph", "equalizer=x=1", "Option 'x' not found"),
            ] {
                do throws(OutputAttributeError) {
                    try await bench.engine.checkOutput(0, attribute: attribute, value: value)
                    Issue.record("\(value) is fine")
                } catch {
                    guard case .refused(let found) = error else { throw error }
                    #expect(found.contains(reason), "\(found)")
                }
            }
            for (attribute, value) in [
                ("effects", "ladspa-filter-so-lpf cutoff-frequency=20000 ! volume volume=0.5"),
                ("graph", "volume=-6dB"),
                ("effects", "off"), ("effects", "ladspa-amp-so-amp-stereo gain=0.5"), ("volume", "none"),
            ] { try await bench.engine.checkOutput(0, attribute: attribute, value: value) }
            try bench.engine.setOutput(0, attribute: "effects", to: "ladspa-amp-so-amp-stereo gain=0.5")
            try bench.engine.setOutput(0, attribute: "graph", to: "volume=-6dB")
            #expect(bench.engine.outputs[0].chosenAttributes.count == 2)
            #expect(throws: OutputAttributeError.badValue) {
                try bench.engine.setOutput(0, attribute: "graph", to: "amovie=/x")
            }
            #expect(abs(try await recorded(bench, 1000) + 12.02) < 0.1)
        }

        @Test("plug-ins of the configuration that can't be made are known before they are wanted")
        func missingPlugins() throws {
            var outputs = [OutputSpecification(type: .null, name: "A"), OutputSpecification(type: .null, name: "B")]
            outputs[0].filters.effects = try EffectChain("volume volume=0.5")
            outputs[0].filters.graph = try FilterGraph(trusted: "volume=0.5")
            #expect(EngineCheck.plugins(of: outputs) == [])
            outputs[1].filters.effects = try EffectChain("no-such")
            outputs[1].filters.graph = try FilterGraph(trusted: "no-such")
            let found = EngineCheck.plugins(of: outputs)
            #expect(
                found.count == 2 && found[0].contains("output \"B\": no-such") && found[1].contains("No such filter"))
        }

        @Test("a room's correction is read from a sound file and applied; one that can't be is left out")
        func convolution() async throws {
            for (frames, expected) in [(500, -6.02), (0, 0), (44100 * 11, 0)] {
                let bench = Bench { folder in
                    var output = Bench.fileOutput(folder)[0]
                    output.filters.impulseResponse = folder.file("room.wav")
                    return [output]
                }
                // A single sample of half the height.
                let response: [Int16] = (0..<frames).map { $0 == 0 ? 16384 : 0 }
                try TestSound.write(response, to: bench.folder.file("room.wav"), channels: 1)
                #expect(abs(try await recorded(bench, 441) - expected) < 0.1, "\(frames) frames")
            }
        }

        /// A live device that fails at first and then plays; it looks at its output between what it is asked.
        private final class LateDevice: OutputDriver {
            let restMilliseconds = 25
            private let seen: Seen
            private var failures = 2
            private(set) var playedTo: Nanoseconds?

            init(_ seen: Seen) { self.seen = seen }

            func prepare() throws(OutputProblem) {}
            func open(_ layout: SampleLayout) throws(OutputProblem) {}
            func write(_ block: SampleBlock) throws(OutputProblem) {
                guard failures == 0 else {
                    failures -= 1
                    throw OutputProblem("not yet")
                }
                playedTo = block.end
            }
            func flush() {}
            func setPaused(_ isPaused: Bool) {}
            func poll() throws(OutputProblem) { if playedTo != nil { seen.note() } }
            func close() {}
        }

        /// What the pacer would see while the device is asked.
        private final class Seen: Sendable {
            private let state = Monitor((output: OutputThread?.none, reports: [OutputThread.Report]()))

            func watch(_ output: OutputThread) { state.withLock { $0.output = output } }

            func note() {
                guard let output = state.withLock({ $0.output }) else { return }
                let report = output.report
                state.withLock { $0.reports.append(report) }
            }

            var reports: [OutputThread.Report] { state.withLock { $0.reports } }
        }

        @Test("an output that plays again has its place as soon as its problem is gone")
        func recovers() async {
            let seen = Seen()
            var logger = Logger(label: "test")
            logger.logLevel = .critical
            let output = OutputThread(
                OutputSpecification(type: .null, name: "Late"), log: logger, retryMilliseconds: 1,
                driver: { LateDevice(seen) }, changed: {})
            seen.watch(output)
            let layout = SampleLayout(rate: 44100, channels: 2)
            var start = Nanoseconds.zero
            let plays = await eventually {
                var block = SampleBlock.silence(.milliseconds(10), layout)
                block.start = start
                output.give([block])
                start += .milliseconds(10)
                return !seen.reports.isEmpty
            }
            #expect(plays)
            // Without a place it would count as one that has waited since before the problem.
            #expect(seen.reports.allSatisfy { $0.problem == nil && $0.playedTo != nil })
            output.close()
            #expect(output.waitUntilGone(milliseconds: 10_000))
        }
    }
}
