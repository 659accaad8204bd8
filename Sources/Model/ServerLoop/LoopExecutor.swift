import NIOCore

/// Runs the jobs of `ServerActor` on its event loop. NIO's own executor can't tell whether the caller is on the loop
/// already (`isIsolatingCurrentContext`), which `Task.immediate` asks before it runs a job at once instead of queueing
/// it.
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
