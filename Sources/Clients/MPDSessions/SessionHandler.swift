import NIOCore
import ServerLoop

/// Passes what happens on a socket to its session, synchronously and on the same loop.
final class SessionHandler: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundIn = ByteBuffer

    private let session: Session

    init(_ session: Session) { self.session = session }

    func channelActive(context: ChannelHandlerContext) {
        ServerActor.assumeIsolated { [session] in session.opened() }
        context.fireChannelActive()
    }

    func channelInactive(context: ChannelHandlerContext) {
        ServerActor.assumeIsolated { [session] in session.disconnected() }
        context.fireChannelInactive()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let bytes = unwrapInboundIn(data)
        ServerActor.assumeIsolated { [session] in session.received(bytes) }
    }

    /// Asks the socket for more, unless the session has enough to do; it asks again when it has caught up.
    func read(context: ChannelHandlerContext) {
        if ServerActor.assumeIsolated({ [session] in session.mayRead() }) { context.read() }
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        ServerActor.assumeIsolated { [session] in session.writabilityChanged() }
        context.fireChannelWritabilityChanged()
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case .inputClosed? = event as? ChannelEvent {
            ServerActor.assumeIsolated { [session] in session.inputEnded() }
        }
        context.fireUserInboundEventTriggered(event)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
    func handlerRemoved(context: ChannelHandlerContext) { ServerActor.assumeIsolated { [session] in session.closed() } }
}
