import NIOCore
import NIOHTTP1
import NetworkAddresses
import Outputs
import ServerLoop

/// One connection: its request, the answer, and then the stream for as long as it is read.
/// - Isolation: the server's event loop.
final class ListenerHandler: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = HTTPServerResponsePart
    private let audience: Audience
    private let admission: AdmissionHandler
    private var context: ChannelHandlerContext?
    private var timeout: Scheduled<Void>?
    private var request: HTTPRequestHead?
    private var isListening = false
    private var titles: TitleInterleaver?

    init(_ audience: Audience, _ admission: AdmissionHandler) {
        (self.audience, self.admission) = (audience, admission)
    }

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        closeLater(context)
    }

    private func closeLater(_ context: ChannelHandlerContext) {
        let channel = context.channel
        timeout = context.eventLoop.scheduleTask(in: .seconds(audience.settings.patience)) {
            channel.close(promise: nil)
        }
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        timeout?.cancel()
        if isListening { audience.remove(self) }
        self.context = nil
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let head): request = request ?? head
        case .body: break
        case .end:
            guard let request, !isListening else { return }
            timeout?.cancel()
            answer(request, context)
        }
    }

    // MARK: Answers

    /// Files that browsers and robots ask for on their own.
    private static let notOurs: Set<String> = ["/favicon.ico", "/robots.txt", "/sitemap.xml"]

    private func answer(_ request: HTTPRequestHead, _ context: ChannelHandlerContext) {
        let isRelay = request.headers.first(name: RelayMark.field) == RelayMark.value
        guard admission.asked(isRelay: isRelay) else { return context.close(promise: nil) }
        let path = request.uri.split(separator: "?", maxSplits: 1).first.map(String.init) ?? "/"
        guard request.method == .GET || request.method == .HEAD else {
            return refuse(.methodNotAllowed, "Only GET and HEAD are known here.\n", request, context)
        }
        guard !Self.notOurs.contains(path), !path.hasPrefix("/.well-known/") else {
            return refuse(.notFound, "There is nothing but the stream here.\n", request, context)
        }
        guard !isRebound(request.headers, context) else {
            return refuse(
                .misdirectedRequest, "No browser is answered by that name; add it to hosts in [web].\n", request,
                context)
        }
        if let refusal = audience.refusal { return refuse(.serviceUnavailable, refusal, request, context) }
        begin(request, context)
    }

    /// True if a browser asks by a name that a stranger may own and have pointed here: it would take the stream for
    /// that website's own, and let its scripts read it. Players run no scripts, and may use any name.
    private func isRebound(_ headers: HTTPHeaders, _ context: ChannelHandlerContext) -> Bool {
        guard audience.settings.output.allowedOrigin != "*", Self.areOfBrowser(headers) else { return false }
        let hosts = headers["host"]
        guard hosts.count == 1, let host = hosts.first else { return true }
        let isLoopback = context.channel.localAddress?.ipAddress.flatMap { IPAddress($0) }?.isLoopback ?? false
        return !audience.settings.names.contain(host, isLoopback: isLoopback)
    }

    /// Scripts can change some of these fields, but not take away all of them.
    private static func areOfBrowser(_ headers: HTTPHeaders) -> Bool {
        headers.contains { name, _ in name.lowercased().hasPrefix("sec-fetch-") }
            || ["origin", "referer", "cookie"].contains { headers.contains(name: $0) }
            || headers["user-agent"].contains { $0.contains("Mozilla/") }
            || headers.contains(name: "accept-language") && headers.contains(name: "accept-encoding")
    }

    private func refuse(
        _ status: HTTPResponseStatus, _ text: String, _ request: HTTPRequestHead, _ context: ChannelHandlerContext
    ) {
        var headers = HTTPHeaders([
            ("Content-Type", "text/plain; charset=utf-8"), ("Content-Length", String(text.utf8.count)),
            ("Connection", "close"),
        ])
        allowOrigin(&headers)
        if status == .serviceUnavailable { headers.add(name: "Retry-After", value: "5") }
        if status == .methodNotAllowed { headers.add(name: "Allow", value: "GET, HEAD") }
        write(.head(HTTPResponseHead(version: .http1_1, status: status, headers: headers)), context)
        if request.method != .HEAD { write(.body(.byteBuffer(ByteBuffer(string: text))), context) }
        end(context)
    }

    private func begin(_ request: HTTPRequestHead, _ context: ChannelHandlerContext) {
        let settings = audience.settings
        var headers = HTTPHeaders([
            ("Content-Type", settings.contentType), ("Connection", "close"), ("Pragma", "no-cache"),
            ("Cache-Control", "no-cache, no-store"), ("icy-name", settings.name.withoutControls),
        ])
        allowOrigin(&headers)
        if let genre = settings.output.genre { headers.add(name: "icy-genre", value: genre.withoutControls) }
        if let website = settings.output.website { headers.add(name: "icy-url", value: website.withoutControls) }
        if settings.hasTitlesBetween, request.headers.first(name: "Icy-MetaData") == "1" {
            headers.add(name: "icy-metaint", value: String(TitleInterleaver.interval))
            titles = TitleInterleaver(title: audience.title)
        }
        write(.head(HTTPResponseHead(version: .http1_1, status: .ok, headers: headers)), context)
        guard request.method == .GET else { return end(context) }
        context.flush()
        isListening = true
        audience.join(self)
    }

    /// Without the header a browser lets a page of another website play the stream, but not look into it.
    private func allowOrigin(_ headers: inout HTTPHeaders) {
        guard let origin = audience.settings.output.allowedOrigin else { return }
        headers.add(name: "Access-Control-Allow-Origin", value: origin.withoutControls)
    }

    private func write(_ part: HTTPServerResponsePart, _ context: ChannelHandlerContext) {
        context.write(wrapOutboundOut(part), promise: nil)
    }

    private func end(_ context: ChannelHandlerContext) {
        let done = context.eventLoop.makePromise(of: Void.self)
        let channel = context.channel
        done.futureResult.whenComplete { _ in channel.close(promise: nil) }
        context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: done)
        // A client that doesn't read the end doesn't hold the connection open with it.
        closeLater(context)
    }

    // MARK: The stream

    func send(_ bytes: ByteBuffer) {
        guard isListening, let context else { return }
        let waiting = (try? context.channel.syncOptions?.getOption(.bufferedWritableBytes)) ?? 0
        guard waiting <= audience.settings.backlog else {
            isListening = false
            audience.disconnect(self)
            return context.close(promise: nil)
        }
        write(.body(.byteBuffer(titles?.weave(bytes) ?? bytes)), context)
        context.flush()
    }

    func titleChanged() { titles?.title = audience.title }

    func hangUp() {
        guard isListening, let context else { return }
        isListening = false
        end(context)
    }
}

