import Glibc
package import Logging
package import NIOCore
import NIOHTTP1
import NIOHTTPCompression
import NIOPosix
package import NIOSSL
import NetworkAddresses
import ServerLoop

/// Accepts browsers and scripts on a separate event loop, so that TLS and pictures never delay a client of MPD's.
package final class HTTPServer: Sendable {
    let answers: any RequestAnswering
    let admission: RequestGuard
    let security: SecurityHeaders
    private let proxies: TrustedProxies
    private let loop: any EventLoop
    private let group: MultiThreadedEventLoopGroup?
    private let state: NIOLoopBoundBox<HTTPServerState>
    private let sockets = AddressShares(WebLimits.sockets)
    private let log: Logger

    /// Makes a server that doesn't listen yet, on a loop of its own, or that of connections which tests make.
    package init(
        _ settings: WebSettings, answers: any RequestAnswering, log: Logger, on given: (any EventLoop)? = nil
    ) {
        self.answers = answers
        self.log = log
        admission = RequestGuard(hosts: settings.hosts, origins: settings.origins)
        security = SecurityHeaders(settings)
        proxies = TrustedProxies(settings.trustedProxies)
        let made = given == nil ? MultiThreadedEventLoopGroup(numberOfThreads: 1) : nil
        group = made
        loop = given ?? made?.next() ?? MultiThreadedEventLoopGroup.singleton.next()
        state = NIOLoopBoundBox<HTTPServerState>.makeBoxSendingValue(HTTPServerState(), eventLoop: loop)
    }

    /// Waits for connections at an address, encrypted as `tls` says for each; returns it with the port that was chosen.
    package func listen(on address: SocketAddress, tls: (@Sendable () -> NIOSSLContext?)? = nil) async throws
        -> SocketAddress?
    {
        keep(try await bootstrap(tls: tls).bind(to: address).get())
    }

    /// The same for a host's name; `*` is every address of this machine, `localhost` both of that name.
    @concurrent
    package func listen(host: String, port: Int, tls: (@Sendable () -> NIOSSLContext?)? = nil) async throws
        -> SocketAddress?
    {
        switch host {
        case "*":
            // The address of all addresses of version 6 takes version 4 too, where there is a version 6.
            let all = try SocketAddress(ipAddress: "::", port: port)
            if let bound = try? await listen(on: all, tls: tls) { return bound }
            return try await listen(on: SocketAddress(ipAddress: "0.0.0.0", port: port), tls: tls)
        case "localhost":
            let bound = try await listen(on: SocketAddress(ipAddress: "127.0.0.1", port: port), tls: tls)
            if port != 0 { _ = try? await listen(on: SocketAddress(ipAddress: "::1", port: port), tls: tls) }
            return bound
        default: return try await listen(on: SocketAddress.makeAddressResolvingHost(host, port: port), tls: tls)
        }
    }

    /// Waits for connections on a socket that the service manager bound.
    package func listen(onInherited descriptor: CInt) async throws -> SocketAddress? {
        keep(try await bootstrap(tls: nil).withBoundSocket(descriptor).get())
    }

    private func keep(_ listener: any Channel) -> SocketAddress? {
        loop.execute { [state] in state.value.listeners.append(listener) }
        return listener.localAddress
    }

    private func bootstrap(tls: (@Sendable () -> NIOSSLContext?)?) -> ServerBootstrap {
        ServerBootstrap(group: loop)
            .serverChannelOption(.backlog, value: 256)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .serverChannelInitializer { [log] channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(AcceptFaultHandler(logger: log))
                }
            }
            .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
            .childChannelOption(.maxMessagesPerRead, value: 1)
            .childChannelOption(
                .recvAllocator, value: AdaptiveRecvByteBufferAllocator(minimum: 256, initial: 1024, maximum: 16_384)
            )
            .childChannelOption(.writeBufferWaterMark, value: .init(low: 32 * 1024, high: 64 * 1024))
            .childChannelInitializer { [self] channel in
                channel.eventLoop.makeCompletedFuture { try accept(channel, tls: tls) }
            }
    }

    /// Prepares a connection, or closes it if there are too many; those of tests, no sockets, come this way too.
    package func accept(_ channel: any Channel, tls: (@Sendable () -> NIOSSLContext?)? = nil) throws {
        let pipeline = channel.pipeline.syncOperations
        if channel.eventLoop === loop {
            guard opened(channel) else { return channel.close(promise: nil) }
            channel.closeFuture.whenComplete { [self] _ in closed(channel) }
        }
        var facts = ConnectionFacts()
        (facts.peer, facts.localPort) = (channel.remoteAddress, channel.localAddress?.port)
        facts.isLoopback = channel.localAddress?.ipAddress.flatMap { IPAddress($0) }?.isLoopback ?? false
        facts.eventLoop = channel.eventLoop
        if let tls {
            guard let context = tls() else { return channel.close(promise: nil) }
            facts.isEncrypted = true
            try pipeline.addHandler(NIOSSLServerHandler(context: context))
        }
        var limits = NIOHTTPDecoderLimitConfiguration()
        (limits.maxHeaderListSize, limits.maxHeaderFieldSize) = (WebLimits.header, WebLimits.header)
        limits.maxHeaderFieldCount = WebLimits.fields
        let handler = HTTPHandler(self, facts)
        if channel.eventLoop === loop, state.value.connections[ObjectIdentifier(channel)] != nil {
            state.value.handlers[ObjectIdentifier(channel)] = handler
        }
        try pipeline.addHandlers(
            ArrivalHandler(handler), HTTPResponseEncoder(),
            ByteToMessageHandler(
                HTTPRequestDecoder(
                    leftOverBytesStrategy: .forwardBytes, informationalResponseStrategy: .forward,
                    limitConfiguration: limits)),
            HTTPServerPipelineHandler(), HTTPResponseCompressor(responseCompressionPredicate: Self.isWorthCompressing),
            handler)
    }

    /// Texts of some size are; pictures and streams are compressed already.
    private static func isWorthCompressing(
        _ head: inout HTTPResponseHead, _ isSupported: Bool
    ) -> HTTPResponseCompressor.CompressionIntent {
        let type = head.headers.first(name: "content-type") ?? ""
        let size = head.headers.first(name: "content-length").flatMap { Int($0) } ?? 0
        let isText = ["text/", "application/json", "application/manifest", "image/svg"].contains { type.hasPrefix($0) }
        guard isText, !type.hasPrefix("text/event-stream") else { return .doNotCompress }
        head.headers.add(name: "vary", value: "accept-encoding")
        return size >= 1024 ? .compressIfPossible : .doNotCompress
    }

    /// Stops listening and closes everything.
    package func shutDown() async {
        let closing = try? await loop.submit { [state] in
            state.value.isShutDown = true
            for (channel, _) in state.value.connections.values { channel.close(promise: nil) }
            return state.value.listeners
        }.get()
        for listener in closing ?? [] { try? await listener.close() }
        try? await group?.shutdownGracefully()
    }

    var isShutDown: Bool { state.value.isShutDown }

    /// Lets a request in, and returns the connection as it is for this one: from a trusted proxy's client.
    func admit(_ head: HTTPRequestHead, _ facts: ConnectionFacts) throws(RequestRefusal) -> ConnectionFacts {
        try admission.check(head, isLoopback: facts.isLoopback)
        var facts = facts
        facts.peer = try proxies.sender(of: head.headers, by: facts.peer)
        guard state.value.rates.takes(facts.peer?.household ?? []) else {
            throw RequestRefusal(.tooManyRequests, "Too many requests; wait a second.")
        }
        return facts
    }

    /// The answer to a browser that asks whether the page of another website may ask.
    func preflight(_ head: HTTPRequestHead) -> HTTPResponse {
        guard admission.allowedOrigin(head.headers) != nil else { return HTTPResponse(.noContent) }
        return HTTPResponse(
            .noContent,
            headers: [
                "access-control-allow-methods": "GET, POST, PUT, PATCH, DELETE",
                "access-control-allow-headers": "authorization, content-type", "access-control-max-age": "600",
            ])
    }

    /// An answer as it goes over the wire, for where no request has come to be answered.
    func bytes(of response: HTTPResponse) -> ByteBuffer {
        guard case .bytes(let body) = response.body else { return ByteBuffer() }
        var headers = response.headers
        security.add(to: &headers, allowedOrigin: nil)
        headers.replaceOrAdd(name: "content-length", value: String(body.readableBytes))
        headers.replaceOrAdd(name: "connection", value: "close")
        var text = "HTTP/1.1 \(response.status.code) \(response.status.reasonPhrase)\r\n"
        for (name, value) in headers { text += "\(name): \(value)\r\n" }
        var bytes = ByteBuffer(string: text + "\r\n")
        bytes.writeImmutableBuffer(body)
        return bytes
    }

    func takeSocket(_ facts: ConnectionFacts) -> AddressShares.Place? { sockets.take(facts.peer) }

    private func opened(_ channel: any Channel) -> Bool {
        let household = channel.remoteAddress?.household ?? []
        let hasShare = state.value.addresses[household, default: 0] < WebLimits.connectionsOfAddress
        // A proxy has the connections of all its clients.
        guard !isShutDown, hasShare || proxies.contain(channel.remoteAddress) else { return false }
        if state.value.connections.count >= WebLimits.connections, !makeRoom() { return false }
        state.value.connections[ObjectIdentifier(channel)] = (channel, household)
        state.value.addresses[household, default: 0] += 1
        return true
    }

    /// Closes the connection that has waited for longest without a request; false where all are being answered.
    private func makeRoom() -> Bool {
        let waiting = state.value.handlers.compactMap { key, handler in handler.waitsSince.map { (key, $0) } }
        guard let (key, _) = waiting.min(by: { $0.1 < $1.1 }), let channel = state.value.connections[key]?.channel
        else { return false }
        closed(channel)
        channel.close(promise: nil)
        return true
    }

    private func closed(_ channel: any Channel) {
        let key = ObjectIdentifier(channel)
        state.value.handlers[key] = nil
        guard let household = state.value.connections.removeValue(forKey: key)?.household else { return }
        let left = state.value.addresses[household, default: 1] - 1
        state.value.addresses[household] = left > 0 ? left : nil
    }
}

struct HTTPServerState {
    var listeners: [any Channel] = []
    var connections: [ObjectIdentifier: (channel: any Channel, household: [UInt8])] = [:]
    var handlers: [ObjectIdentifier: HTTPHandler] = [:]
    var addresses: [[UInt8]: Int] = [:]
    var rates = RequestRates()
    var isShutDown = false
}

/// Tells the handler of requests that bytes arrived, which may not be a whole head yet.
final class ArrivalHandler: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer

    private let handler: HTTPHandler

    init(_ handler: HTTPHandler) { self.handler = handler }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        handler.arrived()
        context.fireChannelRead(data)
    }
}
