import MPDCommands
import MPDProtocol
import MusicModel
import NIOCore
import ServerLoop

/// One client's connection: frames lines, runs commands one after the other, and sends answers as they are taken. It
/// owns no task and no buffer while it waits. What can be answered at once is, inside the read; the rest is a `Batch`,
/// and what arrives meanwhile is kept.
@ServerActor
final class Session {
    /// The one thing that the session waits for.
    enum State {
        case line
        case idle(Subsystem)
        /// A batch of lines, whose answers come before everything else.
        case batch(Batch)
        /// The socket, which closes once it has taken what was written; a batch may still be ending.
        case finish(Batch?)
        case closed
    }

    let client: ClientState
    let server: MPDServer
    let channel: any Channel
    var socket = DirectSocket()
    var hubIndex: Int?

    private(set) var state = State.line
    var input = LineBuffer()
    var list: CommandList?
    /// The subsystems that changed since the client was told last.
    var unseen: Subsystem = []
    /// The slice of the loop's time in which the socket brought something last.
    var slice = -1
    var lastActivity = NIODeadline.now()

    init(client: ClientState, server: MPDServer, channel: any Channel) {
        self.client = client
        self.server = server
        self.channel = channel
        // Each holds the other until the connection is closed; a weak reference would make every use of a session
        // slower.
        client.deliver = { subsystems in self.notice(subsystems) }
    }

    var isOpen: Bool {
        switch state {
        case .line, .idle, .batch: true
        case .finish, .closed: false
        }
    }

    var isClosed: Bool { if case .closed = state { true } else { false } }

    var batch: Batch? {
        switch state {
        case .batch(let batch): batch
        case .finish(let batch): batch
        case .line, .idle, .closed: nil
        }
    }

    var idleMask: Subsystem? {
        get { if case .idle(let mask) = state { mask } else { batch?.idleMask } }
        set {
            if let batch {
                batch.idleMask = newValue
            } else if isOpen {
                state = newValue.map(State.idle) ?? .line
            }
        }
    }

    func begin(_ batch: Batch) { if isOpen { state = .batch(batch) } }

    func endBatch() {
        switch state {
        case .batch(let batch): state = batch.idleMask.map(State.idle) ?? .line
        case .finish: state = .finish(nil)
        case .line, .idle, .closed: break
        }
    }

    private func end() {
        let batch = batch
        state = .closed
        batch?.clientLeft(server.options.abandonedEditTimeout)
    }

    func opened() { channel.writeAndFlush(server.greetingBytes, promise: nil) }

    func received(_ bytes: ByteBuffer) {
        guard isOpen else { return }
        input.append(bytes)
        if batch == nil { answerLines() }
    }

    /// True if the socket may be asked for more; if not, it will be when the batch is done.
    func mayRead() -> Bool {
        guard let batch else { return true }
        batch.holdsRead = input.count >= LineBuffer.lineLimit
        return !batch.holdsRead
    }

    /// The client sends no more but may still read.
    func inputEnded() {
        guard let batch else { return finish() }
        batch.inputHasEnded = true
        // Whether it still reads can't be told before something is sent to it.
        ServerActor.after(server.options.halfClosedTimeout) { [weak batch] in
            batch?.giveUp([.endsSoon, .endsAtOnce])
        }
    }

    func writabilityChanged() {
        lastActivity = .now()
        guard channel.isWritable, let batch, let writer = batch.writer else { return }
        batch.writer = nil
        writer.resume()
    }

    func disconnected() { socket.close() }

    func closed() {
        end()
        socket.close()
        server.hub.remove(self)
        input = LineBuffer()
        // One that runs may have to be finished.
        if list?.isRunning == false { endList() }
        client.deliver = nil
    }

    /// Closes once everything that was written has been sent.
    func finish() {
        guard isOpen else { return }
        // Mostly the client has everything already.
        if !socket.isBehind(channel) { return close() }
        state = .finish(batch)
        lastActivity = .now()
        server.watchForSilence()
        channel.writeAndFlush(ByteBuffer()).assumeIsolated().whenComplete { [channel] _ in channel.close(promise: nil) }
    }

    func close() {
        guard !isClosed else { return }
        end()
        channel.close(promise: nil)
    }

    /// True if the client has taken nothing of its answer for a second.
    func isStalled(_ now: NIODeadline) -> Bool { batch?.writer != nil && now - lastActivity > .seconds(1) }

    func isOverdue(_ now: NIODeadline, _ timeout: TimeAmount) -> Bool {
        canBecomeOverdue && now - lastActivity > timeout
    }

    /// True if it is the client's turn; a client in `idle` may be silent without limit.
    var canBecomeOverdue: Bool {
        switch state {
        case .line, .finish(nil): true
        case .batch(let batch), .finish(let batch?): batch.writer != nil
        case .idle, .closed: false
        }
    }
}

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
