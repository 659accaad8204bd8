import Coordination
import Subsonic
import Synchronization
import TestSupport
import Testing
@testable import Sync

@Suite("Sending what changed here")
struct UpstreamTests {
    /// Counts how often it is asked to send, and fails as it is told to.
    private final class Writer: UpstreamWriting {
        let name = "changes"
        private let state = Mutex((pushes: 0, fails: false))

        var pushes: Int { state.withLock(\.pushes) }

        func setFails(_ fails: Bool) { state.withLock { $0.fails = fails } }

        func push() async throws -> Bool {
            let fails = state.withLock { state in
                state.pushes += 1
                return state.fails
            }
            if fails { throw SubsonicError(.unreachable, "away") }
            return true
        }
    }

    private let clock = VirtualClock()
    private let work: Alarm
    private let writer = Writer()
    private let log = LogLines()

    init() { work = Alarm(clock: clock) }

    private func upstream(noteWaiting: @escaping @Sendable (Bool) -> Void = { _ in }) -> Upstream {
        Upstream(writers: [writer], work: work, clock: clock, noteWaiting: noteWaiting, logger: log.logger)
    }

    @Test("edits are gathered for a fifth of a second; what waits at the start is sent at once")
    func burst() async throws {
        let upstream = upstream()
        let running = Task { await upstream.run() }
        try await eventually("the start") { writer.pushes == 1 }
        upstream.wake()
        #expect(try await clock.passPause() == .milliseconds(200))
        try await eventually("the edits") { writer.pushes == 2 }
        running.cancel()
        await running.value
    }

    @Test("pauses grow while the server takes nothing, and a new change ends them")
    func pauses() async throws {
        let notes = Mutex<[Bool]>([])
        let upstream = upstream { isWaiting in notes.withLock { $0.append(isWaiting) } }
        writer.setFails(true)
        let running = Task { await upstream.run() }
        for seconds in [5, 10, 20, 40, 80, 160, 300, 300] {
            #expect(try await clock.passPause() == .seconds(seconds))
            #expect(try await clock.passPause() == .milliseconds(200))
        }
        try await eventually("a pause") { writer.pushes == 9 && clock.sleeperCount == 1 }
        writer.setFails(false)
        upstream.wake()
        try await clock.passPauses(until: "the change", upTo: .milliseconds(200)) { writer.pushes == 10 }
        try await eventually("the end of waiting") { notes.withLock { $0.last } == false }
        let others = notes.withLock { Array($0.dropLast()) }
        #expect(others.allSatisfy { $0 })
        #expect(log.all.filter { $0.contains("wait until the server accepts them") }.count == 1)
        #expect(log.all.filter { $0.contains("reach the server again") }.count == 1)
        running.cancel()
        await running.value
    }
}
