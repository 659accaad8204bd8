import NIOCore
import NIOPosix
import Synchronization

/// A server on 127.0.0.1 that sends what a test tells it to, byte by byte, whatever HTTP makes of it, and counts what
/// the other side takes.
///
/// - Isolation: any.
package final class RawServer: Sendable {
    /// A request of HTTP, as far as tests look at one.
    package struct Request: Sendable {
        /// Such as `GET`.
        package var method: String
        /// The path with its query.
        package var target: String
        /// By names in lower case.
        package var headers: [String: String]
        /// What followed the head.
        package var body: [UInt8]

        /// The target without its query.
        package var path: String { String(target.prefix { $0 != "?" }) }
    }

    /// The bytes that go back, and what follows them.
    package struct Answer: Sendable {
        /// What follows.
        package enum Ending: Sendable {
            /// The server hangs up.
            case closes
            /// The connection serves another request.
            case stays
            /// The same piece again and again, as fast as it is taken, until the other side goes.
            case repeats([UInt8])
            /// A piece now and then, until the other side goes; an empty one is silence.
            case drips([UInt8])
        }

        /// What comes first.
        package var bytes: [UInt8]
        /// What follows.
        package var ending: Ending

        /// Bytes as they are.
        package init(_ bytes: [UInt8], then ending: Ending = .closes) { (self.bytes, self.ending) = (bytes, ending) }

        /// An answer of HTTP in its proper form; the connection stays open.
        package static func page(
            _ body: [UInt8], type: String = "application/json", _ lines: [String] = [], status: String = "200 OK"
        ) -> Answer {
            Answer(
                head(["Content-Type: \(type)", "Content-Length: \(body.count)"] + lines, status) + body, then: .stays)
        }

        /// The head of an answer, and a body that need not fit it.
        package static func raw(
            _ lines: [String], status: String = "200 OK", body: String = "", then ending: Ending = .closes
        ) -> Answer {
            Answer(head(["Content-Type: application/json"] + lines, status) + Array(body.utf8), then: ending)
        }

        private static func head(_ lines: [String], _ status: String) -> [UInt8] {
            Array((["HTTP/1.1 \(status)"] + lines + ["", ""]).joined(separator: "\r\n").utf8)
        }
    }

    private struct State {
        var requests: [Request] = []
        var sent = 0
        var connections: [ObjectIdentifier: any Channel] = [:]
        var answer: @Sendable (Request) -> Answer
    }

    /// Between two pieces that drip.
    fileprivate static let pause = TimeAmount.milliseconds(20)

    private let state: Mutex<State>
    private let listener: Mutex<(any Channel)?> = Mutex(nil)

    private init(_ answer: @escaping @Sendable (Request) -> Answer) { state = Mutex(State(answer: answer)) }

    /// Starts a server that answers as `answer` says.
    package static func start(
        _ answer: @escaping @Sendable (Request) -> Answer = { _ in .page([], status: "404 Not Found") }
    ) async throws -> RawServer {
        let server = RawServer(answer)
        let listener = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .serverChannelOption(.backlog, value: 256)
            // What lies in the system's buffers would count as taken.
            .childChannelOption(.socketOption(.so_sndbuf), value: 1 << 16)
            .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(RawHandler(server))
                    server.opened(channel)
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        server.listener.withLock { $0 = listener }
        return server
    }

    /// Closes the port and every connection.
    package func stop() async {
        let listener = listener.withLock { $0 }
        try? await listener?.close()
        await hangUp()
    }

    /// Closes every connection.
    package func hangUp() async {
        let connections = state.withLock { Array($0.connections.values) }
        for connection in connections { try? await connection.close() }
    }

    /// The address for clients.
    package var url: String { "http://127.0.0.1:\(port)" }

    /// The port.
    package var port: Int { listener.withLock { $0?.localAddress?.port } ?? 0 }

    /// Answers like this from now on, and forgets what was asked and sent before.
    package func answer(_ answer: @escaping @Sendable (Request) -> Answer) {
        state.withLock { ($0.answer, $0.requests, $0.sent) = (answer, [], 0) }
    }

    /// Answers everything like this from now on, and forgets what was asked and sent before.
    package func answer(_ answer: Answer) { self.answer { _ in answer } }

    /// What was asked for, in order.
    package var requests: [Request] { state.withLock { $0.requests } }

    /// How many bytes the other side took of the answers, and the system for it.
    package var sent: Int { state.withLock { $0.sent } }

    /// How many connections are open.
    package var connectionCount: Int { state.withLock { $0.connections.count } }

    private func opened(_ channel: any Channel) {
        state.withLock { $0.connections[ObjectIdentifier(channel)] = channel }
        channel.closeFuture.whenComplete { _ in
            self.state.withLock { _ = $0.connections.removeValue(forKey: ObjectIdentifier(channel)) }
        }
    }

    fileprivate func took(_ count: Int) { state.withLock { $0.sent += count } }

    fileprivate func respond(to request: Request) -> Answer {
        let answer = state.withLock { state in
            state.requests.append(request)
            return state.answer
        }
        return answer(request)
    }
}

