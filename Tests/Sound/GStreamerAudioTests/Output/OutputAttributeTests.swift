import Foundation
import Logging
import MusicModel
import Outputs
import Playback
import Testing
import TestSupport

@testable import GStreamerAudio

extension AudioTests {
    /// What clients set of single outputs.
    @Suite(.timeLimit(.minutes(2)))
    struct OutputAttributeTests {
        private func largestError(_ heard: [Int16], _ samples: [Int16], factor: Float) -> Float {
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
            bench.engine.setVolume(75)
            try bench.engine.setOutput(0, attribute: "volume", to: "50")
            #expect(bench.engine.outputs.map(\.attributes) == [["volume": "50"], ["volume": "100"]])
            #expect(bench.engine.outputs.map(\.chosenAttributes) == [["volume": "50"], [:]])
            bench.start(1)
            #expect(await bench.log.waits(for: "finished 1"))
            await bench.engine.shutDown()
            let (own, common) = (Gain.factor(volume: 50), Gain.factor(volume: 75))
            #expect(largestError(try TestSound.read(bench.recording).samples, samples, factor: own * common) <= 2)
            let other = try TestSound.read(bench.folder.file("other.wav")).samples
            #expect(largestError(other, samples, factor: common) <= 2)
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
            #expect(bench.engine.outputs.map(\.attributes) == [["volume": "100"], [:]])
            await bench.engine.shutDown()
        }

        /// A live device that fails at first and then plays; it looks at its output between what it is asked.
        private final class LateDevice: OutputDriver {
            let isLive = true
            private let seen: Seen
            private var failures = 2
            private(set) var playedTo: Int64?

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
            func poll() throws(OutputProblem) { if playedTo != nil { seen.look() } }
            func close() {}
        }

        /// What the pacer would see while the device is asked.
        private final class Seen: Sendable {
            private let state = Monitor((output: OutputThread?.none, reports: [OutputThread.Report]()))

            func watch(_ output: OutputThread) { state.withLock { $0.output = output } }

            func look() {
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
            var start: Int64 = 0
            let plays = await eventually {
                var block = SampleBlock.silence(10_000_000, layout)
                block.start = start
                output.give([block])
                start += 10_000_000
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
