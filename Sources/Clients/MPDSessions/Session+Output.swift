import Coordination
import MPDProtocol
import MusicModel
import NIOCore
import ServerLoop

extension Session: ResponseSink {
    /// Sends bytes and waits until the socket takes more; throws `ClientIsGone`.
    @ServerActor func send(_ bytes: ByteBuffer) async throws {
        // Many clients may have waited for the same thing, such as a picture, and then all continue at once.
        if server.loopShare.isOver { try await giveLoopBack() }
        guard channel.isActive, let batch else { throw ClientIsGone() }
        write(bytes)
        // A long answer to a client that reads fast would hold the loop from its first byte to its last.
        guard !channel.isWritable else {
            if server.loopShare.isOver { try await giveLoopBack() }
            return
        }
        server.watchForSilence()
        lastActivity = .now()
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
            guard channel.isActive, !isClosed else { return continuation.resume(throwing: ClientIsGone()) }
            batch.writer = continuation
        }
        server.loopShare.begin(&slice)
    }

    /// Sends bytes without waiting: to the socket at once, and what it doesn't take through the channel.
    @ServerActor func write(_ bytes: ByteBuffer) {
        var rest = bytes
        socket.send(&rest, before: channel)
        guard rest.readableBytes > 0 else { return }
        socket.outliveInput(of: channel)
        channel.writeAndFlush(rest, promise: nil)
    }

    /// Lets the loop look after its sockets, which batches have held for long; throws `ClientIsGone`.
    func giveLoopBack() async throws {
        await server.loopShare.giveLoopBack()
        if isClosed { throw ClientIsGone() }
    }

    /// Waits for `subsystems`, or answers at once when one has changed already; what follows in a list is discarded.
    func startIdle(_ subsystems: Subsystem, response: inout ResponseWriter) {
        endList()
        let seen = unseen.intersection(subsystems)
        guard !seen.isEmpty else {
            idleMask = subsystems
            return
        }
        unseen.subtract(seen)
        response.changes(seen)
    }

    /// Takes note of changes and answers if the client waits for one of them.
    func notice(_ subsystems: Subsystem) {
        unseen.formUnion(subsystems)
        // While a batch runs its answers come first; this is called again at its end.
        guard case .idle(let mask) = state else { return }
        let seen = unseen.intersection(mask)
        guard !seen.isEmpty else { return }
        unseen.subtract(seen)
        idleMask = nil
        lastActivity = .now()
        var response = ResponseWriter()
        response.changes(seen)
        write(response.buffer)
        server.watchForSilence()
    }
}

extension ResponseWriter {
    /// Appends the answer to `idle`: a `changed` line for each subsystem, in the order of the table, and `OK`.
    mutating func changes(_ subsystems: Subsystem) {
        for (subsystem, name) in Subsystem.named where subsystems.contains(subsystem) {
            text("changed: ")
            text(name)
            endLine()
        }
        ok()
    }
}
