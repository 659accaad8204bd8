import Coordination

/// Says when a device that failed is tried again: after pauses that grow while it keeps failing.
///
/// Moments are on the engine's clock.
struct DeviceRetries {
    private let first: Nanoseconds
    private let longest: Nanoseconds
    private var pause: Nanoseconds
    private var dueAt: Nanoseconds = .zero

    /// Nothing has failed.
    init(first: Nanoseconds, longest: Nanoseconds) {
        (self.first, self.longest) = (first, longest)
        pause = first
    }

    /// True if it may be tried now.
    func isDue(at now: Nanoseconds) -> Bool { now >= dueAt }

    /// It works, or starts over: it may be tried at once, and the next pause is the shortest.
    mutating func begin() { (pause, dueAt) = (first, .zero) }

    /// It failed; each pause is twice as long as the one before, up to the longest.
    mutating func failed(at now: Nanoseconds) {
        dueAt = now + pause
        pause = min(pause * 2, longest)
    }
}
