package import NIOCore
package import NIOPosix

/// The one event loop that owns all shared state: sessions, queues, options, players and idle events. Code on this
/// actor reads and changes that state synchronously, as MPD's main loop does, and handlers of sockets on the same loop
/// enter it without a hop. Nothing may block it.
@globalActor
package actor ServerActor {
    /// The actor that `@ServerActor` stands for.
    package static let shared = ServerActor()

    /// The loop on which everything of this actor runs; bind listeners to it.
    package static let eventLoop: any EventLoop = group.next()

    /// The group that holds just that loop.
    package static let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)

    private static let executor = LoopExecutor(eventLoop)

    /// The loop as an executor.
    /// - Isolation: any; constant.
    package nonisolated var unownedExecutor: UnownedSerialExecutor { ServerActor.executor.asUnownedSerialExecutor() }

    /// Runs `body` at once when the caller is already on the loop, which handlers of its sockets are.
    /// - Isolation: the caller must be on `ServerActor.eventLoop`; anything else is a crash.
    package static func assumeIsolated<T: Sendable>(_ body: @ServerActor () throws -> T) rethrows -> T {
        eventLoop.preconditionInEventLoop()
        return try withoutActuallyEscaping(body) { try unsafeBitCast($0, to: (() throws -> T).self)() }
    }
}
