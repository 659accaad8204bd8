import Glibc
import MPDProtocol
import MPDSessions
import NIOCore
import NIOHTTP1
import NIOPosix
import ServerLoop
import WebServer

/// A client of MPD's protocol that comes by WebSocket: a pair of sockets connects it with an ordinary session.
final class MPDSocket: SocketOwner {
    private struct State {
        var pipe: (any Channel)?
        var early: [ByteBuffer] = []
        var isClosed = false
    }

    private let request: APIRequest
    private let loop: any EventLoop
    private let state: NIOLoopBoundBox<State>

    init(_ request: APIRequest) throws(APIError) {
        guard let loop = request.http.connection.eventLoop else {
            throw APIError(.serviceUnavailable, code: .system, "There is no connection.")
        }
        (self.request, self.loop) = (request, loop)
        state = NIOLoopBoundBox.makeBoxSendingValue(State(), eventLoop: loop)
    }

    func opened(_ socket: MessageSocket) {
        var ends: [CInt] = [-1, -1]
        guard socketpair(AF_UNIX, CInt(SOCK_STREAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue), 0, &ends) == 0 else {
            return socket.close()
        }
        let (own, others) = (ends[0], ends[1])
        let (server, client) = (request.api.parts.server, request.client)
        let feed = request.api.feed
        Task {
            await server.adopt(others, peer: client.peer, permission: client.permission)
            await feed.watch(socket, client) { socket.close() }
        }
        ClientBootstrap(group: loop).channelOption(.autoRead, value: false)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(PipeHandler(socket))
                }
            }
            .withConnectedSocket(own).hop(to: loop).whenComplete { [state] result in
                guard case .success(let pipe) = result else { return socket.close() }
                guard !state.value.isClosed else { return pipe.close(promise: nil) }
                state.value.pipe = pipe
                for bytes in state.value.early { pipe.writeAndFlush(bytes, promise: nil) }
                state.value.early = []
                pipe.read()
            }
    }

    func received(_ message: ByteBuffer, on socket: MessageSocket) {
        guard let pipe = state.value.pipe else {
            // A client waits for the greeting before it says much.
            if state.value.early.count < 16 { state.value.early.append(message) } else { socket.close() }
            return
        }
        guard !pipe.isWritable else { return pipe.writeAndFlush(message, promise: nil) }
        socket.setReading(false)
        pipe.writeAndFlush(message).whenComplete { _ in socket.setReading(true) }
    }

    func closed(_ socket: MessageSocket) {
        state.value.isClosed = true
        state.value.pipe?.close(promise: nil)
        let feed = request.api.feed
        Task { await feed.remove(socket) }
    }
}

/// Forwards the session's answers, each piece once the client has taken the one before.
private final class PipeHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let socket: MessageSocket

    init(_ socket: MessageSocket) { self.socket = socket }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let channel = context.channel
        socket.send(unwrapInboundIn(data)) { channel.read() }
    }

    func channelInactive(context: ChannelHandlerContext) { socket.close() }
    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
}
