import NIOCore
import NIOPosix
import Testing

/// A client on a real socket, used by one test at a time.
final class TestClient {
    /// Nothing happened for too long.
    struct TimedOut: Error {}

    private enum Event: Sendable {
        case bytes(ByteBuffer)
        case closed
        case timedOut
    }

    private let channel: any Channel
    private let events: AsyncStream<Event>.Continuation
    private var iterator: AsyncStream<Event>.AsyncIterator
    private var buffer = ByteBuffer()
    private var isClosed = false

    /// Connects; a client that isn't `reading` leaves everything in the socket until `startReading`.
    init(_ address: SocketAddress, reading: Bool = true) async throws {
        let (stream, continuation) = AsyncStream<Event>.makeStream()
        channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .channelOption(.autoRead, value: reading)
            .channelOption(.allowRemoteHalfClosure, value: true)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(Relay(continuation))
                }
            }
            .connect(to: address).get()
        events = continuation
        iterator = stream.makeAsyncIterator()
    }

    /// Connects and takes the greeting.
    static func greeted(_ address: SocketAddress) async throws -> TestClient {
        let client = try await TestClient(address)
        #expect(try await client.line() == "OK MPD 0.24.0")
        return client
    }

    deinit { channel.close(promise: nil) }

    func send(_ text: String) async throws { try await send(Array(text.utf8)) }

    func send(_ bytes: [UInt8]) async throws { try await channel.writeAndFlush(ByteBuffer(bytes: bytes)) }

    /// Hands bytes to the socket without waiting for it to take them.
    func post(_ bytes: ByteBuffer) { channel.writeAndFlush(bytes, promise: nil) }

    func close() async throws { try await channel.close() }

    /// Sends no more but still reads.
    func endOutput() async throws { try await channel.close(mode: .output) }

    func startReading() async throws { try await channel.setOption(.autoRead, value: true).get() }

    /// The next line; nil when the server has closed.
    func line(within timeout: TimeAmount = .seconds(30)) async throws -> String? {
        while true {
            let view = buffer.readableBytesView
            if let end = view.firstIndex(of: 10) {
                let line = buffer.readString(length: end - view.startIndex)
                buffer.moveReaderIndex(forwardBy: 1)
                return line
            }
            if isClosed { return nil }
            try await receive(timeout)
        }
    }

    /// The lines up to `OK` or `ACK`, that one included; a closed connection ends them too.
    func answer() async throws -> [String] {
        var lines: [String] = []
        while let line = try await line() {
            lines.append(line)
            if line == "OK" || line.hasPrefix("ACK ") { break }
        }
        return lines
    }

    /// Sends a command and returns its answer.
    func ask(_ command: String) async throws -> [String] {
        try await send(command + "\n")
        return try await answer()
    }

    private func receive(_ timeout: TimeAmount) async throws {
        let alarm = channel.eventLoop.scheduleTask(in: timeout) { [events] in _ = events.yield(.timedOut) }
        defer { alarm.cancel() }
        switch await iterator.next(isolation: #isolation) {
        case .bytes(var bytes): buffer.writeBuffer(&bytes)
        case .closed, nil: isClosed = true
        case .timedOut: throw TimedOut()
        }
    }

    private final class Relay: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer
        private let events: AsyncStream<Event>.Continuation

        init(_ events: AsyncStream<Event>.Continuation) { self.events = events }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) { events.yield(.bytes(unwrapInboundIn(data))) }

        func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
            if case .inputClosed? = event as? ChannelEvent { events.yield(.closed) }
        }

        func channelInactive(context: ChannelHandlerContext) { events.yield(.closed) }

        func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
    }
}
