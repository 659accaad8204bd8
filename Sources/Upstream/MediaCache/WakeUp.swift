import Synchronization

/// Lets tasks wait until something happens, or for a while, without looking again and again.
///
/// - Isolation: any.
final class WakeUp: Sendable {
    private struct State {
        var waiters: [UInt64: CheckedContinuation<Void, Never>] = [:]
        var last: UInt64 = 0
        /// Something happened while nobody waited.
        var isPending = false
    }

    private let state = Mutex(State())

    /// Wakes everybody who waits, or else whoever waits next.
    func signal() {
        let waiters = state.withLock { state in
            state.isPending = state.waiters.isEmpty
            defer { state.waiters = [:] }
            return state.waiters.values
        }
        for waiter in waiters { waiter.resume() }
    }

    /// Waits for a signal, but no longer than this.
    ///
    /// - Throws: `CancellationError`.
    func wait(atMost time: Duration) async throws {
        let number = state.withLock { state in
            state.last &+= 1
            return state.last
        }
        let timer = Task {
            try await Task.sleep(for: time)
            release(number)
        }
        defer { timer.cancel() }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let mayWait = state.withLock { state in
                    if state.isPending || Task.isCancelled {
                        state.isPending = false
                        return false
                    }
                    state.waiters[number] = continuation
                    return true
                }
                if !mayWait { continuation.resume() }
            }
        } onCancel: {
            release(number)
        }
        try Task.checkCancellation()
    }

    private func release(_ number: UInt64) {
        state.withLock { $0.waiters.removeValue(forKey: number) }?.resume()
    }
}
