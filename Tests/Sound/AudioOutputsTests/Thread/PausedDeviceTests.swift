import Coordination
import Logging
import MusicModel
import Outputs
import Playback
import SoundSamples
import TestSupport
import Testing

@testable import AudioFiles
@testable import AudioOutputs

extension AudioTests {
    /// Devices that are given back in a pause.
    @Suite(.timeLimit(.minutes(2)))
    struct PausedDeviceTests {
        /// A device that plays by the clock, and keeps what it has really played.
        private final class Device: OutputDriver {
            let restMilliseconds = 5
            let idleLimit: Nanoseconds?
            private let tape: Tape
            private let clock: ClockDriver
            private var waiting: [SampleBlock] = []
            private let buffer: Nanoseconds

            init(
                _ tape: Tape, _ clock: any EngineClock, buffer: Nanoseconds = .seconds(60),
                idleLimit: Nanoseconds? = nil
            ) {
                self.clock = ClockDriver(clock)
                (self.tape, self.buffer, self.idleLimit) = (tape, buffer, idleLimit)
            }

            var wantsMore: Bool { (waiting.last?.end ?? .zero) - (clock.playedTo ?? .zero) < buffer }

            func prepare() throws(OutputProblem) {}
            func open(_ layout: SampleLayout) throws(OutputProblem) {
                tape.note(open: true)
                try clock.open(layout)
            }
            func write(_ block: SampleBlock) throws(OutputProblem) {
                waiting.append(block)
                try clock.write(block)
            }
            func flush() { clock.flush() }
            func setPaused(_ isPaused: Bool) { clock.setPaused(isPaused) }
            func poll() throws(OutputProblem) {}
            var playedTo: Nanoseconds? { clock.playedTo }
            func close() {
                // Only what it has played was heard, cut to the frame.
                let end = clock.playedTo ?? .zero
                for block in waiting where block.start < end {
                    let frames = min(block.frames, block.layout.frames(in: end - block.start))
                    tape.add(block.samples[..<(frames * block.layout.channels)])
                }
                waiting = []
                clock.close()
                tape.note(open: false)
            }
        }

        /// A device that is switched off.
        private final class Absence: OutputDriver {
            let playedTo: Nanoseconds? = nil

            func prepare() throws(OutputProblem) {}
            func open(_ layout: SampleLayout) throws(OutputProblem) { throw OutputProblem("it is off") }
            func write(_ block: SampleBlock) throws(OutputProblem) {}
            func flush() {}
            func setPaused(_ isPaused: Bool) {}
            func poll() throws(OutputProblem) {}
            func close() {}
        }

        private final class Tape: Sendable {
            private let state = Monitor((samples: [Float](), isOpen: false, opened: 0))

            func add(_ samples: ArraySlice<Float>) { state.withLock { $0.samples += samples } }
            func note(open: Bool) {
                state.withLock {
                    $0.isOpen = open
                    if open { $0.opened += 1 }
                }
            }
            var samples: [Float] { state.withLock { $0.samples } }
            var isOpen: Bool { state.withLock { $0.isOpen } }
            var opened: Int { state.withLock { $0.opened } }
        }

        private let clock = VirtualEngineClock()

        private func output(
            _ tape: Tape, closesAfter limit: Duration?, route: ChannelRoute? = nil, buffer: Nanoseconds = .seconds(60),
            idleLimit: Nanoseconds? = nil, type: OutputSpecification.Kind = .alsa
        ) -> OutputThread {
            var specification = OutputSpecification(type: type, name: "Device")
            specification.route = route
            specification.closesPausedAfter = limit
            var logger = Logger(label: "test")
            logger.logLevel = .critical
            return OutputThread(
                specification, log: logger, clock: clock,
                driver: { [clock] in Device(tape, clock, buffer: buffer, idleLimit: idleLimit) }, changed: {})
        }

        private func blocks(_ count: Int) -> [SampleBlock] {
            let layout = SampleLayout(rate: 48000, channels: 2)
            return (0..<count).map { number in
                SampleBlock(
                    start: .milliseconds(20 * number), duration: .milliseconds(20), layout: layout,
                    samples: (0..<1920).map { Float(number * 960 + $0 / 2) / 262_144 })
            }
        }

        @Test("a device is given back after a while of pause, and goes on where it was when that ends")
        func closes() async throws {
            let tape = Tape()
            let output = output(tape, closesAfter: .milliseconds(50))
            let given = blocks(150)
            output.give(given)
            #expect(await clock.eventually { output.report.playedTo ?? .zero > .milliseconds(100) })
            output.setPaused(true)
            #expect(await clock.eventually { !tape.isOpen && tape.opened == 1 })
            let heard = tape.samples.count
            #expect(heard > 9600 && heard < given.count * 1920)
            // It stays with the others while the pause lasts.
            await clock.pass(.seconds(100))
            #expect(tape.opened == 1)
            output.setPaused(false)
            #expect(await clock.eventually { output.report.playedTo ?? .zero >= .microseconds(2_999_990) })
            output.close()
            #expect(output.waitUntilGone(milliseconds: 10_000))
            #expect(tape.opened == 2)
            let all = given.flatMap(\.samples)
            let missing = all.count - tape.samples.count
            #expect(abs(missing) <= 4)
            // Not a frame is missing or heard twice where it was interrupted.
            #expect(tape.samples.prefix(all.count - 8).elementsEqual(all.prefix(all.count - 8)))
        }

