import Coordination
import Synchronization

/// A clock that stands still until a test moves it, so that pauses of minutes are over at once.
/// - Isolation: any.
package final class VirtualClock: ServiceClock {
    private struct Sleeper {
        let end: ContinuousClock.Instant
        let continuation: CheckedContinuation<Void, any Error>
    }

    private struct State {
        var now = ContinuousClock.now
        var count = 0
        var sleepers: [Int: Sleeper] = [:]
        /// Those that were cancelled before they slept.
        var cancelled: Set<Int> = []

        /// Takes out those whose time has come, the earliest first.
        mutating func takeDue() -> [Sleeper] {
            let due = sleepers.filter { $0.value.end <= now }.sorted { ($0.value.end, $0.key) < ($1.value.end, $1.key) }
            for number in due.map(\.key) { sleepers[number] = nil }
            return due.map(\.value)
        }
    }

    private let state = Mutex(State())

    /// Makes a clock that shows some moment.
    package init() {}

    package var now: ContinuousClock.Instant { state.withLock { $0.now } }
    package var minimumResolution: Duration { .nanoseconds(1) }

    /// How many tasks sleep by it at the moment.
    package var sleeperCount: Int { state.withLock { $0.sleepers.count } }

    package func sleep(until deadline: ContinuousClock.Instant, tolerance: Duration? = nil) async throws {
        let number = state.withLock { state in
            state.count += 1
            return state.count
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { begin($0, number, until: deadline) }
        } onCancel: {
            cancel(number)
        }
    }

    private func begin(
        _ continuation: CheckedContinuation<Void, any Error>, _ number: Int, until end: ContinuousClock.Instant
    ) {
        let result: Result<Void, any Error>? = state.withLock { state in
            if state.cancelled.remove(number) != nil { return .failure(CancellationError()) }
            if end <= state.now { return .success(()) }
            state.sleepers[number] = Sleeper(end: end, continuation: continuation)
            return nil
        }
        if let result { continuation.resume(with: result) }
    }

    private func cancel(_ number: Int) {
        let sleeper = state.withLock { state in
            let sleeper = state.sleepers.removeValue(forKey: number)
            if sleeper == nil { state.cancelled.insert(number) }
            return sleeper
        }
        sleeper?.continuation.resume(throwing: CancellationError())
    }

    /// Lets a time pass, and wakes those that have slept long enough.
    package func pass(_ time: Duration) {
        let due = state.withLock { state in
            state.now += time
            return state.takeDue()
        }
        for sleeper in due { sleeper.continuation.resume() }
    }

    /// Lets the time pass until the next pause is over, once a task sleeps.
    ///
    /// - Parameter limit: longer ones, such as time-outs, are left alone.
    /// - Returns: how much time that was.
    /// - Throws: `DidNotHappen` when no task sleeps.
    @discardableResult
    package func passPause(upTo limit: Duration? = nil) async throws -> Duration {
        var passed: Duration?
        try await eventually("a pause") {
            passed = passPauseNow(limit)
            return passed != nil
        }
        return passed ?? .zero
    }

    /// Lets one pause after the other pass until a condition holds.
    ///
    /// - Parameter limit: longer ones, such as time-outs, are left alone.
    /// - Throws: what the condition throws, or `DidNotHappen`.
    package func passPauses(
        until what: String, upTo limit: Duration? = nil, _ condition: () async throws -> Bool
    ) async throws {
        try await eventually(what) {
            if try await condition() { return true }
            _ = passPauseNow(limit)
            return false
        }
    }

    /// Ends the next pause; nil when no task sleeps, or longer than the limit.
    private func passPauseNow(_ limit: Duration?) -> Duration? {
        let (passed, due) = state.withLock { state -> (Duration?, [Sleeper]) in
            guard let next = state.sleepers.values.map(\.end).min(),
                limit.map({ next - state.now <= $0 }) ?? true
            else { return (nil, []) }
            let passed = next - state.now
            state.now = next
            return (passed, state.takeDue())
        }
        for sleeper in due { sleeper.continuation.resume() }
        return passed
    }
}
