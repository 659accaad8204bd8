import Synchronization

/// Lets a number of tasks do something at a time; others wait in the order in which they came.
package final class ConcurrencyLimit: Sendable {
    private struct State {
        var free: Int
        var nextNumber: UInt64 = 0
        var waiting: [(number: UInt64, continuation: CheckedContinuation<Void, any Error>)] = []
    }

    private let state: Mutex<State>

    /// Makes a limit with all places free.
    package init(_ limit: Int) { state = Mutex(State(free: max(1, limit))) }

    /// Takes a place as soon as one is free; `release` gives it back.
    /// - Throws: `CancellationError` when the task is cancelled before its turn; no place is taken then.
    package func acquire(isolation: isolated (any Actor)? = #isolation) async throws {
        try Task.checkCancellation()
        if takePlace() { return }
        let number = state.withLock { state in
            state.nextNumber += 1
            return state.nextNumber
        }
        try await withTaskCancellationHandler {
            // A closure is isolated to a parameter only where it names it; elsewhere tasks would overtake each other
            // on their way here.
            _ = isolation
            try await withCheckedThrowingContinuation { continuation in
                let result: Result<Void, any Error>? = state.withLock { state in
                    if Task.isCancelled { return .failure(CancellationError()) }
                    guard state.free > 0 else {
                        state.waiting.append((number, continuation))
                        return nil
                    }
                    state.free -= 1
                    return .success(())
                }
                if let result { continuation.resume(with: result) }
            }
        } onCancel: {
            let waiter = state.withLock { state in
                state.waiting.firstIndex { $0.number == number }.map { state.waiting.remove(at: $0).continuation }
            }
            waiter?.resume(throwing: CancellationError())
        }
    }

    private func takePlace() -> Bool {
        state.withLock { state in
            guard state.free > 0 else { return false }
            state.free -= 1
            return true
        }
    }

    /// Gives a place back, to the task that has waited longest.
    package func release() {
        let next = state.withLock { state -> CheckedContinuation<Void, any Error>? in
            guard !state.waiting.isEmpty else {
                state.free += 1
                return nil
            }
            return state.waiting.removeFirst().continuation
        }
        next?.resume()
    }
}
