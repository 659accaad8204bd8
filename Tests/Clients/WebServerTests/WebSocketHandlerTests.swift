import NIOCore
import NIOEmbedded
import NIOWebSocket
import Testing
@testable import WebServer

@Suite("A WebSocket")
struct WebSocketHandlerTests {
    @Test("a client that reads gets a pong for each ping")
    func pongs() throws {
        let channel = try Self.channel()
        for text in ["a", "b"] { try channel.writeInbound(Self.frame(.ping, text)) }
        #expect(try Self.written(channel) == ["pong a", "pong b"])
        #expect(channel.isActive)
        _ = try channel.finish()
    }

    @Test("a client that pings and doesn't read gets one pong, for its newest ping, once it reads")
    func deaf() throws {
        let channel = try Self.channel()
        Self.setWritable(channel, false)
        for number in 1...1_000 { try channel.writeInbound(Self.frame(.ping, "\(number)")) }
        #expect(try Self.written(channel).isEmpty)
        Self.setWritable(channel, true)
        #expect(try Self.written(channel) == ["pong 1000"])
        _ = try channel.finish()
    }

    @Test("a client that pings and reads nothing from one ping to the next is disconnected", arguments: [true, false])
    func gone(readsMeanwhile: Bool) throws {
        let channel = try Self.channel()
        Self.setWritable(channel, false)
        for _ in 1...2 {
            try channel.writeInbound(Self.frame(.ping, "I am here"))
            channel.embeddedEventLoop.advanceTime(by: .seconds(WebLimits.ping))
            if readsMeanwhile {
                Self.setWritable(channel, true)
                Self.setWritable(channel, false)
            }
        }
        #expect(channel.isActive == readsMeanwhile)
        _ = try? channel.finish(acceptAlreadyClosed: true)
    }

    @Test("a client that closes is answered once, whatever it sends behind that, and is closed if it reads no answer")
    func closing() throws {
        let channel = try Self.channel(isStuck: true)
        for _ in 1...10 { try channel.writeInbound(Self.frame(.connectionClose, "\u{3}\u{6b}")) }
        try channel.writeInbound(Self.frame(.ping, "a"))
        #expect(try Self.written(channel) == ["close \u{3}\u{6b}"])
        channel.embeddedEventLoop.advanceTime(by: .seconds(WebLimits.ping))
        #expect(!channel.isActive)
        _ = try? channel.finish(acceptAlreadyClosed: true)
    }

    // MARK: Support

    private static func channel(isStuck: Bool = false) throws -> EmbeddedChannel {
        let channel = EmbeddedChannel()
        if isStuck { try channel.pipeline.syncOperations.addHandler(Stuck()) }
        try channel.pipeline.syncOperations.addHandler(WebSocketHandler(Silent(), .webSocketText, nil))
        try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
        return channel
    }

    private static func frame(_ opcode: WebSocketOpcode, _ text: String) -> WebSocketFrame {
        WebSocketFrame(fin: true, opcode: opcode, data: ByteBuffer(string: text))
    }

    private static func setWritable(_ channel: EmbeddedChannel, _ isWritable: Bool) {
        channel.isWritable = isWritable
        channel.pipeline.fireChannelWritabilityChanged()
    }

    private static func written(_ channel: EmbeddedChannel) throws -> [String] {
        var found: [String] = []
        while let frame = try channel.readOutbound(as: WebSocketFrame.self) {
            found.append("\(frame.opcode == .pong ? "pong" : "close") \(String(buffer: frame.data))")
        }
        return found
    }

    /// Hands frames on and never says that they were written.
    private final class Stuck: ChannelOutboundHandler {
        typealias OutboundIn = WebSocketFrame
        typealias OutboundOut = WebSocketFrame

        func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
            context.write(data, promise: nil)
            if let promise { promises.append(promise) }
        }

        func handlerRemoved(context: ChannelHandlerContext) {
            for promise in promises { promise.fail(ChannelError.eof) }
        }

        private var promises: [EventLoopPromise<Void>] = []
    }

    private final class Silent: SocketOwner {
        func opened(_ socket: MessageSocket) {}
        func received(_ message: ByteBuffer, on socket: MessageSocket) {}
        func closed(_ socket: MessageSocket) {}
    }
}
