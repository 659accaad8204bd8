import Coordination

/// Messages for one thread, taken in the order in which they were posted.
final class Mailbox<Message: Sendable>: Sendable {
    private struct State {
        var messages: [Message] = []
        var isClosed = false
    }

    private let waiting = Monitor(State())

    /// Adds a message and wakes the reader; false after `close`.
    @discardableResult
    func post(_ message: Message) -> Bool {
        waiting.update { state in
            guard !state.isClosed else { return false }
            state.messages.append(message)
            return true
        }
    }

    /// Takes all messages; waits up to `milliseconds` for the first.
    func take(waitingMilliseconds milliseconds: Int, by clock: any EngineClock = .monotonic) -> [Message] {
        waiting.wait(milliseconds: milliseconds, by: clock) { state in
            guard !state.messages.isEmpty else { return nil }
            defer { state.messages = [] }
            return state.messages
        } ?? []
    }

    /// Takes no more messages; gives those that were not taken.
    func close() -> [Message] {
        waiting.update { state in
            defer { state = State(isClosed: true) }
            return state.messages
        }
    }
}
