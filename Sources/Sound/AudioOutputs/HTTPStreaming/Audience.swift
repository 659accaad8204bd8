import Coordination
import Logging
import NIOCore
import NIOHTTP1
import Outputs

/// The listeners, and what all of them get.
/// - Isolation: the server's event loop.
final class Audience {
    let settings: HTTPStreamServer.Settings
    private let count: Monitor<Int>
    private let log: Logger
    private var listeners: [ObjectIdentifier: ListenerHandler] = [:] {
        didSet {
            count.withLock { $0 = listeners.count }
            if listeners.count != oldValue.count { settings.listenersChanged?(listeners.count) }
        }
    }
    private var isOpen = false
    private var header = ByteBuffer()
    private var isHeaderComplete = false
    private(set) var title = ""

    init(_ settings: HTTPStreamServer.Settings, count: Monitor<Int>, log: Logger) {
        (self.settings, self.count, self.log) = (settings, count, log)
    }

    func open() { isOpen = true }

    func send(_ bytes: [UInt8], isHeader: Bool) {
        if isHeader {
            if isHeaderComplete { header.clear() }
            header.writeBytes(bytes)
        }
        isHeaderComplete = !isHeader
        let buffer = ByteBuffer(bytes: bytes)
        for listener in listeners.values { listener.send(buffer) }
    }

    func setTitle(_ title: String) {
        self.title = title
        for listener in listeners.values { listener.titleChanged() }
    }

    func forgetHeader() -> Bool {
        guard listeners.isEmpty else { return false }
        header.clear()
        return true
    }

    func hangUp() {
        isOpen = false
        header.clear()
        for listener in listeners.values { listener.hangUp() }
        listeners = [:]
    }

    func addHandlers(to channel: any Channel) throws {
        var framing = HTTPResponseEncoder.Configuration()
        // The stream has no length, and players of its kind don't know chunks.
        framing.automaticallySetFramingHeaders = false
        let admission = AdmissionHandler(self)
        try channel.pipeline.syncOperations.addHandlers([
            admission, HTTPResponseEncoder(configuration: framing),
            ByteToMessageHandler(HTTPRequestDecoder(leftOverBytesStrategy: .dropBytes)),
            ListenerHandler(self, admission),
        ])
    }

    private var connections: [String: Int] = [:]
    private var connectionCount = 0
    /// How many connections there may be besides listeners: those that ask, or are told that there is no room.
    private static let askingLimit = 32

    func admits(_ address: String) -> Bool {
        // The page hands the stream on from this machine; whether it is the page shows when it asks.
        guard mayBeRelay(address) || hasShare(address) else { return false }
        return settings.output.maxClients == 0 || connectionCount < settings.output.maxClients + Self.askingLimit
    }

    private func mayBeRelay(_ address: String) -> Bool { address.hasPrefix("127.") || address == "::1" }

    private func hasShare(_ address: String, beside own: Int = 0) -> Bool {
        let limit = settings.output.maxClientsPerAddress
        return limit == 0 || connections[address, default: 0] - own < limit
    }

    /// True if one that asks from this machine may stay: the page counts its own listeners, all others share a limit.
    func asked(from address: String, isRelay: Bool) -> Bool {
        guard isRelay else { return !mayBeRelay(address) || hasShare(address, beside: 1) }
        removeConnection(of: address)
        return true
    }

    private func removeConnection(of address: String) {
        let left = connections[address, default: 1] - 1
        connections[address] = left > 0 ? left : nil
    }

    func connected(_ address: String) {
        connections[address, default: 0] += 1
        connectionCount += 1
    }

    func disconnected(_ address: String, isRelay: Bool) {
        connectionCount -= 1
        if !isRelay { removeConnection(of: address) }
    }

    var refusal: String? {
        guard isOpen else { return "Nothing is playing.\n" }
        guard settings.output.maxClients == 0 || listeners.count < settings.output.maxClients else {
            return "There are as many listeners as are allowed.\n"
        }
        return nil
    }

    func join(_ listener: ListenerHandler) {
        listeners[ObjectIdentifier(listener)] = listener
        if header.readableBytes > 0 { listener.send(header) }
    }

    func remove(_ listener: ListenerHandler) { listeners[ObjectIdentifier(listener)] = nil }

    func disconnect(_ listener: ListenerHandler) {
        remove(listener)
        log.info("Output \"\(settings.name)\": a listener that didn't read was disconnected")
    }
}
