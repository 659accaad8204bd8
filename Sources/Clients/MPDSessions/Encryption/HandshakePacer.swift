import NIOCore
import ServerLoop

/// Has the steps of all clients' handshakes wait in line for the event loop, one each time that it has polled its
/// sockets. A step takes a tenth of a millisecond, or more than one with a key of RSA; fifty clients that connect at
/// once would hold the loop for all of theirs together. Meanwhile nothing more is read of a client whose turn has not
/// come.
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
