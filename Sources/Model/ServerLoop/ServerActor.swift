package import NIOCore
package import NIOPosix

/// The one event loop that owns all shared state: sessions, queues, options, players and idle events. Handlers of
/// sockets on it enter without a hop. Nothing may block it.
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
    package nonisolated var unownedExecutor: UnownedSerialExecutor { ServerActor.executor.asUnownedSerialExecutor() }

    /// Runs `body` at once when the caller is already on the loop, which handlers of its sockets are.
    /// - Isolation: the caller must be on `ServerActor.eventLoop`; anything else is a crash.
    package static func assumeIsolated<T: Sendable>(_ body: @ServerActor () throws -> T) rethrows -> T {
        eventLoop.preconditionInEventLoop()
        return try withoutActuallyEscaping(body) { try unsafeBitCast($0, to: (() throws -> T).self)() }
    }

    /// Runs `body` on the loop after `delay`, in any case after what it does now.
    package static func after(_ delay: Duration, _ body: @escaping @ServerActor @Sendable () -> Void) {
        eventLoop.scheduleTask(in: TimeAmount(delay)) { assumeIsolated(body) }
    }

    /// Frees a value, handed over with `consume`, on another thread: a queue's million entries take 20 to 50 ms.
    package static func releaseOffLoop<Value: ~Copyable & Sendable>(_ value: consuming Value) {
        let last = LastOwner(consume value)
        Task.detached { last.letGo() }
    }
}

/// Runs the jobs of `ServerActor` on its event loop, and tells `Task.immediate` whether the caller is on it.
final class LoopExecutor: SerialExecutor {
    private let loop: any EventLoop
    init(_ loop: any EventLoop) { self.loop = loop }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        loop.execute { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
    }

    func asUnownedSerialExecutor() -> UnownedSerialExecutor { UnownedSerialExecutor(complexEquality: self) }
    func isSameExclusiveExecutionContext(other: LoopExecutor) -> Bool { loop === other.loop }
    func isIsolatingCurrentContext() -> Bool? { loop.inEventLoop }
    func checkIsolated() { loop.preconditionInEventLoop() }
}
