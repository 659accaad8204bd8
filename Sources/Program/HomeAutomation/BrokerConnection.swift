import CMosquitto
import Coordination
import Foundation
import Synchronization

/// A connection to an MQTT broker, which comes back by itself as often as it breaks.
///
/// `@unchecked Sendable`: the library's functions may be called on any thread; the pointer is freed with the last
/// reference, after the library's own thread has ended.
final class BrokerConnection: @unchecked Sendable {
    /// News of the broker.
    enum Event: Sendable {
        /// It has let us in, also anew after a break.
        case connected
        /// It refused us, for this reason; the next attempt follows.
        case refused(String)
        /// The connection is gone, for this reason; nil when we ended it.
        case lost(String?)
        /// A message arrived.
        case message(topic: String, text: String)
    }

    /// A broken library or a machine without memory.
    struct Failure: Error { let message: String }

    /// Longer messages are no wish for music.
    private static let longestMessage = 4096

    private let client: OpaquePointer
    private let settings: BrokerSettings
    /// News of the broker, in order; ends with `end`.
    let events: AsyncStream<Event>
    private let box: EventBox
    private let isEnding = Atomic(false)
    private let ending = DispatchSemaphore(value: 0)

    /// The box that the library's callbacks hold; freed after its thread.
    private final class EventBox: Sendable {
        let continuation: AsyncStream<Event>.Continuation
        init(_ continuation: AsyncStream<Event>.Continuation) { self.continuation = continuation }
    }

    private static let isReady: Bool = mosquitto_lib_init() == Int32(MOSQ_ERR_SUCCESS.rawValue)

    /// Makes a client that is not connected yet.
    init(_ settings: BrokerSettings, id: String) throws(Failure) {
        self.settings = settings
        let (stream, continuation) = AsyncStream.makeStream(of: Event.self, bufferingPolicy: .bufferingNewest(256))
        events = stream
        box = EventBox(continuation)
        guard Self.isReady, let made = mosquitto_new(id, true, Unmanaged.passUnretained(box).toOpaque()) else {
            throw Failure(message: "the MQTT library doesn't work: \(String(cString: strerror(errno)))")
        }
        client = made
        try setUp()
    }

    deinit {
        mosquitto_destroy(client)
    }

    private func setUp() throws(Failure) {
        let offline = Array("offline".utf8)
        try check(mosquitto_will_set(client, settings.availability, Int32(offline.count), offline, 1, true))
        if let username = settings.username {
            try check(mosquitto_username_pw_set(client, username, settings.password))
        }
        if settings.isEncrypted {
            let folder = settings.certificates == nil ? "/etc/ssl/certs" : nil
            try check(mosquitto_tls_set(client, settings.certificates, folder, nil, nil, nil))
        }
        // After a second, then two, and so on up to two minutes.
        try check(mosquitto_reconnect_delay_set(client, 1, 120, true))
        mosquitto_connect_callback_set(client) { _, data, code in
            let reason = code == 0 ? nil : String(cString: mosquitto_connack_string(code))
            BrokerConnection.tell(data, reason.map { .refused($0) } ?? .connected)
        }
        mosquitto_disconnect_callback_set(client) { _, data, code in
            BrokerConnection.tell(data, .lost(code == 0 ? nil : String(cString: mosquitto_strerror(code))))
        }
        mosquitto_message_callback_set(client) { _, data, message in
            guard let message = message?.pointee, let topic = message.topic,
                (0...Int32(BrokerConnection.longestMessage)).contains(message.payloadlen)
            else { return }
            let bytes = UnsafeRawBufferPointer(start: message.payload, count: Int(message.payloadlen))
            let text = String(decoding: bytes, as: UTF8.self)
            BrokerConnection.tell(data, .message(topic: String(cString: topic), text: text))
        }
    }

    private static func tell(_ data: UnsafeMutableRawPointer?, _ event: Event) {
        guard let data else { return }
        Unmanaged<EventBox>.fromOpaque(data).takeUnretainedValue().continuation.yield(event)
    }

    /// Begins to connect, on a thread of its own; says whether there is one.
    func begin() -> Bool {
        mosquitto_threaded_set(client, true)
        return BlockingThread.start("mqtt") { [self] in
            // The library comes back to a broker that it has met once, but does not wait for the first time.
            var pause = DispatchTimeInterval.seconds(1)
            while !isEnding.load(ordering: .relaxed) {
                let code = mosquitto_connect(client, settings.host, Int32(clamping: settings.port), 60)
                if code == Int32(MOSQ_ERR_SUCCESS.rawValue) {
                    mosquitto_loop_forever(client, -1, 1)
                    pause = .seconds(1)
                } else {
                    box.continuation.yield(.lost(Self.reason(code)))
                }
                _ = ending.wait(timeout: .now() + pause)
                if case .seconds(let seconds) = pause { pause = .seconds(min(2 * seconds, 120)) }
            }
        }
    }

    /// Says goodbye; the thread ends on its own time, which may be after the process wants to go.
    func end() {
        isEnding.store(true, ordering: .relaxed)
        box.continuation.finish()
        publish("offline", to: settings.availability)
        mosquitto_disconnect(client)
        ending.signal()
    }

    /// Sends a text that the broker keeps for those who come later; lost while there is no connection.
    func publish(_ text: String, to topic: String, isKept: Bool = true) {
        let bytes = Array(text.utf8)
        mosquitto_publish(client, nil, topic, Int32(clamping: bytes.count), bytes, 1, isKept)
    }

    /// Asks for all messages of the topics that match.
    func subscribe(_ pattern: String) { mosquitto_subscribe(client, nil, pattern, 1) }

    private func check(_ code: Int32) throws(Failure) {
        if code != Int32(MOSQ_ERR_SUCCESS.rawValue) { throw Failure(message: Self.reason(code)) }
    }

    private static func reason(_ code: Int32) -> String {
        let isSystem = code == Int32(MOSQ_ERR_ERRNO.rawValue)
        return isSystem ? String(cString: strerror(errno)) : String(cString: mosquitto_strerror(code))
    }
}
