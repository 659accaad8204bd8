import CMosquitto
import Coordination
import Foundation
import MusicModel
import Synchronization

/// A connection to an MQTT broker, which is renewed whenever it breaks.
///
/// `@unchecked Sendable`: the library's functions may be called on any thread; the pointer is freed with the last
/// reference, after the library's own thread has ended.
final class BrokerConnection: @unchecked Sendable {
    /// A broken library or a machine without memory.
    struct Failure: Error { let message: String }

    /// Longer messages are no wish for music.
    private static let maxMessageLength = 4096
    /// Longer topics aren't ours: the configuration allows 200 bytes at most.
    private static let maxTopicLength = 256
    /// The broker is told to send no longer packet: both, with what stands around them.
    private static let maxPacket: UInt32 = 8192

    private let client: OpaquePointer
    private let settings: BrokerSettings
    /// Events of the broker, in order; they end with `end`. The library's callbacks hold them; freed after its thread.
    let events = BrokerEvents()
    private let isEnding = Atomic(false)
    private let ending = DispatchSemaphore(value: 0)

    private static let isReady: Bool = mosquitto_lib_init() == Int32(MOSQ_ERR_SUCCESS.rawValue)

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
            try check(mosquitto_username_pw_set(client, username, settings.password?.reveal()))
        }
        if settings.isEncrypted {
            let folder = settings.certificates == nil ? "/etc/ssl/certs" : nil
            try check(mosquitto_tls_set(client, settings.certificates, folder, nil, nil, nil))
        }
        mosquitto_connect_callback_set(client) { _, data, code in
            guard BrokerConnection.events(data)?.dialect.withLock({ $0.answered(code) }) != false else { return }
            BrokerConnection.tell(data, code == 0 ? .connected : .refused(BrokerConnection.refusal(code)))
        }
        mosquitto_disconnect_callback_set(client) { _, data, code in
            guard BrokerConnection.events(data)?.dialect.withLock(\.isRefused) != true else { return }
            BrokerConnection.tell(data, .lost(code == 0 ? nil : BrokerConnection.reason(code)))
        }
        mosquitto_message_callback_set(client) { _, data, message in
            guard let message = message?.pointee, let topic = message.topic,
                strnlen(topic, BrokerConnection.maxTopicLength + 1) <= BrokerConnection.maxTopicLength,
                (0...Int32(BrokerConnection.maxMessageLength)).contains(message.payloadlen)
            else { return }
            let bytes = UnsafeRawBufferPointer(start: message.payload, count: Int(message.payloadlen))
            let text = String(decoding: bytes, as: UTF8.self)
            BrokerConnection.tell(data, .message(topic: String(cString: topic), text: text))
        }
    }

    private static func events(_ data: UnsafeMutableRawPointer?) -> BrokerEvents? {
        data.map { Unmanaged<BrokerEvents>.fromOpaque($0).takeUnretainedValue() }
    }

    private static func tell(_ data: UnsafeMutableRawPointer?, _ event: BrokerEvents.Event) { events(data)?.add(event) }

    /// Begins to connect, on a thread of its own; says whether there is one.
    func begin() -> Bool {
        mosquitto_threaded_set(client, true)
        return BlockingThread.start("mqtt") { [self] in
            // The library's own loop waits no longer after a broker that lets us in and throws us out at once.
            var pauses = BrokerPauses()
            while !isEnding.load(ordering: .relaxed) {
                let start = ContinuousClock.now
                if serve() { continue }
                let pause = pauses.next(after: .now - start)
                _ = ending.wait(timeout: .now() + .seconds(Int(pause.components.seconds)))
            }
        }
    }

    /// Connects, and works until the connection breaks; true if it is to be tried at once by the version of MQTT that
    /// the broker speaks.
    private func serve() -> Bool {
        let code = connect()
        guard code == Int32(MOSQ_ERR_SUCCESS.rawValue) else {
            events.add(.lost(Self.reason(code)))
            return false
        }
        // The end that came meanwhile found no connection to say goodbye to.
        if isEnding.load(ordering: .relaxed) { mosquitto_disconnect(client) }
        // Until the next ping at the latest; what other threads send wakes it.
        while mosquitto_loop(client, Self.keepAlive * 1000, 1) == Int32(MOSQ_ERR_SUCCESS.rawValue) {}
        return events.dialect.withLock { $0.ended() }
    }

    private func connect() -> Int32 {
        let isNew = events.dialect.withLock(\.isNew)
        mosquitto_int_option(client, MOSQ_OPT_PROTOCOL_VERSION, isNew ? MQTT_PROTOCOL_V5 : MQTT_PROTOCOL_V311)
        var properties: OpaquePointer?
        defer { mosquitto_property_free_all(&properties) }
        if isNew {
            mosquitto_property_add_int32(
                &properties, Int32(MQTT_PROP_MAXIMUM_PACKET_SIZE.rawValue), Self.maxPacket)
        }
        return mosquitto_connect_bind_v5(
            client, settings.host, Int32(clamping: settings.usedPort), Self.keepAlive, nil, properties)
    }

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
    ///
    /// The library would send one that comes while it connects before its greeting, which no broker takes.
    func publish(_ text: String, to topic: String, isKept: Bool = true) {
        guard events.dialect.withLock(\.isLetIn) else { return }
        let bytes = Array(text.utf8)
        mosquitto_publish(client, nil, topic, Int32(clamping: bytes.count), bytes, 1, isKept)
    }

    /// Asks for all messages of the topics that match.
    func subscribe(_ pattern: String) { mosquitto_subscribe(client, nil, pattern, 1) }

    private func check(_ code: Int32) throws(Failure) {
        if code != Int32(MOSQ_ERR_SUCCESS.rawValue) { throw Failure(message: Self.reason(code)) }
    }

    private static func reason(_ code: Int32) -> String {
        if code == Int32(MOSQ_ERR_ERRNO.rawValue) { return String(cString: strerror(errno)) }
        return String(cString: code >= firstOfVersion5 ? mosquitto_reason_string(code) : mosquitto_strerror(code))
    }

    private static func refusal(_ code: Int32) -> String {
        String(cString: code >= firstOfVersion5 ? mosquitto_reason_string(code) : mosquitto_connack_string(code))
    }

    private static let firstOfVersion5: Int32 = 128
}
