import Glibc

/// A socket that the service manager bound and listens on for this process (socket activation, sd_listen_fds(3)).
package struct InheritedSocket: Hashable, Sendable {
    /// The open descriptor.
    package let descriptor: Int32
    /// The name that the socket's unit gives it (`FileDescriptorName=`), by default the unit's own; may be empty.
    package let name: String
    /// True for a Unix socket, whose clients are on this machine.
    package let isUnix: Bool

    private static let limit = 256
    private static let firstDescriptor: Int32 = 3

    /// Takes over the sockets that were passed to this process by `LISTEN_PID`, `LISTEN_FDS` and `LISTEN_FDNAMES`;
    /// children don't inherit them further. Throws for a descriptor that can't take clients.
    package static func take(
        environment: [String: String], processID: Int32
    ) throws(ProcessError) -> [InheritedSocket] {
        guard environment["LISTEN_PID"].flatMap(Int32.init) == processID,
            let count = environment["LISTEN_FDS"].flatMap(Int32.init), count > 0
        else { return [] }
        guard count <= limit else {
            throw ProcessError("LISTEN_FDS passes \(count) sockets; the maximum is \(limit)")
        }
        let names = (environment["LISTEN_FDNAMES"] ?? "").split(separator: ":", omittingEmptySubsequences: false)
        var sockets: [InheritedSocket] = []
        for index in 0..<count {
            let name = Int(index) < names.count ? String(names[Int(index)]) : ""
            sockets.append(try adopt(firstDescriptor + index, name))
        }
        return sockets
    }

    /// Another descriptor of the same socket, to accept clients with and to close. The first one stays open as long as
    /// the process, so that `passOn` can hand it to a successor.
    package func duplicate() -> Int32 { fcntl(descriptor, F_DUPFD_CLOEXEC, Self.firstDescriptor) }

    /// Lets the program that replaces this one in the same process inherit the socket.
    package func passOn() {
        let flags = fcntl(descriptor, F_GETFD)
        if flags >= 0 { _ = fcntl(descriptor, F_SETFD, flags & ~FD_CLOEXEC) }
    }

    /// Checks that a descriptor is a socket that clients connect to, and keeps it from children.
    static func adopt(_ descriptor: Int32, _ name: String) throws(ProcessError) -> InheritedSocket {
        let shown = name.isEmpty ? "the inherited descriptor \(descriptor)" : "the inherited socket \(name)"
        let flags = fcntl(descriptor, F_GETFD)
        guard flags >= 0, fcntl(descriptor, F_SETFD, flags | FD_CLOEXEC) == 0 else {
            throw ProcessError("\(shown) is not open; LISTEN_FDS is wrong")
        }
        guard option(SO_TYPE, of: descriptor) == Int32(SOCK_STREAM.rawValue),
            option(SO_ACCEPTCONN, of: descriptor) == 1
        else {
            throw ProcessError(
                "\(shown) does not accept connections. Use ListenStream= in the socket's unit, and Accept=no.")
        }
        switch option(SO_DOMAIN, of: descriptor) {
        case AF_UNIX: return InheritedSocket(descriptor: descriptor, name: name, isUnix: true)
        case AF_INET, AF_INET6: return InheritedSocket(descriptor: descriptor, name: name, isUnix: false)
        default:
            throw ProcessError(
                "\(shown) is neither a TCP nor a Unix socket. Correct ListenStream= in its unit.")
        }
    }

    private static func option(_ name: Int32, of descriptor: Int32) -> Int32? {
        var value: Int32 = 0
        var size = socklen_t(MemoryLayout<Int32>.size)
        return getsockopt(descriptor, SOL_SOCKET, name, &value, &size) == 0 ? value : nil
    }
}