/// Serves one connection.
///
/// - Isolation: the connection's event loop.
private final class RawHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let server: RawServer
    private var received: [UInt8] = []
    /// Whether an answer is on its way, or has no end.
    private var isBusy = false

    init(_ server: RawServer) { self.server = server }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        received += unwrapInboundIn(data).readableBytesView
        serve(context)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }

    private func serve(_ context: ChannelHandlerContext) {
        guard !isBusy, let request = takeRequest() else { return }
        isBusy = true
        let answer = server.respond(to: request)
        let loop = NIOLoopBound((handler: self, context: context), eventLoop: context.eventLoop)
        write(answer.bytes, context) {
            let (handler, context) = loop.value
            switch answer.ending {
            case .closes: context.close(promise: nil)
            case .repeats(let piece): handler.repeat(piece, after: .zero, context)
            case .drips(let piece): handler.repeat(piece, after: RawServer.pause, context)
            case .stays:
                handler.isBusy = false
                handler.serve(context)
            }
        }
    }

    private func `repeat`(_ piece: [UInt8], after pause: TimeAmount, _ context: ChannelHandlerContext) {
        let loop = NIOLoopBound((handler: self, context: context), eventLoop: context.eventLoop)
        // Also without a pause other connections of this thread have their turn.
        context.eventLoop.scheduleTask(in: pause) {
            let (handler, context) = loop.value
            guard context.channel.isActive else { return }
            handler.write(piece, context) {
                let (handler, context) = loop.value
                handler.repeat(piece, after: pause, context)
            }
        }
    }

    /// Writes bytes; `then` follows once the system has taken them.
    private func write(
        _ bytes: [UInt8], _ context: ChannelHandlerContext, then: @escaping @Sendable () -> Void
    ) {
        let server = server
        let promise = context.eventLoop.makePromise(of: Void.self)
        promise.futureResult.whenSuccess {
            server.took(bytes.count)
            then()
        }
        context.writeAndFlush(wrapOutboundOut(ByteBuffer(bytes: bytes)), promise: promise)
    }

    /// The next whole request; nil while there is none.
    private func takeRequest() -> RawServer.Request? {
        guard let end = received.firstRange(of: Array("\r\n\r\n".utf8)) else { return nil }
        let lines = String(decoding: received[..<end.lowerBound], as: UTF8.self).split(separator: "\r\n")
        let words = lines.first?.split(separator: " ") ?? []
        var headers: [String: String] = [:]
        for line in lines.dropFirst() {
            let name = line.prefix { $0 != ":" }
            headers[name.lowercased()] = String(line.dropFirst(name.count + 1).drop { $0 == " " })
        }
        let length = headers["content-length"].flatMap { Int($0) } ?? 0
        guard received.count - end.upperBound >= length else { return nil }
        let body = Array(received[end.upperBound..<(end.upperBound + length)])
        received.removeFirst(end.upperBound + length)
        return RawServer.Request(
            method: words.first.map(String.init) ?? "", target: words.dropFirst().first.map(String.init) ?? "",
            headers: headers, body: body)
    }
}
