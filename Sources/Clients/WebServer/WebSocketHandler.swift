import Crypto
import Foundation
import NIOCore
import NIOHTTP1
import NIOHTTPCompression
import NIOWebSocket

/// One WebSocket: whole messages in, frames out, and a ping now and then.
final class WebSocketHandler: ChannelInboundHandler {
    typealias InboundIn = WebSocketFrame
    typealias OutboundOut = WebSocketFrame

    private let owner: any SocketOwner
    private let framing: MessageSocket.Framing
    private var place: AddressShares.Place?
    private var writer: SocketWriter?
    private var socket: MessageSocket?
    private var pinging: RepeatedTask?
    private var hasAnswered = true
    /// True if the client took what was written for it, at some time since the last ping.
    private var hasRead = true
    /// The newest ping without an answer: who pings faster than they read gets no other pong (RFC 6455, 5.5.3).
    private var pong: ByteBuffer?
    private var isClosing = false

    init(_ owner: any SocketOwner, _ framing: MessageSocket.Framing, _ place: AddressShares.Place?) {
        (self.owner, self.framing, self.place) = (owner, framing, place)
    }

    func handlerAdded(context: ChannelHandlerContext) {
        let bound = NIOLoopBound(context, eventLoop: context.eventLoop)
        let opcode: WebSocketOpcode = framing == .webSocketBinary ? .binary : .text
        let writer = SocketWriter(context.channel, framing) { bytes, promise in
            let frame = WebSocketFrame(fin: true, opcode: opcode, data: bytes)
            bound.value.writeAndFlush(NIOAny(frame), promise: promise)
        }
        let socket = MessageSocket(writer, loop: context.eventLoop)
        (self.writer, self.socket) = (writer, socket)
        let own = NIOLoopBound(self, eventLoop: context.eventLoop)
        let interval = TimeAmount.seconds(WebLimits.ping)
        pinging = context.eventLoop.scheduleRepeatedTask(initialDelay: interval, delay: interval) { _ in
            own.value.ping(bound.value)
        }
        owner.opened(socket)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        // The client said that it closes; answers to anything later would pile up unread.
        guard !isClosing else { return }
        var frame = unwrapInboundIn(data)
        hasAnswered = true
        switch frame.opcode {
        case .text, .binary:
            guard let socket else { return }
            owner.received(frame.unmaskedData, on: socket)
        case .ping:
            pong = frame.unmaskedData
            sendPong(context)
        case .connectionClose:
            isClosing = true
            var code = context.channel.allocator.buffer(capacity: 2)
            code.writeInteger(
                frame.unmaskedData.getInteger(at: frame.unmaskedData.readerIndex, as: UInt16.self) ?? 1000)
            frame = WebSocketFrame(fin: true, opcode: .connectionClose, data: code)
            let channel = context.channel
            context.writeAndFlush(wrapOutboundOut(frame)).whenComplete { _ in channel.close(promise: nil) }
        default: break
        }
    }

    private func sendPong(_ context: ChannelHandlerContext) {
        guard context.channel.isWritable, let data = pong else { return }
        pong = nil
        context.writeAndFlush(wrapOutboundOut(WebSocketFrame(fin: true, opcode: .pong, data: data)), promise: nil)
    }

    /// A client that has not answered the last ping is gone, and so is one that has read nothing since.
    private func ping(_ context: ChannelHandlerContext) {
        let takesMore = context.channel.isWritable
        guard hasAnswered, hasRead || takesMore, !isClosing else { return context.close(promise: nil) }
        (hasAnswered, hasRead) = (false, takesMore)
        context.writeAndFlush(
            wrapOutboundOut(WebSocketFrame(fin: true, opcode: .ping, data: ByteBuffer())), promise: nil)
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        if context.channel.isWritable { hasRead = true }
        sendPong(context)
        writer?.writabilityChanged()
        context.fireChannelWritabilityChanged()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }

    func handlerRemoved(context: ChannelHandlerContext) {
        pinging?.cancel()
        if let socket { owner.closed(socket) }
        (socket, place) = (nil, nil)
    }
}

/// Makes a connection of HTTP a WebSocket; NIO's upgrade handler would need the decision up front.
enum WebSocketUpgrade {
    /// Proof that a handshake was understood (RFC 6455, 4.2); nil for a request that is none.
    static func acceptance(_ headers: HTTPHeaders) -> String? {
        let connection = headers[canonicalForm: "connection"].contains { $0.lowercased() == "upgrade" }
        guard connection, headers.first(name: "sec-websocket-version") == "13",
            let key = headers.first(name: "sec-websocket-key"), Data(base64Encoded: key)?.count == 16
        else { return nil }
        let proof = Data((key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11").utf8)
        return Data(Insecure.SHA1.hash(data: proof)).base64EncodedString()
    }

    /// Takes what speaks HTTP out of a connection and puts frames in its place.
    static func exchangeHandlers(_ channel: any Channel, for handler: WebSocketHandler) {
        let pipeline = channel.pipeline.syncOperations
        do {
            try pipeline.addHandlers(
                WebSocketFrameEncoder(), ByteToMessageHandler(WebSocketFrameDecoder(maxFrameSize: WebLimits.message)),
                NIOWebSocketFrameAggregator(
                    minNonFinalFragmentSize: 1, maxAccumulatedFrameCount: 256,
                    maxAccumulatedFrameSize: WebLimits.message),
                WebSocketProtocolErrorHandler(), handler)
            // The decoder last: what it has read already goes to the one of frames.
            try remove(ArrivalHandler.self, pipeline)
            try remove(HTTPHandler.self, pipeline)
            try remove(HTTPResponseCompressor.self, pipeline)
            try remove(HTTPServerPipelineHandler.self, pipeline)
            try remove(HTTPResponseEncoder.self, pipeline)
            try remove(ByteToMessageHandler<HTTPRequestDecoder>.self, pipeline)
        } catch {
            channel.close(promise: nil)
        }
    }

    private static func remove<Handler: RemovableChannelHandler>(
        _ type: Handler.Type, _ pipeline: ChannelPipeline.SynchronousOperations
    ) throws {
        pipeline.removeHandler(context: try pipeline.context(handlerType: type), promise: nil)
    }
}