/// The door: closes connections beyond the limits unanswered, and those whose request is too long.
/// - Isolation: the server's event loop.
final class AdmissionHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer
    private let audience: Audience
    private var address: String?
    private var isRelay = false
    private var received = 0

    init(_ audience: Audience) { self.audience = audience }

    func channelActive(context: ChannelHandlerContext) {
        let address = Self.household(context.remoteAddress?.ipAddress ?? "")
        guard audience.admits(address) else { return context.close(promise: nil) }
        self.address = address
        audience.connected(address)
        context.fireChannelActive()
    }

    /// By what clients are counted: an address or, with IPv6, the network of 64 bits that one household has.
    private static func household(_ address: String) -> String {
        guard let household = IPAddress(address)?.household, household.count < 16 else { return address }
        return household.description
    }

    func channelInactive(context: ChannelHandlerContext) {
        if let address { audience.disconnected(address, isRelay: isRelay) }
        address = nil
        context.fireChannelInactive()
    }

    func asked(isRelay: Bool) -> Bool {
        guard let address else { return false }
        self.isRelay = isRelay
        return audience.asked(from: address, isRelay: isRelay)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard address != nil else { return }
        received = min(received + unwrapInboundIn(data).readableBytes, .max / 2)
        // A listener has nothing more to say, either.
        guard received <= audience.settings.maxRequestLength else { return context.close(promise: nil) }
        context.fireChannelRead(data)
    }
}
