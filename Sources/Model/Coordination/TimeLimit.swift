import Synchronization

/// Gives `work`, a task of its own, a limited time; then, or with the caller, it is cancelled and no longer waited for.
/// - Returns: the result of the work; nil when the time is over first.
/// - Throws: what the work throws in time.
package func withTimeLimit<Value: Sendable, Failure: Error>(
    _ limit: Duration, clock: any ServiceClock = ContinuousClock(),
    _ work: @escaping @Sendable () async throws(Failure) -> Value
) async throws(Failure) -> Value? {
    let first = FirstResult<Result<Value, Failure>?>()
    let working = Task {
        do throws(Failure) { first.end(with: .success(try await work())) } catch { first.end(with: .failure(error)) }
    }
    let timer = Task {
        // Fails when the work was done in time.
        if (try? await clock.sleep(for: limit)) != nil { first.end(with: nil) }
    }
    let result = await withTaskCancellationHandler {
        defer {
            timer.cancel()
            working.cancel()
        }
        return await withCheckedContinuation { _ = first.begin($0) }
    } onCancel: {
        working.cancel()
    }
    return try result?.get()
}

/// The first of several results, for the one continuation that waits for it.
package final class FirstResult<Value: Sendable>: Sendable {
    private struct State {
        var isOver = false
        var result: Value?
        var waiting: CheckedContinuation<Value, Never>?
    }

    private let state = Mutex(State())

    /// Makes one without a result.
    package init() {}

    /// True if there is a result, so that later ones don't count.
    package var isOver: Bool { state.withLock(\.isOver) }

    /// Resumes a continuation with the result; true if there is none yet, so that it waits.
    package func begin(_ continuation: CheckedContinuation<Value, Never>) -> Bool {
        let result = state.withLock { state in
            if !state.isOver { state.waiting = continuation }
            return state.result
        }
        if let result { continuation.resume(returning: result) }
        return result == nil
    }

    /// Sets the result, unless there is one.
    package func end(with value: Value) {
        let waiting = state.withLock { state -> CheckedContinuation<Value, Never>? in
            if state.isOver { return nil }
            state.isOver = true
            if state.waiting == nil { state.result = value }
            return state.waiting.take()
        }
        waiting?.resume(returning: value)
    }
}
