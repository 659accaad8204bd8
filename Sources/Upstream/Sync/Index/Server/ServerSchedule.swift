/// When the server is asked next, and why.
struct ServerSchedule: Sendable {
    /// Failures in a row, which lengthen the pause before the next attempt.
    var failures = 0
    /// When the server is due; nil is never, or not before a client asks.
    var due: ContinuousClock.Instant?
    /// True if something has begun to wait for the server, which may be away.
    var isAskedFor = false
    /// When a library that takes long to walk, and in which nothing had changed, is walked again at the earliest.
    var nextWalk: ContinuousClock.Instant?
}

/// How changes of the server are noticed between two syncs: by its events, or by its scan status.
struct ScanWatch: Sendable {
    /// When the server's scan status is asked for; nil while its events tell.
    var due: ContinuousClock.Instant?
    /// How many hints at changes came, so that a hint during a sync is not lost.
    var hints = 0
    /// Until when a change is expected that a hint announced.
    var expectsChangeUntil: ContinuousClock.Instant?
    /// True if the server's events are heard.
    var hasStream = false
    /// How the streams of events went.
    var streams = EventStreams()
    /// True if the server's events said last that it scans.
    var wasRunning = false
    /// True if the server tells when it scanned.
    var isStatusKnown = true
}
