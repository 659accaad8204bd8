import Synchronization

/// Events of a broker, in order, for one consumer.
///
/// Messages that come faster than they are taken are discarded; events of the connection never are.
/// - Isolation: any.
final class BrokerEvents: Sendable {
    /// An event of the broker.
    enum Event: Hashable, Sendable {
        /// It has accepted us, also after a break.
        case connected
        /// It refused us, for this reason; the next attempt follows.
        case refused(String)
        /// The connection is gone, for this reason; nil when we ended it.
        case lost(String?)
        /// A message arrived.
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

    /// Adds an event, unless it is a message for which there is no room.
    func add(_ event: Event) {
        if case .message = event, waiting.load(ordering: .relaxed) >= Self.most { return }
        waiting.add(1, ordering: .relaxed)
        continuation.yield(event)
    }

    /// An event was taken from the stream.
    func taken() { waiting.subtract(1, ordering: .relaxed) }

    /// No more will come.
    func finish() { continuation.finish() }
}
