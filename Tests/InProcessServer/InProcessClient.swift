package import NIOCore
import NIOEmbedded
package import ServerLoop

/// A client whose connection is memory: it hands bytes to a session and looks at the answers as they come.
///
/// - Isolation: ServerActor.
@ServerActor
package final class InProcessClient {
    private let channel = EmbeddedChannel()
    private let output: OutputHandler

    init(isSlow: Bool) { output = OutputHandler(isSlow: isSlow) }

    func open(_ accept: (any Channel) -> EventLoopFuture<Void>) throws {
        try channel.pipeline.syncOperations.addHandler(output)
        accept(channel).assumeIsolated().whenComplete { _ in }
        channel.connect(to: try SocketAddress(unixDomainSocketPath: "/memory"), promise: nil)
        run()
    }

    /// Sees every piece that the server sends.
    package var onOutput: (ByteBuffer) -> Void {
        get { output.onOutput }
        set { output.onOutput = newValue }
    }

    /// Is called once when the connection is closed, by whichever side.
    package var onClose: () -> Void {
        get { output.onClose }
        set { output.onClose = newValue }
    }

    /// Whether the connection is still open.
    package var isOpen: Bool { channel.isActive }

    /// Hands bytes to the session as one read of the socket would.
    package func send(_ bytes: ByteBuffer) {
        guard channel.isActive else { return }
        channel.pipeline.fireChannelRead(bytes)
        channel.pipeline.fireChannelReadComplete()
        run()
    }

    /// Sends no more but still takes answers.
    package func endInput() {
        guard channel.isActive else { return }
        channel.pipeline.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
        run()
    }

    /// Goes away at once.
    package func close() {
        guard channel.isActive else { return }
        channel.close(promise: nil)
        run()
    }

    private func run() { channel.embeddedEventLoop.run() }
}

/// The socket's side of the pipeline: takes what is written and tells when the channel closes.
private final class OutputHandler: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    var onOutput: (ByteBuffer) -> Void = { _ in }
    var onClose: () -> Void = {}
    private let isSlow: Bool

    init(isSlow: Bool) { self.isSlow = isSlow }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        let bytes = unwrapOutboundIn(data)
        promise?.succeed()
        guard bytes.readableBytes > 0 else { return }
        onOutput(bytes)
        guard isSlow, let channel = context.channel as? EmbeddedChannel, channel.isWritable else { return }
        // Full until the loop's next turn, so that the session has to wait.
        setWritable(channel, false)
        let held = NIOLoopBound((self, channel), eventLoop: ServerActor.eventLoop)
        ServerActor.eventLoop.execute { held.value.0.setWritable(held.value.1, true) }
    }

    func flush(context: ChannelHandlerContext) {}

    func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
        context.close(mode: mode, promise: promise)
        // The embedded loop finishes closing only when it is turned.
        let held = NIOLoopBound((self, context.channel as? EmbeddedChannel), eventLoop: ServerActor.eventLoop)
        ServerActor.eventLoop.execute {
            held.value.1?.embeddedEventLoop.run()
            held.value.0.closed()
        }
    }

    private func closed() {
        onClose()
        onClose = {}
    }

    private func setWritable(_ channel: EmbeddedChannel, _ isWritable: Bool) {
        channel.isWritable = isWritable
        channel.pipeline.fireChannelWritabilityChanged()
    }
}
