import Coordination
import Glibc
import Logging
import MPDCommands
import MPDProtocol
import MusicModel
import NIOCore
import ServerLoop

/// One client's connection: frames lines, runs commands one after the other, and sends answers as they are taken.
///
/// It owns no task and no buffer while it waits. A batch of complete lines runs in one task, which starts inside the
/// read and ends there unless a command or the client makes it wait; what arrives meanwhile is kept.
///
/// - Source: MPD v0.24.13 src/client/{Read,Process,Idle}.cxx.
@ServerActor
final class Session {
    /// The client's choices and permissions.
    let client: ClientState
    let server: MPDServer
    let channel: any Channel
    /// The session's place in the channel's pipeline, while it has one.
    var context: ChannelHandlerContext?
    /// The way past the pipeline.
    var socket = DirectSocket()
    /// Where the hub has it.
    var place: Int?

    /// The subsystems that the client waits for; nil outside of `idle`.
    var idleMask: Subsystem?
    /// The slice of the loop's time in which the socket brought something last.
    var slice = -1
    /// The subsystems that changed since the client was told last.
    var unseen: Subsystem = []
    var writeWaiter: CheckedContinuation<Void, any Error>?
    var lastActivity = NIODeadline.now()
    private(set) var isRunning = false

    private enum Phase { case open, finishing, closed }
    private var phase = Phase.open
    /// Whether the client may close its side before it has its answer.
    private var outlivesInput = false
    private var input = LineBuffer()
    private var holdsRead = false
    private var inputHasEnded = false
    /// The list that is being collected.
    var list: CommandList?
    /// The bytes of the list that are counted for all clients together.
    private var countedForLists = 0
    private var batch: Task<Void, Never>?
    /// How the command that runs ends when the client goes.
    var withoutClient = ClientLoss.finishes

    init(client: ClientState, server: MPDServer, channel: any Channel) {
        self.client = client
        self.server = server
        self.channel = channel
        // Each holds the other until the connection is closed; a weak reference would make every use of a session
        // slower.
        client.deliver = { subsystems in self.notice(subsystems) }
    }

    // MARK: What happens on the socket

    func opened() { writeByChannel(server.greetingBytes) }

    func received(_ bytes: ByteBuffer) {
        guard phase == .open else { return }
        input.append(bytes)
        if !isRunning { runIfPossible() }
    }

    /// Whether the socket may be asked for more; if not, it will be when the batch is done.
    func mayRead() -> Bool {
        holdsRead = isRunning && input.count >= LineBuffer.lineLimit
        return !holdsRead
    }

    /// The client sends no more but may still read.
    func inputEnded() {
        inputHasEnded = true
        guard isRunning else { return finish() }
        // Whether it still reads can't be told before something is sent to it.
        ServerActor.after(server.options.patienceWithoutInput) { [weak self] in self?.giveUp([.endsSoon, .endsAtOnce]) }
    }

    /// Ends the command that runs if its client's loss means that.
    private func giveUp(_ kinds: Set<ClientLoss>) { if kinds.contains(withoutClient) { batch?.cancel() } }

    func writabilityChanged() {
        lastActivity = .now()
        guard channel.isWritable, let waiter = writeWaiter else { return }
        writeWaiter = nil
        waiter.resume()
    }

    /// The socket is closed; what the session holds is let go of a moment later.
    func disconnected() { socket.close() }

    func closed() {
        phase = .closed
        context = nil
        socket.close()
        server.hub.remove(self)
        input = LineBuffer()
        list = nil
        countList()
        giveUp([.endsAtOnce])
        if withoutClient == .endsSoon {
            ServerActor.after(server.options.patienceWithEdits) { [weak self] in self?.giveUp([.endsSoon]) }
        }
        idleMask = nil
        client.deliver = nil
        writeWaiter?.resume(throwing: ClientIsGone())
        writeWaiter = nil
    }

    /// Closes once everything that was written has been sent.
    func finish() {
        guard phase == .open else { return }
        // Mostly the client has everything already.
        if !socket.isBehind(channel) { return close() }
        phase = .finishing
        lastActivity = .now()
        server.watchForSilence()
        channel.writeAndFlush(ByteBuffer()).assumeIsolated().whenComplete { [channel] _ in channel.close(promise: nil) }
    }

    /// Closes at once.
    func close() {
        guard phase != .closed else { return }
        phase = .closed
        channel.close(promise: nil)
    }

    /// Whether the connection is closed, or about to be.
    var isClosed: Bool { phase == .closed }

    /// Counts the open list's bytes for all clients together.
    func countList() {
        let size = list?.size ?? 0
        server.listMemory += size - countedForLists
        countedForLists = size
        guard size > Self.smallList, server.memoryBudget.isExhausted else { return }
        list?.refuse()
        countList()
    }

