import NIOCore

/// The door: closes connections beyond the limits unanswered, and those whose request is too long.
///
/// - Isolation: the server's event loop.
final class AdmissionHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    private let audience: Audience
    /// Where the client is, once it was let in.
    private var address: String?
    private var received = 0

    init(_ audience: Audience) { self.audience = audience }

    func channelActive(context: ChannelHandlerContext) {
        let address = context.remoteAddress?.ipAddress ?? ""
        guard audience.admits(address) else { return context.close(promise: nil) }
        self.address = address
        audience.connected(address)
        context.fireChannelActive()
    }

    func channelInactive(context: ChannelHandlerContext) {
        if let address { audience.disconnected(address) }
        address = nil
        context.fireChannelInactive()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard address != nil else { return }
        received = min(received + unwrapInboundIn(data).readableBytes, .max / 2)
        // One who listens has nothing more to say, either.
        guard received <= audience.settings.longestRequest else { return context.close(promise: nil) }
        context.fireChannelRead(data)
    }
}
