import CMosquitto
import Coordination
import Foundation
import Synchronization

/// A connection to an MQTT broker, which comes back by itself as often as it breaks.
///
/// `@unchecked Sendable`: the library's functions may be called on any thread; the pointer is freed with the last
/// reference, after the library's own thread has ended.
final class BrokerConnection: @unchecked Sendable {
    /// A broken library or a machine without memory.
    struct Failure: Error { let message: String }

    /// Longer messages are no wish for music.
    private static let longestMessage = 4096
    /// Longer topics are none of ours: the longest that the configuration takes has 200 bytes.
    private static let longestTopic = 256

    private let client: OpaquePointer
    private let settings: BrokerSettings
    /// News of the broker, in order; they end with `end`. The library's callbacks hold them; freed after its thread.
    let events = BrokerEvents()
    private let isEnding = Atomic(false)
    private let ending = DispatchSemaphore(value: 0)

    private static let isReady: Bool = mosquitto_lib_init() == Int32(MOSQ_ERR_SUCCESS.rawValue)

    /// Makes a client that is not connected yet.
    init(_ settings: BrokerSettings, id: String) throws(Failure) {
        self.settings = settings
        guard Self.isReady, let made = mosquitto_new(id, true, Unmanaged.passUnretained(events).toOpaque()) else {
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
        mosquitto_connect_callback_set(client) { _, data, code in
            let reason = code == 0 ? nil : String(cString: mosquitto_connack_string(code))
            BrokerConnection.tell(data, reason.map { .refused($0) } ?? .connected)
        }
        mosquitto_disconnect_callback_set(client) { _, data, code in
            BrokerConnection.tell(data, .lost(code == 0 ? nil : String(cString: mosquitto_strerror(code))))
        }
        mosquitto_message_callback_set(client) { _, data, message in
            guard let message = message?.pointee, let topic = message.topic,
                strnlen(topic, BrokerConnection.longestTopic + 1) <= BrokerConnection.longestTopic,
                (0...Int32(BrokerConnection.longestMessage)).contains(message.payloadlen)
            else { return }
            let bytes = UnsafeRawBufferPointer(start: message.payload, count: Int(message.payloadlen))
            let text = String(decoding: bytes, as: UTF8.self)
            BrokerConnection.tell(data, .message(topic: String(cString: topic), text: text))
        }
    }

    private static func tell(_ data: UnsafeMutableRawPointer?, _ event: BrokerEvents.Event) {
        guard let data else { return }
        Unmanaged<BrokerEvents>.fromOpaque(data).takeUnretainedValue().add(event)
    }

    /// Begins to connect, on a thread of its own; says whether there is one.
    func begin() -> Bool {
        mosquitto_threaded_set(client, true)
        return BlockingThread.start("mqtt") { [self] in
            // The library's own loop waits no longer after a broker that lets us in and throws us out at once.
            var pauses = BrokerPauses()
            while !isEnding.load(ordering: .relaxed) {
                let start = ContinuousClock.now
                serve()
                let pause = pauses.next(after: .now - start)
                _ = ending.wait(timeout: .now() + .seconds(Int(pause.components.seconds)))
            }
        }
    }

    /// Connects, and works until the connection breaks.
    private func serve() {
        let code = mosquitto_connect(client, settings.host, Int32(clamping: settings.port), Self.keepAlive)
        guard code == Int32(MOSQ_ERR_SUCCESS.rawValue) else { return events.add(.lost(Self.reason(code))) }
        // The end that came meanwhile found no connection to say goodbye to.
        if isEnding.load(ordering: .relaxed) { mosquitto_disconnect(client) }
        // Until the next ping at the latest; what other threads send wakes it.
        while mosquitto_loop(client, Self.keepAlive * 1000, 1) == Int32(MOSQ_ERR_SUCCESS.rawValue) {}
    }

    /// The seconds after which a silent connection is tried.
    private static let keepAlive: Int32 = 60

    /// Says goodbye; the thread ends on its own time, which may be after the process wants to go.
    func end() {
        isEnding.store(true, ordering: .relaxed)
        events.finish()
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
