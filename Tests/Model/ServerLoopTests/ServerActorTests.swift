import NIOCore
import ServerLoop
import Testing

@ServerActor private var counter = 0

/// The loop is part of the server's contract: its sockets' handlers enter the actor without a hop.
@Suite("The server's loop")
struct ServerActorTests {
    @Test("code of the actor runs on the loop")
    func runsOnLoop() async {
        let isOnLoop = await ServerActor.value { ServerActor.eventLoop.inEventLoop }
        #expect(isOnLoop)
    }

    @Test("a handler on the loop enters the actor at once")
    func entersAtOnce() async throws {
        let value = try await ServerActor.eventLoop.submit {
            ServerActor.assumeIsolated {
                counter = 41
                counter += 1
                return counter
            }
        }.get()
        #expect(value == 42)
    }

    @Test("an immediate task runs inside the handler that starts it")
    func immediateTask() async throws {
        let ranInside = try await ServerActor.eventLoop.submit {
            ServerActor.assumeIsolated {
                counter = 0
                Task.immediate { counter = 7 }
                return counter == 7
            }
        }.get()
        #expect(ranInside)
    }

    @Test("after a wait elsewhere the actor's code is back on the loop")
    func comesBack() async throws {
        let isOnLoop = try await ServerActor.value { () async throws -> Bool in
            try await Task.sleep(for: .milliseconds(1))
            return ServerActor.eventLoop.inEventLoop
        }
        #expect(isOnLoop)
    }
}

extension ServerActor {
    /// Runs something on the loop.
    fileprivate static func value<T: Sendable>(_ body: @ServerActor @Sendable () async throws -> T) async rethrows -> T
    {
        try await body()
    }
}
