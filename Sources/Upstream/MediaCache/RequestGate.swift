package import Coordination
import Logging
import Subsonic
import Synchronization

/// Lets few requests for pictures and words through at a time, as servers answer a crowd with HTTP 429, and none while
/// the server doesn't answer: a client that looks through its library must not wait for each picture then.
package final class RequestGate: Sendable {
    private let limit: ConcurrencyLimit
    private let pauses: Backoff
    let clock: any ServiceClock
    private let state: Mutex<(failures: Int, closedUntil: ContinuousClock.Instant?)> = Mutex((0, nil))

    /// Makes an open gate for a number of requests at a time. Nothing is asked for the first pause after a failure,
    /// twice as long after each further one. By its clock all that goes through it waits.
    package init(
        limit: Int = 2, firstPause: Duration = .seconds(10), maxPause: Duration = .seconds(160),
        clock: any ServiceClock = ContinuousClock()
    ) {
        self.clock = clock
        self.limit = ConcurrencyLimit(limit)
        pauses = Backoff(firstPause...maxPause)
    }

    /// Lets everything through again: the server has answered another request.
    package func serverIsBack() { state.withLock { $0 = (0, nil) } }
    var isClosed: Bool { state.withLock { $0.closedUntil.map { clock.now < $0 } ?? false } }
    /// True if the last answer was a failure, so that no task should wait long for the next.
    var isDoubtful: Bool { state.withLock { $0.failures > 0 } }
    /// Another request could not reach the server: no task should wait long for it.
    package func serverIsAway() { noteSlowness() }
    /// A task has waited long enough for an answer that did not come.
    func noteSlowness() { state.withLock { $0.failures = max($0.failures, 1) } }

    @concurrent
    func withTurn<Answer: Sendable>(_ body: @Sendable () async throws -> Answer) async throws -> Answer {
        try await limit.acquire()
        defer { limit.release() }
        do {
            let answer = try await body()
            serverIsBack()
            return answer
        } catch let error as SubsonicError {
            if error.isTransient { noteFailure(error) }
            throw error
        }
    }

    private func noteFailure(_ error: SubsonicError) {
        state.withLock { state in
            state.failures += 1
            state.closedUntil = clock.now + max(pauses.pause(after: state.failures), error.retryAfter ?? .zero)
        }
    }
}

/// Fetches things by name: each once at a time however many ask for it, with a limit to the wait. A fetch that takes
/// too long continues in the background, for the next that asks.
final class PatientFetcher<Value: Sendable>: Sendable {
    static var patience: (usual: Duration, doubtful: Duration) { (.seconds(5), .milliseconds(250)) }

    private let gate: RequestGate
    private let patience: (usual: Duration, doubtful: Duration)
    private let running = Mutex<[String: Task<Value, any Error>]>([:])

    init(gate: RequestGate, patience: (usual: Duration, doubtful: Duration) = PatientFetcher.patience) {
        (self.gate, self.patience) = (gate, patience)
    }

    /// Starts fetching unless that is under way; nil while the gate is closed.
    func start(_ name: String, _ fetch: @escaping @Sendable () async throws -> Value) -> Task<Value, any Error>? {
        running.withLock { running in
            if let task = running[name] { return task }
            if gate.isClosed { return nil }
            let task = Task {
                defer { self.running.withLock { $0[name] = nil } }
                return try await self.gate.withTurn(fetch)
            }
            running[name] = task
            return task
        }
    }

    /// Fetches; nil when it does not come in time, or isn't asked for now.
    /// - Parameter longest: waits no longer than this, in any case.
    @concurrent
    func value(
        _ name: String, atMost longest: Duration? = nil, _ fetch: @escaping @Sendable () async throws -> Value
    ) async throws -> Value? {
        let usual = gate.isDoubtful ? patience.doubtful : patience.usual
        guard let task = start(name, fetch) else { return nil }
        guard let result = await withTimeLimit(min(usual, longest ?? usual), clock: gate.clock, { await task.result })
        else {
            // Those in a hurry prove nothing.
            if longest == nil { gate.noteSlowness() }
            return nil
        }
        return try result.get()
    }
}
