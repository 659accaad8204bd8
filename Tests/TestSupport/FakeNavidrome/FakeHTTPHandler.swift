import NIOCore
import NIOHTTP1

/// Serves one connection: collects a request, has it answered, writes the answer, with the faults that apply.
///
/// - Isolation: the connection's event loop.
final class FakeHTTPHandler: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = HTTPServerResponsePart

    private let server: FakeNavidrome
    private var head: HTTPRequestHead?
    private var body: [UInt8] = []

    init(server: FakeNavidrome) { self.server = server }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let head):
            self.head = head
            body = []
        case .body(let buffer): body += buffer.readableBytesView
        case .end:
            guard let head else { return }
            self.head = nil
            answer(head, context)
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }

    private func answer(_ head: HTTPRequestHead, _ context: ChannelHandlerContext) {
        let request = Self.request(head, body)
        let changes = server.faultChanges
        var outcome = server.outcome(of: request)
        outcome.faultChanges = changes
        let (loop, answer) = (
            NIOLoopBound((handler: self, context: context), eventLoop: context.eventLoop), outcome
        )
        let isKept = head.isKeepAlive
        let acceptsGzip = request.headers["accept-encoding"]?.contains("gzip") ?? false
        let write: @Sendable () -> Void = {
            let (handler, context) = loop.value
            if answer.isPicture { handler.server.pictureDone() }
            handler.write(answer, packed: acceptsGzip, isKept: isKept, context)
        }
        if outcome.isHeld {
            let eventLoop = context.eventLoop
            server.hold(since: changes) { eventLoop.execute(write) }
        } else if outcome.delay == .zero {
            write()
        } else {
            context.eventLoop.scheduleTask(in: outcome.delay, write)
        }
    }

    private static func request(_ head: HTTPRequestHead, _ body: [UInt8]) -> FakeRequest {
        let path = String(head.uri.prefix { $0 != "?" })
        let query = String(head.uri.dropFirst(path.count + 1))
        var form = query
        if head.method == .POST { form += (form.isEmpty ? "" : "&") + String(decoding: body, as: UTF8.self) }
        let headers = Dictionary(
            head.headers.map { ($0.name.lowercased(), $0.value) }, uniquingKeysWith: { "\($0), \($1)" })
        return FakeRequest(
            method: head.method.rawValue, path: path, query: query, parameters: FakeParameter.parse(form),
            headers: headers, body: body)
    }

    // MARK: Writing

    private func write(_ outcome: FakeOutcome, packed: Bool, isKept: Bool, _ context: ChannelHandlerContext) {
        if outcome.isEventStream { return openEventStream(context) }
        guard let answer = outcome.answer else { return context.close(promise: nil) }
        var body = answer.body
        var headers = HTTPHeaders(answer.headers.map { ($0.name, $0.value) })
        if packed && answer.isJSON && body.count > 1400 {
            body = FakeMedia.gzip(body)
            headers.add(name: "Content-Encoding", value: "gzip")
        }
        if answer.announcesLength { headers.add(name: "Content-Length", value: String(body.count)) }
        if !isKept { headers.add(name: "Connection", value: "close") }
        let head = HTTPResponseHead(
            version: .http1_1, status: HTTPResponseStatus(statusCode: answer.status), headers: headers)
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        if let limit = outcome.cutAfter, limit < body.count {
            write(body[..<limit], context)
            context.flush()
            return context.close(promise: nil)
        }
        let rest = NIOLoopBound((handler: self, context: context), eventLoop: context.eventLoop)
        let finish: @Sendable () -> Void = {
            let (handler, context) = rest.value
            let promise = context.eventLoop.makePromise(of: Void.self)
            if !isKept { promise.futureResult.whenComplete { _ in rest.value.context.close(promise: nil) } }
            context.writeAndFlush(handler.wrapOutboundOut(.end(nil)), promise: promise)
        }
        if let limit = outcome.pausedAfter, limit < body.count {
            write(body[..<limit], context)
            context.flush()
            let (later, eventLoop) = (body[limit...], context.eventLoop)
            return server.hold(since: outcome.faultChanges) {
                eventLoop.execute {
                    let (handler, context) = rest.value
                    guard context.channel.isActive else { return }
                    handler.write(later, context)
                    finish()
                }
            }
        }
        guard let rate = outcome.bytesPerSecond else {
            write(body[...], context)
            return finish()
        }
        trickle(body[...], rate, context, then: finish)
    }

    /// Sends a head and then events for as long as the connection lasts.
    private func openEventStream(_ context: ChannelHandlerContext) {
        let headers = HTTPHeaders([("Content-Type", "text/event-stream"), ("Cache-Control", "no-cache")])
        let head = HTTPResponseHead(version: .http1_1, status: .ok, headers: headers)
        context.writeAndFlush(wrapOutboundOut(.head(head)), promise: nil)
        let loop = NIOLoopBound((handler: self, context: context), eventLoop: context.eventLoop)
        let channel = context.channel
        server.addListener(channel) { text in
            channel.eventLoop.execute {
                let (handler, context) = loop.value
                guard context.channel.isActive else { return }
                handler.write(Array(text.utf8)[...], context)
                context.flush()
            }
        }
        // Navidrome's own interval; who hears nothing for longer takes the connection for lost.
        let pulse = channel.eventLoop.scheduleRepeatedTask(initialDelay: .seconds(15), delay: .seconds(15)) { _ in
            let (handler, context) = loop.value
            handler.write(Array("event: keepAlive\ndata: {}\n\n".utf8)[...], context)
            context.flush()
        }
        channel.closeFuture.whenComplete { _ in pulse.cancel() }
    }

    private func write(_ bytes: ArraySlice<UInt8>, _ context: ChannelHandlerContext) {
        if bytes.isEmpty { return }
        context.write(wrapOutboundOut(.body(.byteBuffer(context.channel.allocator.buffer(bytes: bytes)))), promise: nil)
    }

    /// Writes a tenth of a second's bytes ten times a second.
    private func trickle(
        _ bytes: ArraySlice<UInt8>, _ rate: Int, _ context: ChannelHandlerContext,
        then finish: @escaping @Sendable () -> Void
    ) {
        if bytes.isEmpty { return finish() }
        let piece = bytes.prefix(max(1, rate / 10))
        write(piece, context)
        context.flush()
        let rest = bytes.dropFirst(piece.count)
        let loop = NIOLoopBound((handler: self, context: context), eventLoop: context.eventLoop)
        context.eventLoop.scheduleTask(in: .milliseconds(100)) {
            let (handler, context) = loop.value
            if context.channel.isActive { handler.trickle(rest, rate, context, then: finish) }
        }
    }
}

/// What happens to a request.
struct FakeOutcome: Sendable {
    /// What goes back; nil closes the connection.
    var answer: FakeAnswer?
    var delay = TimeAmount.zero
    /// Whether it is sent with the next change of the faults.
    var isHeld = false
    /// How often the faults had changed when the request came.
    var faultChanges = 0
    var cutAfter: Int?
    /// Behind how many bytes the rest waits for the next change of the faults.
    var pausedAfter: Int?
    var bytesPerSecond: Int?
    /// Whether events follow for as long as the connection lasts.
    var isEventStream = false
    /// Whether it counts as a picture in flight until it is written.
    var isPicture = false
}