        @Test("what is heard after a long pause has the volume and the route once, as what was heard before")
        func once() async throws {
            let tape = Tape()
            let output = try output(tape, closesAfter: .milliseconds(50), route: ChannelRoute("0>1, 1>0"))
            output.setVolume(0.5)
            let given = blocks(150).map { block in
                var block = block
                for index in block.samples.indices where index % 2 == 1 { block.samples[index] = 0 }
                return block
            }
            output.give(given)
            #expect(await clock.eventually { output.report.playedTo ?? .zero > .milliseconds(100) })
            output.setPaused(true)
            #expect(await clock.eventually { !tape.isOpen && tape.opened == 1 })
            output.setPaused(false)
            #expect(await clock.eventually { output.report.playedTo ?? .zero >= .microseconds(2_999_990) })
            output.close()
            #expect(output.waitUntilGone(milliseconds: 10_000))
            let expected = given.flatMap(\.samples)
            let heard = tape.samples
            let isRight = stride(from: 0, to: min(heard.count, expected.count) - 8, by: 2).allSatisfy {
                heard[$0] == 0 && heard[$0 + 1] == expected[$0] / 2
            }
            #expect(isRight && heard.count > expected.count - 8)
        }

        @Test(
            "with other formats a device is opened anew, and goes on with the very frame",
            arguments: [.milliseconds(100), .seconds(60)] as [Nanoseconds], [false, true])
        func changes(buffer: Nanoseconds, isPaused: Bool) async throws {
            let tape = Tape()
            let output = output(tape, closesAfter: nil, buffer: buffer)
            let given = blocks(150)
            output.give(given)
            #expect(await clock.eventually { output.report.playedTo ?? .zero > .milliseconds(100) })
            if isPaused { output.setPaused(true) }
            // The same once more changes nothing; DoP alone needs no other device.
            try output.set("allowed_formats", to: "")
            try output.set("dop", to: "1")
            try output.set("allowed_formats", to: "*:16:*")
            #expect(await clock.eventually { tape.opened == 2 || isPaused && !tape.isOpen })
            if isPaused { output.setPaused(false) }
            #expect(await clock.eventually { output.report.playedTo ?? .zero >= .microseconds(2_999_990) })
            output.close()
            #expect(output.waitUntilGone(milliseconds: 10_000))
            #expect(tape.opened == 2)
            let all = given.flatMap(\.samples)
            #expect(abs(all.count - tape.samples.count) <= 4)
            #expect(tape.samples.prefix(all.count - 8).elementsEqual(all.prefix(all.count - 8)))
        }

        @Test("a pause is no idleness: what was open before it goes on without a gap")
        func goesOn() async throws {
            let tape = Tape()
            let output = output(tape, closesAfter: nil, buffer: .milliseconds(100), idleLimit: .milliseconds(300))
            let given = blocks(150)
            output.give(given)
            #expect(await clock.eventually { output.report.playedTo ?? .zero > .milliseconds(100) })
            output.setPaused(true)
            await clock.pass(.seconds(100))
            output.setPaused(false)
            #expect(await clock.eventually { output.report.playedTo ?? .zero >= .microseconds(2_999_990) })
            output.close()
            #expect(output.waitUntilGone(milliseconds: 10_000))
            #expect(tape.opened == 1)
            #expect(abs(given.flatMap(\.samples).count - tape.samples.count) <= 4)
        }

        @Test("a device that has nothing to play is given back, and isn't taken for one that doesn't play")
        func isIdle() async throws {
            let tape = Tape()
            let output = output(tape, closesAfter: nil, idleLimit: .milliseconds(50))
            output.setPlaying(true)
            output.give(blocks(3))
            #expect(await clock.eventually { tape.opened == 1 && !tape.isOpen })
            #expect(output.report.waitingSince == nil && output.report.problem == nil)
            output.close()
            #expect(output.waitUntilGone(milliseconds: 10_000))
        }

        @Test("what listeners hear stays open while the sound of a track is waited for, and ends with the music")
        func waits() async throws {
            let tape = Tape()
            let output = output(tape, closesAfter: nil, idleLimit: .milliseconds(50), type: .httpd)
            output.setPlaying(true)
            output.give(blocks(3))
            output.setDue(.max, limit: .max)
            #expect(await clock.eventually { tape.isOpen })
            await clock.pass(.seconds(100))
            #expect(tape.isOpen)
            output.setPlaying(false)
            #expect(await clock.eventually { !tape.isOpen })
            output.close()
            #expect(output.waitUntilGone(milliseconds: 10_000))
        }

        @Test("a device that doesn't work has taken nothing that others would have to wait for")
        func doesNotWork() async throws {
            let output = OutputThread(
                OutputSpecification(type: .alsa, name: "Absent"), log: Logger(label: "test"), clock: clock,
                driver: { Absence() }, changed: {})
            output.give(blocks(10))
            #expect(
                await clock.eventually { output.report.problem != nil && output.report.takenTo > .milliseconds(100) })
            #expect(output.hold() == .zero)
            #expect(output.withdraw(from: .milliseconds(1)))
            output.close()
            #expect(output.waitUntilGone(milliseconds: 10_000))
        }

        @Test("without a limit it stays open")
        func stays() async throws {
            let tape = Tape()
            let output = output(tape, closesAfter: nil)
            output.give(blocks(10))
            #expect(await clock.eventually { output.report.playedTo != nil })
            output.setPaused(true)
            await clock.pass(.seconds(100))
            #expect(tape.isOpen)
            output.close()
            #expect(output.waitUntilGone(milliseconds: 10_000))
        }
    }
}
