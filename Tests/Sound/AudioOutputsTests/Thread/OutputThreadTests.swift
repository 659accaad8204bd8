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
        #expect(output.state.withLock { $0.queue.blocks.first?.start } == .milliseconds(5_300))
    }
}

@Suite("Commands that wait for an output's thread")
struct OutputCommandsTests {
    /// The commands as they are taken, in short.
    private func taken(_ posted: OutputCommand...) -> [String] {
        var commands = OutputCommands()
        for command in posted { commands.post(command) }
        var taken: [String] = []
        while let command = commands.take() {
            taken.append("\(command)")
            if case .close = command { return taken }
        }
        return taken
    }

    @Test("commands are taken in their order, of each kind the last")
    func order() {
        #expect(taken(.setPaused(true), .stall, .applyVolume) == ["setPaused(true)", "stall", "applyVolume"])
        #expect(taken(.setPaused(true), .applyVolume, .setPaused(false)) == ["applyVolume", "setPaused(false)"])
        #expect(taken(.setEnabled(false), .setEnabled(true)) == ["setEnabled(true)"])
    }

    @Test("what is to be discarded is discarded, whatever follows")
    func flushes() {
        #expect(taken(.flush(discards: true), .flush(discards: false)) == ["flush(discards: true)"])
        #expect(taken(.flush(discards: false), .flush(discards: false)) == ["flush(discards: false)"])
    }

    @Test("nothing follows the end")
    func end() { #expect(taken(.applyVolume, .close, .setPaused(true)) == ["applyVolume", "close"]) }
}

@Suite("Sound that waits for an output's thread")
struct OutputQueueTests {
    private static let layout = SampleLayout(rate: 1000, channels: 1)

    private func queue(isLive: Bool, _ starts: Int...) -> OutputQueue {
        var queue = OutputQueue(isLive: isLive)
        let blocks = starts.map { start in
            SampleBlock(
                start: .milliseconds(start), duration: .milliseconds(40), layout: Self.layout,
                samples: [Float](repeating: 0, count: 40))
        }
        _ = queue.give(blocks)
        return queue
    }

    private func taken(_ queue: inout OutputQueue, at now: Int = 0, isClosing: Bool = false) -> [Int] {
        var starts: [Int] = []
        while let next = queue.take(at: .milliseconds(now), isClosing: isClosing) {
            starts.append(next.block.start.milliseconds)
        }
        return starts
    }

    @Test("a device takes sound ahead, until it closes; a recording takes what is heard")
    func takes() {
        var device = queue(isLive: true, 0, 40)
        let (atEnd, before) = (taken(&device, isClosing: true), taken(&device))
        #expect(atEnd.isEmpty && before == [0, 40])
        var recording = queue(isLive: false, 0, 40, 80)
        let isNews = recording.setDue(HeardLine(place: .milliseconds(50), limit: .milliseconds(50)))
        #expect(isNews)
        let written = taken(&recording, isClosing: true)
        #expect(written == [0, 40])
    }

    @Test("what one engine had heard is written before the sound of the next one, and counts for neither")
    func detaches() {
        var recording = queue(isLive: false, 0, 40, 80)
        recording.detach(heard: .milliseconds(50))
        let first = recording.take(at: .zero, isClosing: false)
        #expect(first?.tenure == -1 && first?.block.start == .zero)
        let second = taken(&recording)
        #expect(second == [40] && recording.tenure == 1 && recording.length == .zero)
    }

    @Test("sound waits at the end of a fade, to the frame, and while the fade is about to change")
    func fades() {
        var device = queue(isLive: true, 0, 40)
        var envelope = FadeEnvelope()
        envelope.fall(from: .milliseconds(10), to: .milliseconds(50))
        device.hold()
        let held = taken(&device)
        device.setEnvelope(envelope)
        let faded = taken(&device)
        #expect(held.isEmpty && faded == [0, 40] && device.begunTo == .milliseconds(50))
        #expect(device.length == .milliseconds(30))
    }

    @Test("of more than ten seconds the oldest are lost")
    func overflows() {
        var device = queue(isLive: true)
        var block = SampleBlock(start: .zero, duration: .seconds(4), layout: Self.layout, samples: [0])
        let tookAll = (0..<3).map { _ in
            defer { block.start = block.end }
            return device.give([block])
        }
        #expect(tookAll == [true, true, false] && device.blocks.first?.start == .seconds(4))
    }
}
