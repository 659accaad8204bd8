package import Glibc
import MusicModel

/// Tells the service manager how this service is, with the messages of sd_notify(3). Nothing blocks.
/// Every message is one datagram to the socket that `NOTIFY_SOCKET` names. Without that variable nothing is sent. The
/// message to a manager that is gone or too busy to read is lost, and the call says so.
package struct ServiceNotifier: Sendable {
    /// The maximum length of a status, in bytes; `systemctl status` shows one line.
    static let statusLimit = 400

    private let address: SocketName?

    /// Finds the manager's socket by `NOTIFY_SOCKET`.
    package init(environment: [String: String]) {
        address = environment["NOTIFY_SOCKET"].flatMap(SocketName.init)
    }

    /// True if there is a manager to tell.
    package var isListening: Bool { address != nil }

    /// Clients can connect.
    @discardableResult
    package func ready(status: String? = nil) -> Bool {
        send("READY=1" + (status.map { "\n" + Self.statusLine($0) } ?? ""))
    }

    /// The status that `systemctl status` shows.
    @discardableResult
    package func status(_ text: String) -> Bool { send(Self.statusLine(text)) }

    /// The configuration is being read again; `ready` must follow.
    @discardableResult
    package func reloading() -> Bool {
        // The time lets the manager tell this reload's end from one before it.
        send("RELOADING=1\nMONOTONIC_USEC=\(Self.monotonicMicroseconds)")
    }

    /// The service ends in order.
    @discardableResult
    package func stopping() -> Bool { send("STOPPING=1") }

    /// The watchdog is fed.
    @discardableResult
    package func keepAlive() -> Bool { send("WATCHDOG=1") }

    /// The start takes longer: the manager waits for another `seconds` from now on.
    @discardableResult
    package func extendTimeout(seconds: Int, status: String) -> Bool {
        send("EXTEND_TIMEOUT_USEC=\(max(0, min(seconds, 86_400)) * 1_000_000)\n" + Self.statusLine(status))
    }

    /// A title with a line feed in it must not become another message.
    private static func statusLine(_ text: String) -> String { "STATUS=" + text.quotable(utf8: statusLimit) }

    private static var monotonicMicroseconds: Int64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1000
    }

    private func send(_ message: String) -> Bool {
        guard let address else { return false }
        let descriptor = socket(
            AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue), 0)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        let bytes = Array(message.utf8)
        return address.withSocketAddress { pointer, size in
            sendto(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL), pointer, size) == bytes.count
        }
    }
}

/// The name of a Unix socket: a path, or with `@` a name that no file stands for.
package struct SocketName: Hashable, Sendable {
    private let bytes: [UInt8]

    /// Reads a name; nil for one that is none or too long.
    package init?(_ text: String) {
        guard text.isAbsolutePath || text.utf8.first == UInt8(ascii: "@") else { return nil }
        var bytes = Array(text.utf8)
        guard bytes.count > 1, bytes.count < MemoryLayout.size(ofValue: sockaddr_un().sun_path) else { return nil }
        if bytes.first == UInt8(ascii: "@") { bytes[0] = 0 }
        self.bytes = bytes
    }

    /// Hands the name to a call of the system.
    package func withSocketAddress<T>(_ body: (UnsafePointer<sockaddr>, socklen_t) -> T) -> T {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
        // A path ends with a zero; an abstract name has no end but the address's.
        let end = bytes[0] == 0 ? 0 : 1
        let offset = MemoryLayout<sockaddr_un>.offset(of: \.sun_path) ?? 2
        return withUnsafePointer(to: address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, socklen_t(offset + bytes.count + end)) }
        }
    }
}

/// How often the service manager wants to hear that the service lives.
package struct Watchdog: Hashable, Sendable {
    /// After so much silence the manager restarts the service.
    package let timeout: Duration

    /// How often to call `ServiceNotifier.keepAlive`: twice as often as needed.
    package var interval: Duration { timeout / 2 }

    /// Reads `WATCHDOG_USEC` and `WATCHDOG_PID`; nil when no watchdog waits for this process.
    package init?(environment: [String: String], processID: Int32) {
        if let owner = environment["WATCHDOG_PID"], Int32(owner) != processID { return nil }
        guard let microseconds = environment["WATCHDOG_USEC"].flatMap(Int64.init), microseconds >= 1000 else {
            return nil
        }
        timeout = .microseconds(min(microseconds, 86_400_000_000))
    }
}
