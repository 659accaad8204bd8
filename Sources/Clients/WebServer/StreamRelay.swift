package import NIOCore
package import NIOHTTP1
import NIOPosix
import ServerLoop
import Synchronization

/// Hands an endless answer of another HTTP server on this machine on to the client.
package final class StreamRelay: Sendable {
    private let address: SocketAddress
    private let path: String
    private let source: NIOLoopBoundBox<RelayState>
    private let loop: any EventLoop
    private let ended = Mutex<(@Sendable () -> Void)?>(nil)

    /// Will ask at an address, on the loop of a request's connection.
    package init(_ address: SocketAddress, path: String = "/", for connection: ConnectionFacts) {
        (self.address, self.path) = (address, path)
        loop = connection.eventLoop ?? MultiThreadedEventLoopGroup.singleton.any()
        source = NIOLoopBoundBox.makeBoxSendingValue(RelayState(), eventLoop: loop)
    }

    /// Asks, and waits for the header; nil without an answer in time.
    package func connect() async -> HTTPResponseHead? {
        let (loop, source, host) = (loop, source, address.ipAddress ?? "localhost")
        let answer = loop.makePromise(of: HTTPResponseHead.self)
        let request = HTTPRequestHead(
            version: .http1_1, method: .GET, uri: path, headers: ["host": host, RelayMark.field: RelayMark.value])
        let bootstrap = ClientBootstrap(group: loop).connectTimeout(.seconds(3))
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHTTPClientHandlers()
                    try channel.pipeline.syncOperations.addHandler(RelayHandler(source, answer))
                }
            }
        bootstrap.connect(to: address).whenComplete { result in
            switch result {
            case .success(let channel):
                source.value.source = channel
                channel.write(HTTPClientRequestPart.head(request), promise: nil)
                channel.writeAndFlush(HTTPClientRequestPart.end(nil), promise: nil)
            case .failure(let error): answer.fail(error)
            }
        }
        let limit = loop.scheduleTask(in: .seconds(5)) { answer.fail(ChannelError.connectTimeout(.seconds(5))) }
        let head = try? await answer.futureResult.get()
        limit.cancel()
        if head == nil { cancel() }
        return head
    }

    /// Gives the stream up; the listener's connection is closed, too.
    package func cancel() { loop.execute { [source] in source.value.source?.close(promise: nil) } }

    /// Ends without having begun: the client is gone.
    func abandon() {
        cancel()
        end()
    }

    /// Has a function called when it ends.
    package func whenEnded(_ body: @escaping @Sendable () -> Void) { ended.withLock { $0 = body } }

    private func end() {
        let body = ended.withLock { ended in
            defer { ended = nil }
            return ended
        }
        body?()
    }

    /// Begins; the header has been written. The client may close `channel` at any time.
    func begin(_ channel: any Channel) {
        let source = source
        source.value.target = channel
        channel.closeFuture.whenComplete { [self] _ in
            source.value.source?.close(promise: nil)
            end()
        }
        channel.flush()
        source.value.source?.read()
    }
}

private struct RelayState {
    var source: (any Channel)?
    var target: (any Channel)?
}

/// Reads only while the listener can take more.
private final class RelayHandler: ChannelDuplexHandler {
    typealias InboundIn = HTTPClientResponsePart
    typealias OutboundIn = HTTPClientRequestPart
    typealias OutboundOut = HTTPClientRequestPart

    private let state: NIOLoopBoundBox<RelayState>
    private let answer: EventLoopPromise<HTTPResponseHead>
    private var hasHead = false

    init(_ state: NIOLoopBoundBox<RelayState>, _ answer: EventLoopPromise<HTTPResponseHead>) {
        (self.state, self.answer) = (state, answer)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let head):
            hasHead = true
            answer.succeed(head)
        case .body(let bytes):
            let (source, loop) = (state, context.eventLoop)
            let part = HTTPServerResponsePart.body(.byteBuffer(bytes))
            state.value.target?.writeAndFlush(part).hop(to: loop).whenComplete { _ in
                // Reading stopped when the listener had enough.
                source.value.source?.read()
            }
        case .end: state.value.target?.close(promise: nil)
        }
    }

    func read(context: ChannelHandlerContext) {
        guard !hasHead || state.value.target?.isWritable == true else { return }
        context.read()
    }

    func channelInactive(context: ChannelHandlerContext) {
        answer.fail(ChannelError.eof)
        state.value.target?.close(promise: nil)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
}
