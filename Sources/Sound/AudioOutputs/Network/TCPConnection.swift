import CSound
import Coordination
import Glibc

/// A TCP connection by GIO, which can be encrypted. It never waits longer than it is told to, and keeps for later what
/// can't be sent at once.
/// - Isolation: one thread, which may wait.
package final class TCPConnection {
    private let connection: UnsafeMutablePointer<GSocketConnection>
    /// Carries the bytes: the connection itself, or TLS over it.
    private var stream: UnsafeMutablePointer<GIOStream>
    private var pending: [UInt8] = []
    private var sent = 0

    var backlog: Int { pending.count - sent }
    var descriptor: Int32 { g_socket_get_fd(socket) }
    private var socket: UnsafeMutablePointer<GSocket> { g_socket_connection_get_socket(connection) }

    /// Connects to the first address that answers; each has `milliseconds`, in whole seconds.
    /// - Parameter sendBuffer: how many bytes the system may keep that the other side hasn't taken; nil is megabytes.
    package init(host: String, port: Int, milliseconds: Int, sendBuffer: Int? = nil) throws(OutputProblem) {
        let client = g_socket_client_new()
        let address = g_network_address_new(host, guint16(clamping: port))
        defer {
            g_object_unref(client)
            g_object_unref(UnsafeMutableRawPointer(address))
        }
        g_socket_client_set_timeout(client, guint(max(1, milliseconds / 1000)))
        g_socket_client_set_enable_proxy(client, 0)
        var error: UnsafeMutablePointer<GError>?
        guard let made = g_socket_client_connect(client, address, nil, &error) else {
            defer { g_clear_error(&error) }
            throw OutputProblem("\(host):\(port) can't be reached: \(Self.text(error))")
        }
        connection = made
        stream = UnsafeMutableRawPointer(made).assumingMemoryBound(to: GIOStream.self)
        g_socket_set_option(socket, Int32(IPPROTO_TCP), TCP_NODELAY, 1, nil)
        // The system takes twice as much for its own records.
        if let sendBuffer { g_socket_set_option(socket, SOL_SOCKET, SO_SNDBUF, gint(clamping: sendBuffer / 2), nil) }
    }

    /// False where a host's name leads to no address.
    package static func knows(_ host: String) -> Bool {
        var found: UnsafeMutablePointer<addrinfo>?
        defer { if found != nil { freeaddrinfo(found) } }
        return getaddrinfo(host, nil, nil, &found) == 0
    }

    deinit {
        if isEncrypted { hangUp() }
        g_object_unref(connection)
    }

    private var isEncrypted: Bool { UnsafeMutableRawPointer(stream) != UnsafeMutableRawPointer(connection) }

    /// Ends an encrypted connection by a reset: Icecast 2.4 takes the farewell of TLS for a pause, and keeps the mount.
    private func hangUp() {
        // A reset would overtake what the other side hasn't got yet.
        let deadline = Monotonic.now + .milliseconds(500)
        var waiting: Int32 = 0
        while ioctl(descriptor, UInt(TIOCOUTQ), &waiting) == 0, waiting > 0, Monotonic.now < deadline { usleep(1000) }
        shutdown(descriptor, Int32(SHUT_RDWR))
        g_object_unref(stream)
        resetAtEnd()
    }

    /// Lets the connection end by a reset: what the other side hasn't read by then is lost to it.
    func resetAtEnd() {
        var atOnce = linger(l_onoff: 1, l_linger: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &atOnce, socklen_t(MemoryLayout<linger>.size))
    }

    /// Encrypts what is sent and received from now on; waits until both sides have agreed on how.
    package func encrypt(host: String, port: Int, certificates: String? = nil) throws(TLSProblem) {
        guard segue_tls_is_there() != 0 else { throw .missing }
        var (refusal, error): (SegueTLSRefusal, UnsafeMutablePointer<GError>?) = (SegueTLSRefusal(), nil)
        defer { g_clear_error(&error) }
        let made = segue_tls_connect(stream, host, guint16(clamping: port), certificates, &refusal, &error)
        guard let made else {
            if refusal.is_unreadable != 0 {
                throw .unreadable(error == nil ? "it holds no certificate" : Self.text(error))
            }
            throw refusal.faults.rawValue != 0 ? .untrusted(refusal.faults) : .broken(Self.text(error))
        }
        stream = made
    }

    // MARK: Sending

    /// Queues bytes and sends what the network takes.
    package func send(_ bytes: [UInt8]) throws(OutputProblem) {
        if pending.isEmpty { pending = bytes } else { pending += bytes }
        try push()
    }

    func push() throws(OutputProblem) {
        let output = OpaquePointer(g_io_stream_get_output_stream(stream))
        while backlog > 0 {
            let count = try pending.withUnsafeBufferPointer { bytes throws(OutputProblem) in
                // Bytes that are offered again must be the same; a record of TLS holds no more.
                try Self.count {
                    g_pollable_output_stream_write_nonblocking(
                        output, bytes.baseAddress?.advanced(by: sent), gsize(min(bytes.count - sent, 16384)), nil, &$0)
                }
            }
            guard let count else { break }
            sent += count
        }
        if backlog == 0 {
            (pending, sent) = ([], 0)
        } else if sent > 65536 {
            pending.removeFirst(sent)
            sent = 0
        }
    }

    func finish(milliseconds: Int) {
        let deadline = Monotonic.now + .milliseconds(milliseconds)
        while backlog > 0, Monotonic.now < deadline {
            guard wait(for: POLLOUT, until: deadline), (try? push()) != nil else { return }
        }
    }

    // MARK: Receiving

    /// The bytes that have arrived, waiting up to `milliseconds` for them; empty if nothing has.
    package func receive(milliseconds: Int = 0) throws(OutputProblem) -> [UInt8] {
        let input = OpaquePointer(g_io_stream_get_input_stream(stream))
        let deadline = Monotonic.now + .milliseconds(milliseconds)
        var buffer = [UInt8](repeating: 0, count: 16384)
        // Bytes that TLS keeps can't be seen at the descriptor, and those seen there need not be for us.
        while true {
            let count = try Self.count {
                g_pollable_input_stream_read_nonblocking(input, &buffer, gsize(buffer.count), nil, &$0)
            }
            if let count, count > 0 { return Array(buffer[..<count]) }
            if count != nil { throw OutputProblem("the other side closed the connection") }
            guard wait(for: POLLIN, until: deadline) else { return [] }
        }
    }

    /// The lines before the first empty one, as of an answer over HTTP; nil if they don't come in time.
    package func receiveHead(milliseconds: Int) throws(OutputProblem) -> ArraySlice<UInt8>? {
        let deadline = Monotonic.now + .milliseconds(milliseconds)
        var bytes: [UInt8] = []
        while Monotonic.now < deadline, bytes.count < 16384 {
            try push()
            bytes += try receive(milliseconds: 100)
            let end = bytes.indices.first { index in
                bytes[index] == 0x0A
                    && (bytes[(index + 1)...].starts(with: [0x0D, 0x0A]) || bytes[(index + 1)...].starts(with: [0x0A]))
            }
            if let end { return bytes[..<end] }
        }
        return nil
    }

    private func wait(for events: Int32, until deadline: Nanoseconds) -> Bool {
        let left = (deadline - Monotonic.now).milliseconds
        return Descriptors.wait(for: [(descriptor, events)], milliseconds: left)
    }

    /// The count that a call of GIO gives; nil where it would have to wait.
    private static func count(_ call: (inout UnsafeMutablePointer<GError>?) -> gssize) throws(OutputProblem) -> Int? {
        var error: UnsafeMutablePointer<GError>?
        let count = call(&error)
        defer { g_clear_error(&error) }
        if count >= 0 { return count }
        if g_error_matches(error, g_io_error_quark(), gint(G_IO_ERROR_WOULD_BLOCK.rawValue)) != 0 { return nil }
        throw OutputProblem(text(error))
    }

    private static func text(_ error: UnsafeMutablePointer<GError>?) -> String {
        guard let error else { return "the connection broke" }
        let isLate = g_error_matches(error, g_io_error_quark(), gint(G_IO_ERROR_TIMED_OUT.rawValue)) != 0
        return isLate ? "there is no answer" : String(cString: error.pointee.message)
    }
}

extension OutputProblem {
    static func system(_ code: Int32 = errno) -> OutputProblem { OutputProblem(String(cString: strerror(code))) }
}
