import Synchronization

/// Notices that a server is back, by whichever call gets the first answer, and tells everybody who waits for it.
///
/// - Isolation: any.
final class Reachability: Sendable {
    private struct State {
        var isAway = false
        var listeners: [@Sendable () -> Void] = []
        var lastNews: ContinuousClock.Instant?
    }

    /// A server that answers every other call would otherwise have everything tried again all the time.
    private static let shortestInterval = Duration.seconds(1)

    private let state = Mutex(State())

    /// Has a function called whenever the server answers again after it did not.
    func whenBack(_ listener: @escaping @Sendable () -> Void) { state.withLock { $0.listeners.append(listener) } }

    /// A call was answered.
    func answered() {
        let listeners = state.withLock { state -> [@Sendable () -> Void] in
            guard state.isAway else { return [] }
            let now = ContinuousClock.now
            if let last = state.lastNews, now - last < Self.shortestInterval { return [] }
            (state.isAway, state.lastNews) = (false, now)
            return state.listeners
        }
        for listener in listeners { listener() }
    }

    /// A call failed; only what would fail for every call says that the server is away.
    func failed(_ error: any Error) {
        guard let error = error as? SubsonicError else { return }
        switch error.code {
        case .unreachable, .timedOut, .server(status: 502...504), .insecure: state.withLock { $0.isAway = true }
        default: break
        }
    }
}
