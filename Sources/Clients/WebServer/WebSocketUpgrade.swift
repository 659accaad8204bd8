import Crypto
import Foundation
import NIOCore
import NIOHTTP1
import NIOHTTPCompression
import NIOWebSocket

/// Makes a connection of HTTP a WebSocket. Authorization follows the same path as other requests; NIO's upgrade handler
/// would need the decision up front.
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