    /// Lists of so many bytes are always taken: those that clients send to show something.
    private static let smallList = 64 << 10

    /// Whether the client has taken nothing of its answer for a second.
    func isStalled(_ now: NIODeadline) -> Bool { writeWaiter != nil && now - lastActivity > .seconds(1) }

    /// Whether the client has been silent, or hasn't read, for too long.
    func isOverdue(_ now: NIODeadline, _ timeout: TimeAmount) -> Bool {
        canBecomeOverdue && now - lastActivity > timeout
    }

    /// Whether it is the client's turn; a client in `idle` may be silent without limit.
    var canBecomeOverdue: Bool { isRunning ? writeWaiter != nil : idleMask == nil || phase == .finishing }

    // MARK: Batches of lines

    private func runIfPossible() {
        guard input.hasLine() else { return closeIfTooLong() }
        let now = server.loopShare.begin(&slice)
        if runAtOnce() { return batchEnded(.more, at: now) }
        isRunning = true
        let task = Task.immediate { await self.runBatch() }
        guard isRunning else { return }
        batch = task
        outliveInput()
    }

    /// Keeps the connection when the client closes its side, because an answer is on its way.
    ///
    /// Most clients close it when they have read everything. The channel is then closed in fewer steps if it needs not
    /// ask the session first.
    func outliveInput() {
        guard !outlivesInput else { return }
        outlivesInput = true
        try? channel.syncOptions?.setOption(.allowRemoteHalfClosure, value: true)
    }

    /// Deals with lines without a task as long as nothing waits for them; false when others are left.
    ///
    /// Answers that the client does not take at once fill the channel, and what follows then takes the long way, which
    /// waits for it.
    private func runAtOnce() -> Bool {
        guard list == nil, channel.isWritable else { return false }
        var response = ResponseWriter(sink: self, buffer: server.takeBuffer())
        while !response.isFull, let line = input.peekLine(),
            let outcome = processAtOnce(line, response: &response)
        {
            input.discardLine()
            if outcome == .ok { response.ok() }
            guard input.hasLine(), !server.loopShare.isOver else { break }
        }
        if response.buffer.readableBytes > 0 { write(response.buffer) }
        giveBack(&response)
        return !input.hasLine()
    }

    private func giveBack(_ response: inout ResponseWriter) {
        response.buffer.clear()
        server.giveBack(response.buffer)
        response.buffer = ByteBuffer()
    }

    private func runBatch() async {
        var response = ResponseWriter(sink: self, buffer: server.takeBuffer())
        var end = BatchEnd.more
        do {
            // The sockets of many clients may be ready at once, and each brings many lines.
            if server.loopShare.isOver { try await giveLoopBack() }
            while phase == .open, end == .more, input.hasLine() {
                while phase == .open, end == .more, let line = input.nextLine() {
                    lastActivity = .now()
                    end = try await process(line, response: &response)
                    if response.isFull { try await response.flush() }
                    collectLines()
                    if input.hasLine(), server.loopShare.isOver { try await giveLoopBack() }
                }
                try await response.flush()
            }
        } catch {
            end = .close
        }
        giveBack(&response)
        isRunning = false
        batch = nil
        batchEnded(end, at: .now())
    }

    /// The next step after a line.
    enum BatchEnd {
        /// The next line.
        case more
        /// The answers so far are delivered, then the connection closes.
        case finish
        /// The connection closes at once.
        case close
    }

    private func batchEnded(_ end: BatchEnd, at time: NIODeadline) {
        guard phase == .open else { return }
        lastActivity = time
        switch end {
        case .close: return close()
        case .finish: return finish()
        case .more: break
        }
        if idleMask == nil { server.watchForSilence() }
        // Changes that came while answers were being written.
        notice([])
        closeIfTooLong()
        if inputHasEnded { finish() }
        if holdsRead {
            holdsRead = false
            channel.read()
        }
    }

    /// Moves lines that are plain parts of the open list into it, as many in one go as the loop has time for.
    private func collectLines() {
        guard var open = list.take() else { return }
        let room = server.roomForLists + open.size
        var count = 0
        while input.takeLine(if: { Self.isPlain($0) && open.append($0, room: room - open.size) }) == true {
            count += 1
            // Asking for the time costs more than a short line.
            if count.isMultiple(of: 64), server.loopShare.isOver { break }
        }
        list = open
        countList()
    }

    private func closeIfTooLong() {
        guard phase == .open, input.isTooLong else { return }
        server.logger.debug("a client sent a line that is too long")
        close()
    }
}

/// The client went away while an answer was written.
struct ClientIsGone: Error {}
