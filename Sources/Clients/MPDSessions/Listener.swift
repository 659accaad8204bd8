import Glibc
import Logging
import NIOCore
import NIOPosix
import ServerLoop

struct Listener: Sendable {
    typealias Accepting = @Sendable (any Channel) -> EventLoopFuture<Void>

    let address: ListenerAddress
    private let channels: [any Channel]
    /// True if the service manager bound it, and keeps it when this process ends.
    private var isInherited = false

    var boundAddress: SocketAddress? { channels.first?.localAddress }

    /// Binds `address`; `accept` sets up each client's channel on the loop. Throws `ListenError`.
    static func bind(
        to address: ListenerAddress, socketFile: UnixSocketFile, accept: @escaping Accepting
    ) async throws -> Listener {
        switch address {
        case .tcp(let host, let port), .tls(let host, let port):
            return Listener(address: address, channels: try await bindTCP(address, host, port, accept))
        case .unix(let path) where path.hasPrefix("@"):
            return Listener(address: address, channels: [try await bindAbstract(address, path, accept)])
        case .unix(let path):
            try UnixSocketFile.makeRoom(at: path)
            let channel = try await explained(address) {
                try await bootstrap(accept).bind(unixDomainSocketPath: path).get()
            }
            let listener = Listener(address: address, channels: [channel])
            do {
                try socketFile.apply(to: path)
            } catch {
                await listener.close()
                throw error
            }
            return listener
        }
    }

    /// Takes over a socket that listens already; as `bind`.
    static func adopt(_ descriptor: CInt, isUnix: Bool, accept: @escaping Accepting) async throws -> Listener {
        let unknown = ListenerAddress.unix(path: "inherited descriptor \(descriptor)")
        let channel = try await explained(unknown) {
            try await (isUnix ? bootstrap(accept) : tcpBootstrap(accept)).withBoundSocket(descriptor).get()
        }
        let address: ListenerAddress
        if let local = channel.localAddress, let host = local.ipAddress, let port = local.port {
            address = .tcp(host: host, port: port)
        } else {
            address = channel.localAddress?.pathname.map { .unix(path: $0) } ?? unknown
        }
        return Listener(address: address, channels: [channel], isInherited: true)
    }

    func close() async {
        for channel in channels { try? await channel.close() }
        if case .unix(let path) = address, !isInherited, !path.hasPrefix("@") { unlink(path) }
    }

    private static func bindTCP(
        _ address: ListenerAddress, _ host: String, _ port: Int, _ accept: @escaping Accepting
    ) async throws -> [any Channel] {
        let bootstrap = tcpBootstrap(accept)
        func bind(_ host: String) async throws -> any Channel {
            let resolved = try await resolve(host, port, for: address)
            return try await explained(address) { try await bootstrap.bind(to: resolved).get() }
        }
        switch host {
        case "*":
            // A socket on :: takes IPv4 clients too, unless the machine has no IPv6.
            do {
                return [try await bootstrap.bind(host: "::", port: port).get()]
            } catch let error as IOError where [EAFNOSUPPORT, EADDRNOTAVAIL].contains(error.errnoCode) {
                return [try await bind("0.0.0.0")]
            } catch {
                return try await explained(address) { throw error }
            }
        case "localhost":
            // Clients try both addresses of this name, some only the first that they get.
            let first = try await bind("127.0.0.1")
            guard port != 0, let second = try? await bind("::1") else { return [first] }
            return [first, second]
        default:
            return [try await bind(host)]
        }
    }

    /// Looks a host name up, away from the loop, because that may take its time.
    @concurrent
    private static func resolve(_ host: String, _ port: Int, for address: ListenerAddress) async throws -> SocketAddress
    {
        do {
            return try SocketAddress.makeAddressResolvingHost(host, port: port)
        } catch {
            throw ListenError.binding(
                address, code: 0,
                reason: "can't resolve the host name. Check its spelling or write the numeric address.", cause: error)
        }
    }

