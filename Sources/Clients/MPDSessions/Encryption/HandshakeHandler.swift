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

/// Has the steps of all clients' handshakes wait in line for the event loop, one each time that it has polled its
/// sockets: a step takes a tenth of a millisecond, or more than one with a key of RSA. Meanwhile nothing more is read
/// of a client whose turn has not come.
final class HandshakePacer: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer
    typealias OutboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let share: LoopShare
    private var context: ChannelHandlerContext?
    private var received: [NIOAny] = []
    private var isWaiting = false
    private var holdsRead = false
    private var isDone = false

    /// Makes one whose clients wait for the loop together with everybody else who has much to do.
    init(_ share: LoopShare) { self.share = share }
    func finish() { isDone = true }
    func handlerAdded(context: ChannelHandlerContext) { self.context = context }

    func handlerRemoved(context: ChannelHandlerContext) {
        self.context = nil
        received = []
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if isDone { return context.fireChannelRead(data) }
        received.append(data)
        guard !isWaiting else { return }
        isWaiting = true
        let pacer = NIOLoopBound(self, eventLoop: context.eventLoop)
        Task { @ServerActor [share] in
            await share.giveLoopBack()
            pacer.value.takeTurn()
        }
    }

    func channelReadComplete(context: ChannelHandlerContext) { if !isWaiting { context.fireChannelReadComplete() } }

    func read(context: ChannelHandlerContext) {
        if isWaiting { holdsRead = true } else { context.read() }
    }

    private func takeTurn() {
        isWaiting = false
        guard let context else { return }
        let data = received
        received = []
        for data in data { context.fireChannelRead(data) }
        context.fireChannelReadComplete()
        guard holdsRead else { return }
        holdsRead = false
        context.read()
    }
}
