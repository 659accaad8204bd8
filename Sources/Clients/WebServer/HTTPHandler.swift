import NIOCore
import NIOHTTP1

/// One connection: collects a request at a time, has it answered, and writes the answer.
final class HTTPHandler: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = HTTPServerResponsePart

    private enum Phase {
        /// Between two requests.
        case idle
        /// The body of a request that may be answered comes in.
        case receiving(HTTPRequestHead, ByteBuffer)
        /// The rest of a request that was refused comes in.
        case refused
        case answering
        /// The connection belongs to another handler, or is closed.
        case done
    }

    private let server: HTTPServer
    private let connection: ConnectionFacts
    /// The connection as it is for the present request.
    private var facts: ConnectionFacts
    private var phase = Phase.idle
    private var context: ChannelHandlerContext?
    private var alarm: Scheduled<Void>?
    private var waiting = NIODeadline.now()
    /// True if bytes of the next request have arrived, but not its head.
    private var hasBegun = false
    /// True if what came behind the request that is being answered is no request.
    private var isBroken = false
    /// True if the last answer was written, and only waits to be read.
    private var isLeaving = false
    private var work: Task<Void, Never>?
    private var place: AddressShares.Place?
    private var events: SocketWriter?
    private var eventSocket: (owner: any SocketOwner, socket: MessageSocket)?

    init(_ server: HTTPServer, _ connection: ConnectionFacts) {
        (self.server, self.connection, facts) = (server, connection, connection)
    }

    var waitsSince: NIODeadline? {
        switch phase {
        case .idle, .receiving: waiting
        case .refused, .answering, .done: nil
        }
    }

    // MARK: Requests

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        setAlarm(WebLimits.request, context)
    }

    /// Bytes came: from the first of a request on, all of it has to come in time.
    func arrived() {
        guard case .idle = phase, !hasBegun, let context else { return }
        hasBegun = true
        setAlarm(WebLimits.request, context)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch (unwrapInboundIn(data), phase) {
        case (.head(let head), .idle): begin(head, context)
        case (.body(var part), .receiving(let head, var body)):
            guard body.readableBytes + part.readableBytes <= WebLimits.body else {
                return refuse(RequestRefusal(.payloadTooLarge, "The body is too large."), head, context)
            }
            // The phase lets go of the buffer first, or appending would copy it.
            phase = .refused
            body.writeBuffer(&part)
            phase = .receiving(head, body)
        case (.end, .receiving(let head, let body)): answer(head, body, context)
        case (.end, .refused): phase = .answering
        default: break
        }
    }

    private func begin(_ head: HTTPRequestHead, _ context: ChannelHandlerContext) {
        // The time for the whole request began with its first byte.
        if !hasBegun { setAlarm(WebLimits.request, context) }
        hasBegun = false
        do throws(RequestRefusal) {
            facts = try server.admit(head, connection)
            let length = head.headers.first(name: "content-length").flatMap { Int($0) } ?? 0
            guard length <= WebLimits.body else { throw RequestRefusal(.payloadTooLarge, "The body is too large.") }
            phase = .receiving(head, ByteBuffer())
        } catch {
            refuse(error, head, context)
        }
    }

    private func refuse(_ refusal: RequestRefusal, _ head: HTTPRequestHead, _ context: ChannelHandlerContext) {
        phase = .refused
        // The rest of the request would have to be read first; a new connection is simpler for both sides.
        write(server.answers.answer(to: refusal), to: head, keepsConnection: false, context)
    }

    private func answer(_ head: HTTPRequestHead, _ body: ByteBuffer, _ context: ChannelHandlerContext) {
        phase = .answering
        alarm?.cancel()
        if head.method == .OPTIONS { return write(server.preflight(head), to: head, context) }
        let request: HTTPRequest
        do {
            request = try HTTPRequest(
                head.method, head.uri, headers: head.headers, body: body, connection: facts)
        } catch {
            return write(server.answers.answer(to: error), to: head, context)
        }
        if let response = server.answers.answerAtOnce(to: request) { return write(response, to: head, context) }
        let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
        let (loop, answers) = (context.eventLoop, server.answers)
        work = Task {
            let response = await answers.answer(to: request)
            loop.execute {
                let (own, context) = bound.value
                guard case .answering = own.phase else { return own.abandon(response) }
                own.write(response, to: head, context)
            }
        }
    }

    // MARK: Answers

    private func write(
        _ response: HTTPResponse, to head: HTTPRequestHead, keepsConnection: Bool = true,
        _ context: ChannelHandlerContext
    ) {
        switch response.body {
        case .bytes(let bytes): write(bytes, response, head, keepsConnection, context)
        case .events(let owner): beginEvents(owner, response, head, context)
        case .webSocket(let owner, let subprotocol): becomeWebSocket(owner, subprotocol, head, context)
        case .stream(let source):
            writeHead(response, head, length: nil, keepsConnection: false, context)
            phase = .done
            source.begin(context.channel)
        }
    }

    private func write(
        _ bytes: ByteBuffer, _ response: HTTPResponse, _ head: HTTPRequestHead, _ keepsConnection: Bool,
        _ context: ChannelHandlerContext
    ) {
        let keepsConnection = keepsConnection && head.isKeepAlive && !server.isShutDown && !isBroken
        writeHead(response, head, length: bytes.readableBytes, keepsConnection: keepsConnection, context)
        let body = head.method == .HEAD ? ByteBuffer() : bytes
        writeRest(of: body, keepsConnection, held: response.held, context)
    }

    /// How many bytes are written before other connections have their turn: packing them takes a millisecond or two.
    private static let piece = 64 << 10

    /// Writes a body in pieces, each once the client has taken the one before.
    private func writeRest(
        of body: ByteBuffer, _ keepsConnection: Bool, held: (any Sendable)?, _ context: ChannelHandlerContext
    ) {
        setAlarm(WebLimits.stall, context)
        var body = body
        let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
        let piece = body.readSlice(length: min(Self.piece, body.readableBytes)) ?? ByteBuffer()
        guard body.readableBytes == 0 else {
            context.writeAndFlush(wrapOutboundOut(.body(.byteBuffer(piece)))).whenSuccess {
                [body, loop = context.eventLoop] in
                loop.execute {
                    let (own, context) = bound.value
                    if case .done = own.phase { return }
                    own.writeRest(of: body, keepsConnection, held: held, context)
                }
            }
            return
        }
        if piece.readableBytes > 0 { context.write(wrapOutboundOut(.body(.byteBuffer(piece))), promise: nil) }
        context.writeAndFlush(wrapOutboundOut(.end(nil))).whenComplete { _ in
            withExtendedLifetime(held) {}
            let (own, context) = bound.value
            own.finished(keepsConnection: keepsConnection, context)
        }
    }

    private func finished(keepsConnection: Bool, _ context: ChannelHandlerContext) {
        if case .done = phase { return }
        guard keepsConnection, !isBroken else { return closeWhenRead(context) }
        // The next request may be here already, as its head comes in before the last write is known to be done.
        if case .answering = phase { (phase, waiting) = (.idle, .now()) }
        setAlarm(WebLimits.idle, context)
    }

    private func writeHead(
        _ response: HTTPResponse, _ head: HTTPRequestHead, length: Int?, keepsConnection: Bool,
        _ context: ChannelHandlerContext
    ) {
        var headers = response.headers
        server.security.add(to: &headers, allowedOrigin: server.admission.allowedOrigin(head.headers))
        if let length, response.status != .notModified, response.status != .noContent {
            headers.replaceOrAdd(name: "content-length", value: String(length))
        }
        if !headers.contains(name: "cache-control") { headers.add(name: "cache-control", value: "no-store") }
        if !keepsConnection { headers.replaceOrAdd(name: "connection", value: "close") }
        let answer = HTTPResponseHead(version: .http1_1, status: response.status, headers: headers)
        context.write(wrapOutboundOut(.head(answer)), promise: nil)
    }

    // MARK: Endless answers

    private func beginEvents(
        _ owner: any SocketOwner, _ response: HTTPResponse, _ head: HTTPRequestHead, _ context: ChannelHandlerContext
    ) {
        guard let place = server.takeSocket(facts) else { return writeTooMany(head, context) }
        self.place = place
        phase = .done
        alarm?.cancel()
        var response = response
        response.headers.replaceOrAdd(name: "content-type", value: "text/event-stream; charset=utf-8")
        writeHead(response, head, length: nil, keepsConnection: false, context)
        context.flush()
        let bound = NIOLoopBound(context, eventLoop: context.eventLoop)
        let writer = SocketWriter(context.channel, .events) { bytes, promise in
            let part = HTTPServerResponsePart.body(.byteBuffer(Self.event(bytes)))
            bound.value.writeAndFlush(NIOAny(part), promise: promise)
        }
        let socket = MessageSocket(writer, loop: context.eventLoop)
        (events, eventSocket) = (writer, (owner, socket))
        setPulse(context)
        owner.opened(socket)
    }

    /// A comment now and then shows both sides that the other is there.
    private func setPulse(_ context: ChannelHandlerContext) {
        let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
        alarm = context.eventLoop.scheduleTask(in: .seconds(WebLimits.ping)) {
            let (own, context) = bound.value
            // One who hasn't read since the last time is gone.
            guard context.channel.isWritable else { return context.close(promise: nil) }
            let comment = HTTPServerResponsePart.body(.byteBuffer(ByteBuffer(string: ":\n\n")))
            context.writeAndFlush(NIOAny(comment), promise: nil)
            own.setPulse(context)
        }
    }

    /// A message as an event; messages are JSON on one line.
    private static func event(_ message: ByteBuffer) -> ByteBuffer {
        var bytes = ByteBuffer(string: "data: ")
        bytes.writeImmutableBuffer(message)
        bytes.writeStaticString("\n\n")
        return bytes
    }

    private func becomeWebSocket(
        _ owner: any SocketOwner, _ subprotocol: String?, _ head: HTTPRequestHead, _ context: ChannelHandlerContext
    ) {
        guard let accept = WebSocketUpgrade.acceptance(head.headers) else {
            let refusal = RequestRefusal(.badRequest, "This is no handshake of a WebSocket.")
            return write(server.answers.answer(to: refusal), to: head, context)
        }
        guard let place = server.takeSocket(facts) else { return writeTooMany(head, context) }
        phase = .done
        alarm?.cancel()
        var headers: HTTPHeaders = ["upgrade": "websocket", "connection": "upgrade", "sec-websocket-accept": accept]
        if let subprotocol { headers.add(name: "sec-websocket-protocol", value: subprotocol) }
        let answer = HTTPResponseHead(version: .http1_1, status: .switchingProtocols, headers: headers)
        context.writeAndFlush(wrapOutboundOut(.head(answer)), promise: nil)
        WebSocketUpgrade.exchangeHandlers(
            context.channel,
            for: WebSocketHandler(owner, subprotocol == "mpd" ? .webSocketBinary : .webSocketText, place))
    }

    private func writeTooMany(_ head: HTTPRequestHead, _ context: ChannelHandlerContext) {
        let refusal = RequestRefusal(.serviceUnavailable, "Too many pages are open.")
        write(server.answers.answer(to: refusal), to: head, context)
    }

    private func abandon(_ response: HTTPResponse) { if case .stream(let source) = response.body { source.abandon() } }

    // MARK: The end

    /// Closes the connection unless the next step comes in time.
    private func setAlarm(_ seconds: Int64, _ context: ChannelHandlerContext) {
        alarm?.cancel()
        alarm = context.eventLoop.assumeIsolated().scheduleTask(in: .seconds(seconds)) { [self] in tooLate() }
    }

    /// The next step did not come in time; a request that has begun is answered with an error.
    private func tooLate() {
        guard let context else { return }
        let refusal = RequestRefusal(
            .requestTimeout, "The request took too long to come; send all of it within \(WebLimits.request) seconds.")
        switch phase {
        case .idle where hasBegun: answerWithoutRequest(refusal, context)
        case .receiving(let head, _): refuse(refusal, head, context)
        default: context.close(promise: nil)
        }
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        events?.writabilityChanged()
        context.fireChannelWritabilityChanged()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        guard let error = error as? HTTPParserError, context.channel.isActive else {
            return context.close(promise: nil)
        }
        switch phase {
        case .idle:
            answerWithoutRequest(
                error == .headerOverflow
                    ? RequestRefusal(.requestHeaderFieldsTooLarge, "The header is too large.")
                    : RequestRefusal(.badRequest, "This is no request of HTTP/1.1."), context)
        case .receiving(let head, _):
            refuse(RequestRefusal(.badRequest, "The body is not as its header says."), head, context)
        // The request before has come as a whole, and its answer still goes out.
        case .answering: isBroken = true
        case .refused: break
        case .done: if !isLeaving { context.close(promise: nil) }
        }
    }

    private func answerWithoutRequest(_ refusal: RequestRefusal, _ context: ChannelHandlerContext) {
        phase = .done
        guard let wire = try? context.pipeline.syncOperations.context(handlerType: HTTPResponseEncoder.self) else {
            return context.close(promise: nil)
        }
        // The handlers between expect an answer to a request, and there was none.
        let answer = server.bytes(of: server.answers.answer(to: refusal))
        wire.writeAndFlush(NIOAny(answer), promise: nil)
        closeWhenRead(context)
    }

    /// Closes once the client has seen the answer; at once, what is still coming would make the system take it back.
    private func closeWhenRead(_ context: ChannelHandlerContext) {
        (phase, isLeaving) = (.done, true)
        setAlarm(WebLimits.linger, context)
        let channel = context.channel
        context.close(mode: .output).whenFailure { _ in channel.close(promise: nil) }
    }

    func channelInactive(context: ChannelHandlerContext) {
        end()
        context.fireChannelInactive()
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        phase = .done
        self.context = nil
        end()
    }

    private func end() {
        alarm?.cancel()
        alarm = nil
        work?.cancel()
        work = nil
        guard let (owner, socket) = eventSocket else { return }
        eventSocket = nil
        events = nil
        owner.closed(socket)
        place = nil
    }
}
