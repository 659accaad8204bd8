/// Says when a device that failed is tried again: after pauses that grow while it keeps failing.
///
/// All times are nanoseconds, moments are on the monotonic clock.
struct DeviceRetries {
    private let first: Int64
    private let longest: Int64
    private var pause: Int64
    private var dueAt: Int64 = 0

    /// Nothing has failed.
    init(first: Int64, longest: Int64) {
        (self.first, self.longest) = (first, longest)
        pause = first
    }

    /// Whether it may be tried now.
    func isDue(at now: Int64) -> Bool { now >= dueAt }

    /// It works, or begins anew: it may be tried at once, and the next pause is the shortest.
    mutating func begin() { (pause, dueAt) = (first, 0) }

    /// It failed; each pause is twice as long as the one before, up to the longest.
    mutating func failed(at now: Int64) {
        dueAt = now + pause
        pause = min(pause * 2, longest)
    }
}
