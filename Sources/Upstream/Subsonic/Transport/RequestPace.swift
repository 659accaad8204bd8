import Synchronization

/// Spaces requests out while a server, or a proxy before it, takes no more of them at once.
///
/// Each refusal doubles the pause between two requests, each answer shortens it, until there is none again.
final class RequestPace: Sendable {
    private struct State {
        var pause = Duration.zero
        var next: ContinuousClock.Instant?
        var lastAnswer: ContinuousClock.Instant?
    }

    private static let firstPause = Duration.milliseconds(50)
    private static let maxPause = Duration.seconds(2)
    /// A server that answered within this time is there, and a refusal is no outage.
    private static let recently = Duration.seconds(10)

    private let state = Mutex(State())

    /// The pause between two requests now.
    var pause: Duration { state.withLock { $0.pause } }

    /// True if the server has answered a moment ago.
    var wasAnswered: Bool {
        state.withLock { $0.lastAnswer.map { .now - $0 < Self.recently } ?? false }
    }

    /// Waits for the turn of a request.
    /// - Throws: `CancellationError`.
    func takeTurn() async throws {
        let turn = state.withLock { state -> ContinuousClock.Instant? in
            guard state.pause > .zero else { return nil }
            let now = ContinuousClock.now
            let turn = max(now, state.next ?? now)
            state.next = turn + state.pause
            return turn
        }
        if let turn { try await Task.sleep(until: turn, clock: .continuous) }
    }

    /// The server refused a request because there are too many.
    func refused() {
        state.withLock { $0.pause = min(max(Self.firstPause, $0.pause * 2), Self.maxPause) }
    }

    func answered() {
        state.withLock { state in
            state.lastAnswer = .now
            guard state.pause > .zero else { return }
            state.pause = state.pause < Self.firstPause / 4 ? .zero : state.pause * 0.9
            if state.pause == .zero { state.next = nil }
        }
    }
}
