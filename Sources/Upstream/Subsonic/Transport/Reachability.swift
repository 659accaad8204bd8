import Synchronization

/// Notices that a server is back, by whichever call gets the first answer, and tells everything that waits for it.
///
/// It also knows what waits, so that the return is searched for while something does, and no longer.
package final class Reachability: Sendable {
    private struct State {
        var isAway = false
        var listeners: [@Sendable () -> Void] = []
        var lastReturn: ContinuousClock.Instant?
        /// The tasks that wait for the server, by names of their own.
        var waiting: Set<String> = []
        var awaitListeners: [@Sendable () -> Void] = []
        var doubtListeners: [@Sendable () -> Void] = []
    }

    /// A server that answers every other call would otherwise have everything tried again all the time.
    private static let minInterval = Duration.seconds(1)

    private let state = Mutex(State())

    /// Has a function called whenever the server answers again after it did not.
    package func whenBack(_ listener: @escaping @Sendable () -> Void) {
        state.withLock { $0.listeners.append(listener) }
    }

    /// Has a function called whenever something begins to wait for the server while nothing else does.
    package func whenAwaited(_ listener: @escaping @Sendable () -> Void) {
        state.withLock { $0.awaitListeners.append(listener) }
    }

    /// Has a function called whenever it becomes doubtful whether the server answers: a call failed as all others
    /// would, or waits for its answer longer than most.
    package func whenDoubted(_ listener: @escaping @Sendable () -> Void) {
        state.withLock { $0.doubtListeners.append(listener) }
    }

    func doubt() { for listener in state.withLock({ $0.doubtListeners }) { listener() } }
    /// True if the server was away when it was called last.
    package var isAway: Bool { state.withLock { $0.isAway } }
    /// True if something waits for the server.
    package var isAwaited: Bool { state.withLock { !$0.waiting.isEmpty } }

    /// Takes note of something that waits, by a name of its own, or no longer does.
    package func note(_ name: String, waits: Bool) {
        let awaitListeners = state.withLock { state -> [@Sendable () -> Void] in
            guard waits else {
                state.waiting.remove(name)
                return []
            }
            let isFirst = state.waiting.isEmpty
            state.waiting.insert(name)
            return isFirst ? state.awaitListeners : []
        }
        for listener in awaitListeners { listener() }
    }

    func answered() {
        let listeners = state.withLock { state -> [@Sendable () -> Void] in
            guard state.isAway else { return [] }
            let now = ContinuousClock.now
            if let last = state.lastReturn, now - last < Self.minInterval { return [] }
            (state.isAway, state.lastReturn) = (false, now)
            return state.listeners
        }
        for listener in listeners { listener() }
    }

    /// A call failed; only what would fail for every call says that the server is away.
    /// - Parameter isPing: whether it is the one call that every server answers that works.
    func failed(_ error: any Error, isPing: Bool) {
        guard let error = error as? SubsonicError else { return }
        switch error.code {
        case .unreachable, .timedOut, .server(status: 502...504), .insecure: break
        case .server, .badAnswer: if !isPing { return }
        default: return
        }
        state.withLock { $0.isAway = true }
        if !isPing { doubt() }
    }
}
