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
    /// The longest line with its line feed, in bytes; MPD takes half of it.
    static let lineLimit = 16_384

    /// What the client has chosen and may do.
    let client: ClientState
    let server: MPDServer
    let channel: any Channel
    /// The session's place in the channel's pipeline, while it has one.
    var context: ChannelHandlerContext?

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

    func opened() { write(server.greetingBytes) }

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
        context = nil
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
        server.watchForSilence()
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
        canBecomeOverdue && now - lastActivity > timeout
    }

    /// Whether it is the client's turn; a client in `idle` may be silent for ever.
    var canBecomeOverdue: Bool { isRunning ? writeWaiter != nil : idleMask == nil || phase == .finishing }

    // MARK: Batches of lines

    private func runIfPossible() {
        guard hasLine() else { return closeIfTooLong() }
        if runAtOnce() { return batchEnded(.more) }
        isRunning = true
        Task.immediate { await self.runBatch() }
    }

    /// Runs lines without a task as long as they are commands that never wait; false when others are left.
    ///
    /// Answers that the client does not take at once fill the channel, and what follows then takes the long way, which
    /// waits for it.
    private func runAtOnce() -> Bool {
        guard list == nil, idleMask == nil, channel.isWritable else { return false }
        var response = ResponseWriter(sink: self, buffer: server.takeBuffer())
        while !response.isFull, let line = peekLine(),
            let outcome = runAtOnce(line, in: 0..<line.count, index: 0, response: &response)
        {
            dropLine()
            if outcome == .ok { response.ok() }
        }
        if response.buffer.readableBytes > 0 { write(response.buffer) }
        giveBack(&response)
        return !hasLine()
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
            while phase == .open, end == .more, hasLine() {
                while phase == .open, end == .more, let line = nextLine() {
                    lastActivity = .now()
                    end = try await process(line, response: &response)
                    if response.isFull { try await response.flush() }
                    collectLines()
                }
                try await response.flush()
            }
        } catch {
            end = .close
        }
        giveBack(&response)
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

    // MARK: Lines

    private func hasLine() -> Bool { lineLength() != nil }

    /// The length of the first complete line without its line feed.
    private func lineLength() -> Int? {
        let searched = searched
        let length = input.withUnsafeReadableBytes { bytes -> Int? in
            guard let start = bytes.baseAddress, bytes.count > searched else { return nil }
            guard let end = memchr(start + searched, CInt(UInt8(ascii: "\n")), bytes.count - searched) else {
                return nil
            }
            return UnsafeRawPointer(end) - start
        }
        self.searched = length ?? input.readableBytes
        return length.flatMap { $0 < Self.lineLimit ? $0 : nil }
    }

    /// The first complete line, without space at its end and without what follows a NUL.
    private func peekLine() -> [UInt8]? {
        guard let length = lineLength() else { return nil }
        return input.withUnsafeReadableBytes { Array(Self.trimmed(UnsafeRawBufferPointer(rebasing: $0[..<length]))) }
    }

    private static func trimmed(_ line: UnsafeRawBufferPointer) -> Slice<UnsafeRawBufferPointer> {
        var end = line.firstIndex(of: 0) ?? line.count
        while end > 0, line[end - 1] <= 0x20 { end -= 1 }
        return line[..<end]
    }

    /// Removes the first line, whose length was just asked for.
    private func dropLine() {
        input.moveReaderIndex(forwardBy: searched + 1)
        searched = 0
        if input.readableBytes == 0 { input = ByteBuffer() }
    }

    private func nextLine() -> [UInt8]? {
        guard let line = peekLine() else { return nil }
        dropLine()
        return line
    }

    /// Moves lines that are plain parts of the open list into it, all that are there in one go.
    private func collectLines() {
        guard var open = list.take() else { return }
        var isTaken = true
        while isTaken, let length = lineLength() {
            isTaken = input.withUnsafeReadableBytes { bytes in
                let line = Self.trimmed(UnsafeRawBufferPointer(rebasing: bytes[..<length]))
                return Self.isPlain(line) && open.append(line)
            }
            if isTaken { dropLine() }
        }
        list = open
    }

    private func closeIfTooLong() {
        guard phase == .open, searched >= Self.lineLimit - 1, !hasLine() else { return }
        server.logger.debug("a client sent a line that is too long")
        close()
    }
}

/// The client went away while an answer was written.
struct ClientIsGone: Error {}
