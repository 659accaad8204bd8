import Logging
import MusicModel
import NIOCore
import NIOPosix
import Synchronization
import TestSupport
import Testing

@testable import Lidarr

@Suite("Connections to Lidarr that were kept and are lost", .enabled(if: testsEverything))
struct LostConnectionTests {
    @Test("cost no answer, however many there are")
    func costNoAnswer() async throws {
        let calls = Calls(together: 3)
        let server = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(OneAnswer(calls))
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        let port = try #require(server.localAddress?.port)
        let log = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        let connection = LidarrConnection(LidarrSettings(url: "http://127.0.0.1:\(port)", key: Secret("key")), log: log)
        // Three calls at once leave three connections.
        try await withThrowingTaskGroup(of: [Int].self) { group in
            for _ in 0..<3 { group.addTask { try await connection.get([Int].self, "search") } }
            try await group.waitForAll()
        }
        for _ in 0..<4 { #expect(try await connection.get([Int].self, "search").isEmpty) }
        #expect(calls.refused > 0, "no connection was used again")
        try await server.close()
    }
}

/// What reached the server so far.
private final class Calls: Sendable {
    private struct State {
        var waiting: [@Sendable () -> Void] = []
        var isOpen = false
        var refused = 0
    }
    private let together: Int
    private let state = Mutex(State())

    /// - Parameter together: how many calls wait for each other at first; later ones are answered as they come.
    init(together: Int) { self.together = together }

    var refused: Int { state.withLock { $0.refused } }

    func answer(_ send: @escaping @Sendable () -> Void) {
        let ready = state.withLock { state in
            state.waiting.append(send)
            guard state.isOpen || state.waiting.count == together else { return [@Sendable () -> Void]() }
            defer { (state.waiting, state.isOpen) = ([], true) }
            return state.waiting
        }
        for send in ready { send() }
    }

    func refuse() { state.withLock { $0.refused += 1 } }
}

/// Answers the first call of a connection, and closes it with the second one.
private final class OneAnswer: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer
    private let calls: Calls
    private var isAnswered = false

    init(_ calls: Calls) { self.calls = calls }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !isAnswered else {
            calls.refuse()
            return context.close(promise: nil)
        }
        isAnswered = true
        let channel = context.channel
        calls.answer {
            channel.writeAndFlush(ByteBuffer(string: "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n[]"), promise: nil)
        }
    }
}
