import Subsonic

struct ServerSchedule: Sendable {
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
    var hasStream = false
    var streams = EventStreams()
    /// True if the server's events said last that it scans.
    var wasRunning = false
    /// True if the server tells when it scanned.
    var isStatusKnown = true
}

/// How the server's event streams went: whether the present one counts, and how soon the next is tried. A pure value.
///
/// With each stream that counts, all that came before it is checked. With streams that end at once, that would be a
/// round of everything every few seconds.
struct EventStreams: Sendable {
    /// A stream that lasted this long works, even if it had nothing to tell.
    private static let proof = Duration.seconds(60)
    /// The number of streams in a row that may end at once before the next has to bring an event to count: a server
    /// that starts closes one.
    private static let maxShort = 2

    /// Attempts in a row that brought no stream that works.
    private(set) var failures = 0
    private var shortOnes = 0
    private var opened: ContinuousClock.Instant?
    private var hasBroughtEvent = false
    private var isCounted = false

    /// Takes note of an event; says whether the present stream counts as heard from now on.
    mutating func brought(_ event: NavidromeEvent, at now: ContinuousClock.Instant) -> Bool {
        if event == .opened {
            (opened, hasBroughtEvent, isCounted) = (now, false, false)
        } else {
            hasBroughtEvent = true
        }
        guard !isCounted, hasBroughtEvent || shortOnes < Self.maxShort else { return false }
        isCounted = true
        return true
    }

    /// Takes note of the end of a stream, or of an attempt that opened none.
    mutating func ended(at now: ContinuousClock.Instant) {
        if let opened {
            let hasWorked = hasBroughtEvent || now - opened >= Self.proof
            (failures, shortOnes) = hasWorked ? (0, 0) : (failures, shortOnes + 1)
        }
        opened = nil
        failures += 1
    }
}
