import Coordination
import Glibc

/// A TCP connection that never waits longer than it is told to; what can't be sent at once is kept for later.
/// It can be encrypted.
///
/// - Isolation: one thread, which may wait.
package final class TCPConnection {
    /// For `poll`.
    let descriptor: Int32
    private var pending: [UInt8] = []
    private var sent = 0
    private var tls: TLSSession?

    /// Bytes that wait to be sent.
    var backlog: Int { pending.count - sent }

    /// Connects within `milliseconds`, to the first address that answers.
    ///
    /// - Parameter sendBuffer: how many bytes the system may keep that the other side hasn't taken; nil leaves that to
    ///   the system, which keeps megabytes.
    /// - Throws: a problem that names host and port.
    package init(host: String, port: Int, milliseconds: Int, sendBuffer: Int? = nil) throws(OutputProblem) {
        var hints = addrinfo()
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var found: UnsafeMutablePointer<addrinfo>?
        let failure = getaddrinfo(host, String(port), &hints, &found)
        defer { if found != nil { freeaddrinfo(found) } }
        guard failure == 0 else {
            throw OutputProblem("\(host) is not known: \(String(cString: gai_strerror(failure)))")
        }
        let deadline = Monotonic.now + .milliseconds(milliseconds)
        var reason = "no address"
        var next = found
        while let address = next {
            switch Self.connect(address, until: deadline) {
            case .success(let connected):
                descriptor = connected
                if let sendBuffer { limitSendBuffer(to: sendBuffer) }
                return
            case .failure(let problem): reason = problem.message
            }
            next = address.pointee.ai_next
        }
        throw OutputProblem("\(host):\(port) can't be reached: \(reason)")
    }

    deinit {
        if tls != nil { hangUp() }
        close(descriptor)
    }

    /// Ends an encrypted connection by a reset: Icecast 2.4 takes the farewell of TLS for a pause, and keeps the mount.
    private func hangUp() {
        // A reset would overtake what the other side hasn't got yet.
        let deadline = Monotonic.now + .milliseconds(500)
        var waiting: Int32 = 0
        while ioctl(descriptor, UInt(TIOCOUTQ), &waiting) == 0, waiting > 0, Monotonic.now < deadline { usleep(1000) }
        shutdown(descriptor, Int32(SHUT_RDWR))
        tls = nil
        resetAtEnd()
    }

    /// Lets the connection end by a reset: what the other side hasn't read by then is lost to it.
    func resetAtEnd() {
        var atOnce = linger(l_onoff: 1, l_linger: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &atOnce, socklen_t(MemoryLayout<linger>.size))
    }

    private func limitSendBuffer(to bytes: Int) {
        // The system takes twice as much for its own records.
        var size = Int32(clamping: bytes / 2)
        setsockopt(descriptor, SOL_SOCKET, SO_SNDBUF, &size, socklen_t(MemoryLayout<Int32>.size))
    }

    private static func connect(_ address: UnsafeMutablePointer<addrinfo>, until deadline: Nanoseconds)
        -> Result<Int32, OutputProblem>
    {
        let info = address.pointee
        let kind = SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue
        let made = socket(info.ai_family, Int32(kind), 0)
        guard made >= 0 else { return .failure(.system()) }
        if Glibc.connect(made, info.ai_addr, info.ai_addrlen) == 0 { return .success(made) }
        var code = errno
        if code == EINPROGRESS {
            let isReady = wait(made, for: Int16(POLLOUT), milliseconds: (deadline - Monotonic.now).milliseconds)
            var size = socklen_t(MemoryLayout<Int32>.size)
            getsockopt(made, SOL_SOCKET, SO_ERROR, &code, &size)
            if !isReady { code = ETIMEDOUT }
            if code == 0 {
                var on: Int32 = 1
                setsockopt(made, Int32(IPPROTO_TCP), TCP_NODELAY, &on, socklen_t(MemoryLayout<Int32>.size))
                return .success(made)
            }
        }
        close(made)
        return .failure(.system(code))
    }

    private static func wait(_ descriptor: Int32, for events: Int16, milliseconds: Int) -> Bool {
        Descriptors.wait(for: [(descriptor, Int32(events))], milliseconds: milliseconds)
    }

    /// Queues bytes and sends what the network takes.
    package func send(_ bytes: [UInt8]) throws(OutputProblem) {
        if pending.isEmpty { pending = bytes } else { pending += bytes }
        try push()
    }

    /// Sends what waits, as far as the network takes it.
    func push() throws(OutputProblem) {
        while backlog > 0 {
            guard let count = try write() else { break }
            sent += count
        }
        if backlog == 0 {
            (pending, sent) = ([], 0)
        } else if sent > 65536 {
            pending.removeFirst(sent)
            sent = 0
        }
    }

    /// How many of the bytes that wait the network took; nil if it takes none now.
    private func write() throws(OutputProblem) -> Int? {
        if let tls {
            // Bytes that are offered again must be the same; a record of TLS holds no more.
            return try pending.withUnsafeBufferPointer { bytes throws(OutputProblem) in
                let record = UnsafeBufferPointer(rebasing: bytes[sent..<min(bytes.count, sent + 16384)])
                return try tls.write(UnsafeRawBufferPointer(record))
            }
        }
        let count = pending.withUnsafeBytes {
            Glibc.send(descriptor, $0.baseAddress?.advanced(by: sent), $0.count - sent, Int32(MSG_NOSIGNAL))
        }
        if count > 0 { return count }
        if errno == EAGAIN { return nil }
        if errno == EINTR { return 0 }
        throw .system()
    }

    /// Encrypts what is sent and received from now on; waits until both sides have agreed on how.
    ///
    /// - Parameter certificates: a file of certificates that are trusted instead of the system's.
    package func encrypt(host: String, port: Int, certificates: String? = nil) throws(TLSProblem) {
        tls = try TLSSession(descriptor, host: host, port: port, certificates: certificates)
    }

    /// Sends everything that waits, however long the other side takes, up to `milliseconds`.
    func finish(milliseconds: Int) {
        let deadline = Monotonic.now + .milliseconds(milliseconds)
        while backlog > 0, Monotonic.now < deadline {
            let left = (deadline - Monotonic.now).milliseconds
            guard Self.wait(descriptor, for: Int16(POLLOUT), milliseconds: left), (try? push()) != nil else { return }
        }
    }

    /// The bytes that have arrived, waiting up to `milliseconds` for them; empty if nothing has.
    ///
    /// - Throws: a problem when the other side has closed the connection, or it broke.
    package func receive(milliseconds: Int = 0) throws(OutputProblem) -> [UInt8] {
        var buffer = [UInt8](repeating: 0, count: 16384)
        if let tls {
            let deadline = Monotonic.now + .milliseconds(milliseconds)
            // Bytes that TLS keeps can't be seen at the descriptor, and those seen there need not be for
            // us.
            while true {
                let taken = try buffer.withUnsafeMutableBufferPointer { bytes throws(OutputProblem) in
                    try tls.read(UnsafeMutableRawBufferPointer(bytes))
                }
                if let taken, taken > 0 { return Array(buffer[..<taken]) }
                if taken != nil { throw OutputProblem("the other side closed the connection") }
                let left = (deadline - Monotonic.now).milliseconds
                guard Self.wait(descriptor, for: Int16(POLLIN), milliseconds: left) else { return [] }
            }
        }
        guard Self.wait(descriptor, for: Int16(POLLIN), milliseconds: milliseconds) else { return [] }
        let count = recv(descriptor, &buffer, buffer.count, 0)
        if count > 0 { return Array(buffer[..<count]) }
        if count == 0 { throw OutputProblem("the other side closed the connection") }
        if errno == EAGAIN || errno == EINTR { return [] }
        throw .system()
    }
}

extension OutputProblem {
    /// The system's text for its last error.
    static func system(_ code: Int32 = errno) -> OutputProblem { OutputProblem(String(cString: strerror(code))) }
}
