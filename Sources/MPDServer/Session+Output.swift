import MPDProtocol
import MusicModel
import NIOCore
import ServerLoop

extension Session: ResponseSink {
    /// Sends bytes and waits until the socket takes more.
    ///
    /// - Throws: `ClientIsGone`.
    @ServerActor func send(_ bytes: ByteBuffer) async throws {
        guard channel.isActive else { throw ClientIsGone() }
        channel.writeAndFlush(bytes, promise: nil)
        guard !channel.isWritable else { return }
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
            guard channel.isActive else { return continuation.resume(throwing: ClientIsGone()) }
            writeWaiter = continuation
        }
    }

    // MARK: idle

    /// Waits for `subsystems`, or answers at once when one of them has changed already.
    func startIdle(_ subsystems: Subsystem, response: inout ResponseWriter) {
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
        // While a batch runs its answers come first; it calls again at its end.
        guard !isRunning, let mask = idleMask else { return }
        let seen = unseen.intersection(mask)
        guard !seen.isEmpty else { return }
        unseen.subtract(seen)
        idleMask = nil
        lastActivity = .now()
        var response = ResponseWriter(sink: self, buffer: channel.allocator.buffer(capacity: 64))
        response.changes(seen)
        channel.writeAndFlush(response.buffer, promise: nil)
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
