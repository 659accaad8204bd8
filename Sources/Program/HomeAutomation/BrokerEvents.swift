import Coordination
import Synchronization

/// Events of a broker, in order, for one consumer. Messages that come faster than they are taken are discarded; events
/// of the connection never are.
final class BrokerEvents: Sendable {
    enum Event: Hashable, Sendable {
        /// It has accepted us, also after a break.
        case connected
        /// It refused us, for this reason; the next attempt follows.
        case refused(String)
        /// The connection is gone, for this reason; nil when we ended it.
        case lost(String?)
        case message(topic: String, text: String)
    }

    /// Events that may wait before messages are discarded.
    private static let most = 256

    /// The events; call `taken` for each. It ends with `finish`.
    let stream: AsyncStream<Event>
    /// Here, as the library's callbacks get no more than this.
    let dialect = Mutex(BrokerDialect())
    private let continuation: AsyncStream<Event>.Continuation
    private let waiting = Atomic(0)

    init() { (stream, continuation) = AsyncStream.makeStream(of: Event.self) }

    func add(_ event: Event) {
        if case .message = event, waiting.load(ordering: .relaxed) >= Self.most { return }
        waiting.add(1, ordering: .relaxed)
        continuation.yield(event)
    }

    /// An event was taken from the stream.
    func taken() { waiting.subtract(1, ordering: .relaxed) }
    func finish() { continuation.finish() }
}

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
    private(set) var isLetIn = false

    /// The broker has answered with a reason, 0 for accepting us; false if the other version is to be tried.
    mutating func answered(_ code: Int32) -> Bool {
        isLetIn = code == 0
        isRefused = isNew && Self.refusals.contains(code)
        return !isRefused
    }

    /// The connection is over; true if the other version is to be tried at once. One that brought nothing is followed
    /// by that in any case, since some brokers refuse a version by hanging up.
    mutating func ended() -> Bool {
        defer { (isRefused, isLetIn) = (false, false) }
        if !isLetIn { isNew.toggle() }
        return isRefused
    }
}
