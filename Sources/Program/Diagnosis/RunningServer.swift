import Coordination
import Foundation
import Glibc
package import MPDSessions
import MusicModel
import NIOCore
import NIOPosix
import NIOSSL
import Supervision
import Subsonic

/// Asks a running server whether it answers, as a client does.
package enum RunningServer {
    /// Bytes to wait for a line of an answer.
    private static let maxLine = 4096
    private static let connectTimeout = TimeAmount.milliseconds(2500)

    /// Checks that the server at an address greets and answers a ping in time.
    package static func finding(
        at address: ListenerAddress, within limit: Duration = .milliseconds(2500)
    ) async -> Finding {
        let start = ContinuousClock.now
        let answer = await withTimeLimit(limit) { () -> Result<String, any Error> in
            do { return .success(try await greeting(of: address.forClients)) } catch { return .failure(error) }
        }
        switch answer {
        case .success(let greeting):
            let milliseconds = Int((ContinuousClock.now - start) / .milliseconds(1))
            return Finding("server", .ok, "\(address) answers as \(greeting) after \(milliseconds) ms")
        case .failure(let error):
            return Finding("server", .failure, "\(address) doesn't serve: \(LocalRequestError.reason(error))")
        case nil: return Finding("server", .failure, "\(address) doesn't serve: \(LocalRequestError.tooLate.message)")
        }
    }

    /// The server's greeting, once it has also answered a ping.
    private static func greeting(of address: ListenerAddress) async throws -> String {
        let encryption = try address.encryption
        let channel = try await connect(to: address) { channel in
            channel.eventLoop.makeCompletedFuture {
                if let encryption {
                    try channel.pipeline.syncOperations.addHandler(
                        NIOSSLClientHandler(context: encryption, serverHostname: nil))
                }
                return try NIOAsyncChannel<ByteBuffer, ByteBuffer>(wrappingChannelSynchronously: channel)
            }
        }
        return try await channel.executeThenClose { inbound, outbound in
            var received: [UInt8] = []
            var greeting: String?
            for try await part in inbound {
                received += part.readableBytesView
                while let end = received.firstIndex(of: 0x0A) {
                    let line = String(decoding: received[..<end], as: UTF8.self)
                    received.removeSubrange(...end)
                    if let greeting {
                        guard line == "OK" else {
                            throw LocalRequestError("it answers a ping with \(line.quotable(utf8: 200))")
                        }
                        return greeting
                    }
                    guard line.hasPrefix("OK MPD ") else { throw LocalRequestError.noMPDServer }
                    greeting = String(line.dropFirst(3))
                    try await outbound.write(ByteBuffer(string: "ping\n"))
                }
                guard received.count <= maxLine else { throw LocalRequestError.noMPDServer }
            }
            throw LocalRequestError("it closed the connection, perhaps because max_connections is reached")
        }
    }

    private static func connect(
        to address: ListenerAddress,
        _ prepare: @escaping @Sendable (any Channel) -> EventLoopFuture<NIOAsyncChannel<ByteBuffer, ByteBuffer>>
    ) async throws -> NIOAsyncChannel<ByteBuffer, ByteBuffer> {
        let bootstrap = ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton).connectTimeout(connectTimeout)
        switch address {
        case .tcp(let host, let port), .tls(let host, let port):
            return try await bootstrap.connect(host: host, port: port, channelInitializer: prepare)
        case .unix(let path):
            let socket = try UnixSocket.connect(to: path)
            return try await bootstrap.withConnectedSocket(socket, channelInitializer: prepare)
        }
    }
}

/// Sockets of this machine that have a name.
enum UnixSocket {
    /// A new descriptor that is connected to a socket, which never waits; the caller closes it.
    ///
    /// - Throws: `IOError`.
    static func connect(to path: String) throws(IOError) -> CInt {
        let kind = SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue
        let descriptor = socket(AF_UNIX, CInt(kind), 0)
        guard descriptor >= 0 else { throw IOError(errnoCode: errno, reason: "socket") }
        guard let name = SocketName(path) else {
            close(descriptor)
            throw IOError(errnoCode: ENAMETOOLONG, reason: "connect")
        }
        guard name.withSocketAddress({ Glibc.connect(descriptor, $0, $1) }) == 0 else {
            let code = errno
            close(descriptor)
            throw IOError(errnoCode: code, reason: "connect")
        }
        return descriptor
    }
}

extension ListenerAddress {
    /// Where a client on this machine reaches a server that listens here.
    fileprivate var forClients: ListenerAddress {
        switch self {
        case .tcp("0.0.0.0", let port), .tcp("*", let port): .tcp(host: "127.0.0.1", port: port)
        case .tcp("::", let port): .tcp(host: "::1", port: port)
        case .tls("0.0.0.0", let port), .tls("*", let port): .tls(host: "127.0.0.1", port: port)
        case .tls("::", let port): .tls(host: "::1", port: port)
        default: self
        }
    }

    /// How to encrypt; nil for addresses where nothing is.
    ///
    /// This asks one's own server whether it answers, and tells it nothing, so its certificate is not checked.
    fileprivate var encryption: NIOSSLContext? {
        get throws {
            guard case .tls = self else { return nil }
            var settings = TLSConfiguration.makeClientConfiguration()
            settings.certificateVerification = .none
            return try NIOSSLContext(configuration: settings)
        }
    }
}
