import Glibc

/// A TCP connection that never waits longer than it is told to; what can't be sent at once is kept for later.
///
/// - Isolation: one thread, which may wait.
final class TCPConnection {
    /// For `poll`.
    let descriptor: Int32
    private var pending: [UInt8] = []
    private var sent = 0

    /// Bytes that wait to be sent.
    var backlog: Int { pending.count - sent }

    /// Connects within `milliseconds`, to the first address that answers.
    ///
    /// - Throws: a problem that names host and port.
    init(host: String, port: Int, milliseconds: Int) throws(OutputProblem) {
        var hints = addrinfo()
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var found: UnsafeMutablePointer<addrinfo>?
        let failure = getaddrinfo(host, String(port), &hints, &found)
        defer { if found != nil { freeaddrinfo(found) } }
        guard failure == 0 else {
            throw OutputProblem("\(host) is not known: \(String(cString: gai_strerror(failure)))")
        }
        let deadline = Monotonic.now + Int64(milliseconds) * 1_000_000
        var reason = "no address"
        var next = found
        while let address = next {
            switch Self.connect(address, until: deadline) {
            case .success(let connected):
                descriptor = connected
                return
            case .failure(let problem): reason = problem.message
            }
            next = address.pointee.ai_next
        }
        throw OutputProblem("\(host):\(port) can't be reached: \(reason)")
    }

    deinit { close(descriptor) }

    private static func connect(_ address: UnsafeMutablePointer<addrinfo>, until deadline: Int64)
        -> Result<Int32, OutputProblem>
    {
        let info = address.pointee
        let kind = SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue
        let made = socket(info.ai_family, Int32(kind), 0)
        guard made >= 0 else { return .failure(.system()) }
        if Glibc.connect(made, info.ai_addr, info.ai_addrlen) == 0 { return .success(made) }
        var code = errno
        if code == EINPROGRESS {
            let isReady = wait(made, for: Int16(POLLOUT), milliseconds: Int((deadline - Monotonic.now) / 1_000_000))
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
    func send(_ bytes: [UInt8]) throws(OutputProblem) {
        if pending.isEmpty { pending = bytes } else { pending += bytes }
        try push()
    }

    /// Sends what waits, as far as the network takes it.
    func push() throws(OutputProblem) {
        while backlog > 0 {
            let count = pending.withUnsafeBytes {
                Glibc.send(descriptor, $0.baseAddress?.advanced(by: sent), $0.count - sent, Int32(MSG_NOSIGNAL))
            }
            if count > 0 {
                sent += count
            } else if errno == EAGAIN {
                break
            } else if errno != EINTR {
                throw .system()
            }
        }
        if backlog == 0 {
            (pending, sent) = ([], 0)
        } else if sent > 65536 {
            pending.removeFirst(sent)
            sent = 0
        }
    }

    /// Sends everything that waits, however long the other side takes, up to `milliseconds`.
    func finish(milliseconds: Int) {
        let deadline = Monotonic.now + Int64(milliseconds) * 1_000_000
        while backlog > 0, Monotonic.now < deadline {
            let left = Int((deadline - Monotonic.now) / 1_000_000)
            guard Self.wait(descriptor, for: Int16(POLLOUT), milliseconds: left), (try? push()) != nil else { return }
        }
    }

    /// What has arrived, waiting up to `milliseconds` for it; empty if nothing has.
    ///
    /// - Throws: a problem when the other side has closed the connection, or it broke.
    func receive(milliseconds: Int = 0) throws(OutputProblem) -> [UInt8] {
        guard Self.wait(descriptor, for: Int16(POLLIN), milliseconds: milliseconds) else { return [] }
        var buffer = [UInt8](repeating: 0, count: 16384)
        let count = recv(descriptor, &buffer, buffer.count, 0)
        if count > 0 { return Array(buffer[..<count]) }
        if count == 0 { throw OutputProblem("the other side closed the connection") }
        if errno == EAGAIN || errno == EINTR { return [] }
        throw .system()
    }
}

extension OutputProblem {
    /// What the system says about its last error.
    static func system(_ code: Int32 = errno) -> OutputProblem { OutputProblem(String(cString: strerror(code))) }
}
