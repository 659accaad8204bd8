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
    /// The longest line with its line feed, in bytes; MPD's input buffer.
    static let lineLimit = 16_384

    /// What the client has chosen and may do.
    let client: ClientState
    let server: MPDServer
    let channel: any Channel

    /// What the client waits for; nil outside of `idle`.
    var idleMask: Subsystem?
    /// What changed since the client was told last.
    var unseen: Subsystem = []
    var writeWaiter: CheckedContinuation<Void, any Error>?
    var lastActivity = NIODeadline.now()
    private(set) var isRunning = false

    private enum Phase { case open, finishing, closed }
    private var phase = Phase.open
    private var input = ByteBuffer()
    /// How many bytes at the front of `input` are known to hold no line feed.
    private var searched = 0
    private var holdsRead = false
    private var inputHasEnded = false
    /// The list that is being collected.
    var list: CommandList?

    init(client: ClientState, server: MPDServer, channel: any Channel) {
        self.client = client
        self.server = server
        self.channel = channel
        client.deliver = { [weak self] subsystems in self?.notice(subsystems) }
    }

    // MARK: What happens on the socket

    func opened() {
        var greeting = channel.allocator.buffer(capacity: 16)
        greeting.writeStaticString(MPDServer.greeting)
        channel.writeAndFlush(greeting, promise: nil)
    }

    func received(_ bytes: ByteBuffer) {
        guard phase == .open else { return }
        if input.readableBytes == 0 {
            input = bytes
            searched = 0
        } else {
            input.writeImmutableBuffer(bytes)
        }
        if !isRunning { runIfPossible() }
    }

    /// Whether the socket may be asked for more; if not, it will be when the batch is done.
    func mayRead() -> Bool {
        holdsRead = isRunning && input.readableBytes >= Self.lineLimit
        return !holdsRead
    }

    /// The client sends no more but may still read.
    func inputEnded() {
        inputHasEnded = true
        if !isRunning { finish() }
    }

    func writabilityChanged() {
        lastActivity = .now()
        guard channel.isWritable, let waiter = writeWaiter else { return }
        writeWaiter = nil
        waiter.resume()
    }

    func closed() {
        phase = .closed
        server.hub.remove(self)
        input = ByteBuffer()
        list = nil
        idleMask = nil
        writeWaiter?.resume(throwing: ClientIsGone())
        writeWaiter = nil
    }

    /// Closes once everything that was written has been sent.
    func finish() {
        guard phase == .open else { return }
        phase = .finishing
        lastActivity = .now()
        channel.writeAndFlush(ByteBuffer()).assumeIsolated().whenComplete { [channel] _ in channel.close(promise: nil) }
    }

    /// Closes at once.
    func close() {
        guard phase != .closed else { return }
        phase = .closed
        channel.close(promise: nil)
    }

    /// Whether the client has been silent, or hasn't read, for too long.
    func isOverdue(_ now: NIODeadline, _ timeout: TimeAmount) -> Bool {
        let isWaitingForClient = isRunning ? writeWaiter != nil : idleMask == nil || phase == .finishing
        return isWaitingForClient && now - lastActivity > timeout
    }

    // MARK: Batches of lines

    private func runIfPossible() {
        guard hasLine() else { return closeIfTooLong() }
        isRunning = true
        Task.immediate { await self.runBatch() }
    }

    private func runBatch() async {
        var response = ResponseWriter(sink: self, buffer: server.takeBuffer())
        var end = BatchEnd.more
        do {
            while phase == .open, end == .more, hasLine() {
                while phase == .open, end == .more, let line = nextLine() {
                    lastActivity = .now()
                    end = try await process(line, response: &response)
                    try await response.flushIfFull()
                }
                try await response.flush()
            }
        } catch {
            end = .close
        }
        response.buffer.clear()
        server.giveBack(response.buffer)
        isRunning = false
        batchEnded(end)
    }

    /// What follows after a line.
    enum BatchEnd {
        /// The next line.
        case more
        /// The answers so far are delivered, then the connection closes.
        case finish
        /// The connection closes at once.
        case close
    }

    private func batchEnded(_ end: BatchEnd) {
        guard phase == .open else { return }
        lastActivity = .now()
        switch end {
        case .close: return close()
        case .finish: return finish()
        case .more: break
        }
        // Changes that came while answers were being written.
        notice([])
        closeIfTooLong()
        if inputHasEnded { finish() }
        if holdsRead {
            holdsRead = false
            channel.read()
        }
    }

    // MARK: Lines

    private func hasLine() -> Bool { lineLength() != nil }

    /// The length of the first complete line without its line feed.
    private func lineLength() -> Int? {
        let view = input.readableBytesView
        guard let end = view[(view.startIndex + searched)...].firstIndex(of: UInt8(ascii: "\n")) else {
            searched = view.count
            return nil
        }
        let length = end - view.startIndex
        searched = length
        return length < Self.lineLimit ? length : nil
    }

    /// Takes the first complete line, without space at its end and without what follows a NUL.
    private func nextLine() -> [UInt8]? {
        guard let length = lineLength(), var line = input.readBytes(length: length) else { return nil }
        input.moveReaderIndex(forwardBy: 1)
        searched = 0
        if input.readableBytes == 0 { input = ByteBuffer() }
        if let end = line.firstIndex(of: 0) { line.removeSubrange(end...) }
        while let last = line.last, last <= 0x20 { line.removeLast() }
        return line
    }

    private func closeIfTooLong() {
        guard phase == .open, searched >= Self.lineLimit - 1, !hasLine() else { return }
        server.logger.debug("a client sent a line that is too long")
        close()
    }
}

/// The client went away while an answer was written.
struct ClientIsGone: Error {}
