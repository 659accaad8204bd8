package import NIOCore

/// The owner of a socket: an open page, a script that follows events, a client of MPD's protocol. Called on the loop.
package protocol SocketOwner: AnyObject, Sendable {
    func opened(_ socket: MessageSocket)
    /// A message came in; never for event streams.
    func received(_ message: ByteBuffer, on socket: MessageSocket)
    /// The socket is closed; nothing posted later arrives.
    func closed(_ socket: MessageSocket)
}

/// Sends messages to a WebSocket or as Server-Sent Events. For a client that doesn't read, of messages with the same
/// key only the newest waits, so that a phone that sleeps costs the same however long it does.
/// - Isolation: any; messages are sent on the server's loop, in the order in which they were posted.
package final class MessageSocket: Sendable {
    enum Framing: Sendable {
        case webSocketText
        case webSocketBinary
        case events
    }

    struct Message {
        var key: String?
        var bytes: ByteBuffer
    }

    private let loop: any EventLoop
    private let writer: NIOLoopBound<SocketWriter>

    init(_ writer: SocketWriter, loop: any EventLoop) {
        self.loop = loop
        self.writer = NIOLoopBound(writer, eventLoop: loop)
    }

    /// Sends a message in place of one with the same key that still waits; without a key it is kept, and a client that
    /// lets too much wait is disconnected.
    package func post(_ bytes: ByteBuffer, replacing key: String? = nil) {
        run { $0.post(Message(key: key, bytes: bytes)) }
    }

    /// Sends a part of a stream, and calls `sent` when the client has taken it; only then the next one should come.
    package func send(_ bytes: ByteBuffer, sent: @escaping @Sendable () -> Void) { run { $0.send(bytes, sent) } }

    /// Closes the socket.
    package func close() { run { $0.close() } }

    /// Asks for no more messages until `resume`, or asks again.
    package func setReading(_ isReading: Bool) { run { $0.setReading(isReading) } }

    private func run(_ body: @escaping @Sendable (SocketWriter) -> Void) {
        if loop.inEventLoop { return body(writer.value) }
        loop.execute { [writer] in body(writer.value) }
    }
}

/// The messages that wait for a socket's client, on the loop of its channel.
final class SocketWriter {
    private let channel: any Channel
    private let framing: MessageSocket.Framing
    private let write: (ByteBuffer, EventLoopPromise<Void>?) -> Void
    private var waiting: [MessageSocket.Message] = []
    private var size = 0

    init(
        _ channel: any Channel, _ framing: MessageSocket.Framing,
        write: @escaping (ByteBuffer, EventLoopPromise<Void>?) -> Void
    ) {
        (self.channel, self.framing, self.write) = (channel, framing, write)
    }

    func post(_ message: MessageSocket.Message) {
        guard channel.isActive else { return }
        if waiting.isEmpty, channel.isWritable { return write(message.bytes, nil) }
        if let key = message.key, let index = waiting.firstIndex(where: { $0.key == key }) {
            size += message.bytes.readableBytes - waiting[index].bytes.readableBytes
            // Behind what came after the old one, so that the order stays that of what happened.
            waiting.remove(at: index)
        } else {
            size += message.bytes.readableBytes
        }
        waiting.append(message)
        if size > WebLimits.backlog { close() }
    }

    func writabilityChanged() {
        while channel.isWritable, !waiting.isEmpty {
            let message = waiting.removeFirst()
            size -= message.bytes.readableBytes
            write(message.bytes, nil)
        }
    }

    func send(_ bytes: ByteBuffer, _ sent: @escaping @Sendable () -> Void) {
        let promise = channel.eventLoop.makePromise(of: Void.self)
        promise.futureResult.whenSuccess { sent() }
        write(bytes, promise)
    }

    func close() {
        waiting = []
        size = 0
        channel.close(promise: nil)
    }

    func setReading(_ isReading: Bool) { channel.setOption(.autoRead, value: isReading).whenComplete { _ in } }
}
