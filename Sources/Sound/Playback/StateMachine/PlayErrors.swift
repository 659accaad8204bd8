struct PlayErrors: Hashable, Sendable {
    private(set) var failures = 0
    private(set) var error: String?
    /// True if `error` is about a stream that is tried again.
    private(set) var isInterrupted = false

    /// Shows an error that is no failure of a song; true if it is another one.
    @discardableResult
    mutating func note(_ message: String) -> Bool {
        defer { error = message }
        return message != error
    }

    mutating func failed(_ message: String) {
        (error, isInterrupted) = (message, false)
        failures += 1
    }

    mutating func succeeded() { failures = 0 }

    mutating func interrupted(_ message: String) -> Bool {
        isInterrupted = true
        return note(message)
    }

    /// A stream sounds again, or another song plays: the interruption is no error any more; true if there was one.
    @discardableResult
    mutating func endInterruption() -> Bool {
        guard isInterrupted else { return false }
        (isInterrupted, error) = (false, nil)
        return true
    }

    mutating func forget() -> Bool {
        failures = 0
        return clear()
    }

    mutating func clear() -> Bool {
        defer { error = nil }
        return error != nil
    }
}
