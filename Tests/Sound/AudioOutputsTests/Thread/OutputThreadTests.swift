import Coordination
import Logging
import Outputs
import Testing

@testable import AudioFiles
@testable import AudioOutputs

/// Runs no threads, so that outputs stay as a test says that they are.
private struct ClockWithoutThreads: EngineClock {
    var now: Nanoseconds { MonotonicClock().now }
    func standsStillForDecoders(isNetwork: Bool) -> Bool { false }
    func startThread(_ name: String, _ body: @escaping @Sendable () -> Void) -> Bool { true }
    func beginWait(until moment: Nanoseconds, wake: @escaping @Sendable () -> Void) -> (any ClockWait)? { nil }
}

@Suite("An output's thread, before it has taken anything")
struct OutputThreadTests {
    @Test("an output that lags behind the others leaves out the blocks that fit into the lag")
    func catchesUp() {
        let output = OutputThread(
            OutputSpecification(type: .alsa, name: "Device"), log: Logger(label: "test"), clock: ClockWithoutThreads()
        ) {}
        output.give(
            (0..<20).map { index in
                var block = SampleBlock.silence(.milliseconds(100), SampleLayout(rate: 8000, channels: 1))
                block.start = .seconds(5) + .milliseconds(100 * index)
                return block
            })
        output.state.withLock { ($0.report.takenTo, $0.report.playedTo) = (.seconds(5), .milliseconds(4_950)) }
        output.catchUp(.milliseconds(350))
        #expect(output.state.withLock { $0.queue.first?.start } == .milliseconds(5_300))
    }
}
