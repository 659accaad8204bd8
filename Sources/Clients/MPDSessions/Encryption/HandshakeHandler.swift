import NIOCore
import NIOTLS
import ServerLoop

/// Waits for the end of a client's handshake, but not for long, and then makes it a session.
final class HandshakeHandler: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer

    private let timeout: TimeAmount
    private let completed: (ChannelHandlerContext) -> Void
    private let ended: () -> Void
    private var alarm: Scheduled<Void>?
    private var hasEnded = false

    /// `completed` is called after a successful handshake, `ended` once after every handshake.
    init(timeout: TimeAmount, completed: @escaping (ChannelHandlerContext) -> Void, ended: @escaping () -> Void) {
        (self.timeout, self.completed, self.ended) = (timeout, completed, ended)
    }

    func handlerAdded(context: ChannelHandlerContext) {
        let channel = context.channel
        alarm = context.eventLoop.assumeIsolated().scheduleTask(in: timeout) { channel.close(promise: nil) }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case .handshakeCompleted? = event as? TLSUserEvent, !hasEnded {
            end()
            completed(context)
            context.pipeline.syncOperations.removeHandler(context: context, promise: nil)
        }
        context.fireUserInboundEventTriggered(event)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
    func handlerRemoved(context: ChannelHandlerContext) { end() }

    private func end() {
        guard !hasEnded else { return }
        hasEnded = true
        alarm?.cancel()
        alarm = nil
        ended()
    }
}
