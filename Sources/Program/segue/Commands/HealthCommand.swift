import ArgumentParser
import Foundation
import MPDSessions
import NIOCore
import NIOPosix
import NIOSSL
import SegueConfiguration
import ServerLoop

/// `segue health`: asks the running server whether it answers; for containers and monitoring.
struct HealthCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "health", abstract: "Ask the running server whether it answers.",
        discussion: """
            Connects to the first address under [server] listen, or to the one that is given, and sends a ping. Ends \
            with status 0 when the answer comes within three seconds, else with 1 and the reason.
            """)

    @Argument(help: "host:port, [v6]:port, tls://host:port, the path of a Unix socket, or @name.") var address: String?
    @OptionGroup var options: ConfigurationOptions

    func run() async throws {
        let address = try Failures.inOneLine { try self.address.map(ListenAddress.init(clientText:)) ?? configured() }
        let start = ContinuousClock.now
        do {
            let greeting = try await HealthCheck.greeting(of: address.forClients, within: .milliseconds(2500))
            let milliseconds = (ContinuousClock.now - start) / .milliseconds(1)
            print("healthy: \(address) answers as \(greeting) after \(String(format: "%.0f", milliseconds)) ms")
        } catch {
            throw CommandFailure("\(address) is not healthy: \(HealthCheck.reason(error))")
        }
    }

    /// The first address that the server listens on; without any configuration the usual one.
    private func configured() throws -> ListenAddress {
        do {
            let configuration = try Configuration.load(
                path: options.config, environment: ProcessInfo.processInfo.environment)
            return configuration.server.listen.first ?? .usual
        } catch {
            guard error.code == .notFound, options.config == nil else { throw error }
            return .usual
        }
    }
}

extension ListenAddress {
    fileprivate static var usual: ListenAddress { .host("127.0.0.1", port: 6600) }

    /// Reads an address as the configuration has it.
    fileprivate init(clientText text: String) throws {
        let environment = ["SEGUE_SERVER_LISTEN": text, "HOME": ProcessInfo.processInfo.environment["HOME"] ?? ""]
        self = try Configuration.defaults(environment: environment).server.listen.first ?? .usual
    }

    /// Where a client on this machine reaches a server that listens here.
    fileprivate var forClients: ListenAddress {
        switch self {
        case .host("0.0.0.0", let port), .host("*", let port): .host("127.0.0.1", port: port)
        case .host("::", let port): .host("::1", port: port)
        case .tls("0.0.0.0", let port), .tls("*", let port): .tls("127.0.0.1", port: port)
        case .tls("::", let port): .tls("::1", port: port)
        default: self
        }
    }
}

extension ListenAddress {
    /// How to encrypt; nil for addresses where nothing is.
    ///
    /// This asks one's own server whether it answers, and tells it nothing, so whose certificate it has is no matter.
    fileprivate var encryption: NIOSSLContext? {
        get throws {
            guard case .tls = self else { return nil }
            var settings = TLSConfiguration.makeClientConfiguration()
            settings.certificateVerification = .none
            return try NIOSSLContext(configuration: settings)
        }
    }
}

/// One question to a server.
private enum HealthCheck {
    /// The server's greeting, once it has also answered a ping.
    static func greeting(of address: ListenAddress, within limit: TimeAmount) async throws -> String {
        let loop = ServerActor.eventLoop
        let encryption = try address.encryption
        let answer = loop.makePromise(of: String.self)
        let bootstrap = ClientBootstrap(group: loop).connectTimeout(limit)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    if let encryption {
                        try channel.pipeline.syncOperations.addHandler(
                            NIOSSLClientHandler(context: encryption, serverHostname: nil))
                    }
                    try channel.pipeline.syncOperations.addHandler(PingHandler(answer))
                }
            }
        let deadline = loop.scheduleTask(in: limit) { answer.fail(CommandFailure("it does not answer in time")) }
        let connected: EventLoopFuture<any Channel> =
            switch address {
            case .host(let host, let port), .tls(let host, let port): bootstrap.connect(host: host, port: port)
            case .unix(let path) where path.hasPrefix("@"): bootstrap.connect(toAbstract: path)
            case .unix(let path): bootstrap.connect(unixDomainSocketPath: path)
            }
        connected.whenFailure { answer.fail($0) }
        let greeting = try await answer.futureResult.get()
        deadline.cancel()
        try? await connected.get().close()
        return greeting
    }

    /// The cause in the system's words.
    static func reason(_ error: any Error) -> String {
        switch error {
        case let failure as CommandFailure: failure.message
        case let error as IOError: String(cString: strerror(error.errnoCode))
        case let error as NIOConnectionError: error.connectionErrors.first.map { reason($0.error) } ?? "no such host"
        case ChannelError.connectTimeout: "it does not answer in time"
        default: "\(error)"
        }
    }
}

/// Waits for the greeting, sends a ping, waits for the answer.
private final class PingHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let answer: EventLoopPromise<String>
    private var received: [UInt8] = []
    private var greeting: String?

    /// Bytes that are no answer of a server are not waited for any longer.
    private static let limit = 4096

    init(_ answer: EventLoopPromise<String>) { self.answer = answer }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        received += unwrapInboundIn(data).readableBytesView
        while let end = received.firstIndex(of: 0x0A) {
            let line = String(decoding: received[..<end], as: UTF8.self)
            received.removeSubrange(...end)
            understand(line, context)
        }
        if received.count > Self.limit { answer.fail(CommandFailure("what answers there is no MPD server")) }
    }

    private func understand(_ line: String, _ context: ChannelHandlerContext) {
        if let greeting {
            let isFine = line == "OK"
            isFine ? answer.succeed(greeting) : answer.fail(CommandFailure("it answers a ping with \"\(line)\""))
        } else if line.hasPrefix("OK MPD ") {
            greeting = String(line.dropFirst(3))
            context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: "ping\n")), promise: nil)
        } else {
            answer.fail(CommandFailure("what answers there is no MPD server"))
        }
    }

    func channelInactive(context: ChannelHandlerContext) {
        answer.fail(CommandFailure("it closed the connection, perhaps because max_connections is reached"))
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        answer.fail(error)
        context.close(promise: nil)
    }
}

extension ClientBootstrap {
    /// Connects to a Unix socket without a file, named as in the configuration.
    fileprivate func connect(toAbstract address: String) -> EventLoopFuture<any Channel> {
        do {
            guard let socket = AbstractSocket(address) else { throw CommandFailure("no socket has such a name") }
            return withConnectedSocket(try socket.connect())
        } catch {
            return ServerActor.eventLoop.makeFailedFuture(error)
        }
    }
}
