import Synchronization

/// Gives `work` a limited time.
///
/// Work that takes longer is cancelled and left to end by itself: one that ignores its cancellation delays no one.
/// - Parameters:
///   - limit: how long the caller waits at most.
///   - clock: tells when that is over.
///   - work: runs as a task of its own; it is also cancelled with the caller.
/// - Returns: what the work gives; nil when the time is over first.
package func withTimeLimit<Value: Sendable>(
    _ limit: Duration, clock: any ServiceClock = ContinuousClock(), _ work: @escaping @Sendable () async -> Value
) async -> Value? {
    let race = Race<Value>()
    let working = Task { race.end(with: await work()) }
    let timer = Task {
        do {
            try await clock.sleep(for: limit)
            race.end(with: nil)
        } catch {
            // The work was done in time.
        }
    }
    return await withTaskCancellationHandler {
        defer {
            timer.cancel()
            working.cancel()
        }
        return await withCheckedContinuation { race.begin($0) }
    } onCancel: {
        working.cancel()
    }
}

/// The first of two results, for one continuation.
private final class Race<Value: Sendable>: Sendable {
    private enum State {
        case running
        case waiting(CheckedContinuation<Value?, Never>)
        case over(Value?)
        case taken
    }

    private let state = Mutex(State.running)

    func begin(_ continuation: CheckedContinuation<Value?, Never>) {
        let result: Value?? = state.withLock { state in
            guard case .over(let value) = state else {
                state = .waiting(continuation)
                return .none
            }
            state = .taken
            return .some(value)
        }
        if let result { continuation.resume(returning: result) }
    }

    func end(with value: Value?) {
        let waiting = state.withLock { state -> CheckedContinuation<Value?, Never>? in
            switch state {
            case .running: state = .over(value)
            case .waiting(let continuation):
                state = .taken
                return continuation
            case .over, .taken: break
            }
            return nil
        }
        waiting?.resume(returning: value)
    }
}