    private static func bindAbstract(
        _ address: ListenerAddress, _ text: String, _ accept: @escaping Accepting
    ) async throws -> any Channel {
        guard let socket = AbstractSocket(text) else { throw ListenError.malformed(text) }
        return try await explained(address) {
            let descriptor = try socket.listen(backlog: backlog)
            do {
                return try await bootstrap(accept).withBoundSocket(descriptor).get()
            } catch {
                Glibc.close(descriptor)
                throw error
            }
        }
    }

    private static let backlog: CInt = 1024

    private static func tcpBootstrap(_ accept: @escaping Accepting) -> ServerBootstrap {
        // Linux hands both on to the clients' sockets, which spares each of them two calls.
        bootstrap(accept)
            .serverChannelOption(.socketOption(.so_keepalive), value: 1)
            .serverChannelOption(.tcpOption(.tcp_nodelay), value: 1)
    }

    private static func bootstrap(_ accept: @escaping Accepting) -> ServerBootstrap {
        ServerBootstrap(group: ServerActor.group)
            .serverChannelOption(.backlog, value: backlog)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            // Clients come one at a time; asking for another after each would waste a call.
            .serverChannelOption(.maxMessagesPerRead, value: 1)
            .serverChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    let handler = AcceptFaultHandler(logger: Logger(label: "segue.server"))
                    try channel.pipeline.syncOperations.addHandler(handler)
                }
            }
            .childChannelInitializer(accept)
    }

    private static func explained<T>(_ address: ListenerAddress, _ body: () async throws -> T) async throws -> T {
        do {
            return try await body()
        } catch let error as IOError {
            throw ListenError.binding(
                address, code: error.errnoCode, reason: String(cString: strerror(error.errnoCode)), cause: error)
        } catch let error as SocketAddressError where error == .unixDomainSocketPathTooLong {
            throw ListenError.binding(
                address, code: 0, reason: "the path is too long, 107 bytes are possible.", cause: error)
        } catch {
            throw ListenError.binding(address, code: 0, reason: "\(error)", cause: error)
        }
    }
}

/// The file behind a Unix socket: who may connect.
struct UnixSocketFile {
    var mode: mode_t
    /// The name of its group; nil is the process's own.
    var group: String?

    /// Sets group and mode of a socket's file, which was made so that others can't write to it; throws `ListenError`.
    func apply(to path: String) throws {
        if let group {
            guard let entry = getgrnam(group) else {
                throw ListenError("Cannot listen on \(path): there is no group \(group). Correct server.socket_group.")
            }
            guard chown(path, uid_t.max, entry.pointee.gr_gid) == 0 else {
                throw ListenError(
                    "Cannot listen on \(path): can't give it to the group \(group): \(String(cString: strerror(errno))). "
                        + "Choose a group under server.socket_group that this user is a member of.")
            }
        }
        guard chmod(path, mode) == 0 else {
            throw ListenError("Cannot listen on \(path): can't set its mode: \(String(cString: strerror(errno)))")
        }
    }

    /// Removes a socket's file that a dead server left behind; throws `ListenError` where anything else is there.
    static func makeRoom(at path: String) throws {
        var status = stat()
        guard lstat(path, &status) == 0 else { return }
        guard status.st_mode & S_IFMT == S_IFSOCK else {
            throw ListenError(
                "Cannot listen on \(path): it exists and is no socket. Move it away or choose another path.")
        }
        guard !isAlive(path) else { throw ListenError.binding(.unix(path: path), code: EADDRINUSE, reason: "") }
        unlink(path)
    }

    private static func isAlive(_ path: String) -> Bool {
        guard let address = try? SocketAddress(unixDomainSocketPath: path) else { return false }
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue), 0)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        // EAGAIN is a full backlog: a server is there.
        return address.withSockAddr { pointer, size in connect(descriptor, pointer, socklen_t(size)) == 0 }
            || errno == EAGAIN
    }
}
