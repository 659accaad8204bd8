import Glibc

/// Threads of our own for work that blocks, which Swift's pool must never do.
package enum BlockingThread {
    private final class Work {
        let body: @Sendable () -> Void
        init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    }

    /// The message where the system gives no thread.
    package static let missing =
        "the system has no thread left for it; raise its limit of processes and threads (ulimit -u)"

    /// Runs `body` on a new thread with that name (at most 15 bytes are kept).
    /// - Returns: whether there is such a thread; where the system has none left, `body` never runs.
    package static func start(_ name: String, _ body: @escaping @Sendable () -> Void) -> Bool {
        let short = String(name.utf8.prefix(15)) ?? name
        let work = Unmanaged.passRetained(
            Work {
                nameThisThread(short)
                body()
            })
        var thread = pthread_t()
        let failure = pthread_create(&thread, nil, { Self.run($0) }, work.toOpaque())
        if failure == 0 { pthread_detach(thread) } else { work.release() }
        return failure == 0
    }

    /// Names the calling thread, for debuggers and `top`; Swift can't import the C library's functions for that.
    private static func nameThisThread(_ name: String) {
        let file = open("/proc/thread-self/comm", O_WRONLY | O_CLOEXEC)
        guard file >= 0 else { return }
        _ = write(file, name, name.utf8.count)
        close(file)
    }

    private static func run(_ pointer: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
        guard let pointer else { return nil }
        Unmanaged<Work>.fromOpaque(pointer).takeRetainedValue().body()
        return nil
    }
}
