import Coordination

/// The pauses before a broker is tried again. A pure value.
struct BrokerPauses {
    /// A connection that lasted so long was one. A broker that lets us in and throws us out at once is in trouble, or
    /// lets another one in under the same name.
    private static let lasting = Duration.seconds(60)
    private static let pauses = Backoff(.seconds(1) ... .seconds(120))

    private var failures = 0

    init() {}

    /// The pause after an attempt that took so long, with the connection that it may have brought.
    mutating func next(after duration: Duration) -> Duration {
        failures = duration >= Self.lasting ? 1 : failures + 1
        return Self.pauses.pause(after: failures)
    }
}

/// Decides which events of a connection get a line in the log, which one that comes and goes would fill.
/// A pure value.
struct BrokerNotices {
    /// Time between two lines about troubles at the least.
    private static let interval = Duration.seconds(60)

    /// True if the log's last line says that the broker is there; nil before the first line.
    private var saysConnected: Bool?
    private var lastTrouble: ContinuousClock.Instant?

    init() {}

    /// Decides if the log is told that the broker is away or refuses us; if not now, a later attempt tells it.
    mutating func isWorthSaying(troubleAt now: ContinuousClock.Instant) -> Bool {
        guard saysConnected != false else { return false }
        if let lastTrouble, now - lastTrouble < Self.interval { return false }
        (saysConnected, lastTrouble) = (false, now)
        return true
    }

    /// Decides if the log is told that it is there.
    mutating func isConnectionWorthSaying() -> Bool {
        defer { saysConnected = true }
        return saysConnected != true
    }
}

/// The version of MQTT that is spoken with a broker: 5, in which it is told how long packets may be, or 3.1.1 where it
/// knows no other. A pure value.
struct BrokerDialect: Hashable, Sendable {
    /// How version 5 says so, and how brokers do that know the older one alone.
    private static let refusals: Set<Int32> = [132, 1]

    /// True if the next attempt, or the one under way, is by version 5.
    private(set) var isNew = true
    /// True if the broker has refused version 5 in this attempt.
    private(set) var isRefused = false
    /// True if the broker has accepted the current connection.
    private(set) var isLetIn = false

    /// The broker has answered with a reason, 0 for accepting us.
    ///
    /// - Returns: false if the other version is to be tried.
    mutating func answered(_ code: Int32) -> Bool {
        isLetIn = code == 0
        isRefused = isNew && Self.refusals.contains(code)
        return !isRefused
    }

    /// The connection is over. One that brought nothing is followed by the other version, since some brokers refuse one
    /// by hanging up.
    ///
    /// - Returns: whether to try that at once.
    mutating func ended() -> Bool {
        defer { (isRefused, isLetIn) = (false, false) }
        if !isLetIn { isNew.toggle() }
        return isRefused
    }
}
