package import Dispatch
import Synchronization

/// Runs work that waits for a disk, a name server or a decoder on a thread of its own, off the pool of the asynchronous
/// functions.
///
/// A disk that hangs can't be interrupted. When the calling task is cancelled, the call ends at once, and the thread
/// ends whenever the disk lets it; what it found is thrown away.
/// - Parameters:
///   - path: what the work reads; so many threads at most wait for one file system (`DiskThreads`).
///   - work: is given a function that says whether the result is still wanted.
/// - Throws: what `work` throws, or `CancellationError`.
@concurrent
package func onThread<Value: Sendable>(
    reading path: String? = nil, qos: DispatchQoS.QoSClass = .userInitiated, limits: DiskThreads = .shared,
    _ work: @escaping @Sendable (_ isAbandoned: @escaping @Sendable () -> Bool) throws -> Value
) async throws -> Value {
    let limit = path.flatMap(limits.limit)
    try await limit?.acquire()
    let waiting = AbandonableWait<Value>()
    return try await withTaskCancellationHandler {
        try await withCheckedThrowingContinuation { continuation in
            guard waiting.begin(continuation) else {
                limit?.release()
                return
            }
            DispatchQueue.global(qos: qos).async {
                // Not before: a caller that goes on leaves its thread behind.
                defer { limit?.release() }
                waiting.end(Result { try work { waiting.isAbandoned } })
            }
        }
    } onCancel: {
        waiting.abandon()
    }
}

/// Runs work that needs not know whether its result is still wanted on a thread of its own.
///
/// - Throws: what `work` throws, or `CancellationError`.
@concurrent
package func onThread<Value: Sendable>(
    reading path: String? = nil, qos: DispatchQoS.QoSClass = .userInitiated, limits: DiskThreads = .shared,
    _ work: @escaping @Sendable () throws -> Value
) async throws -> Value {
    try await onThread(reading: path, qos: qos, limits: limits) { _ in try work() }
}

/// A caller that waits for a thread until it is cancelled.
private final class AbandonableWait<Value: Sendable>: Sendable {
    private struct State {
        var continuation: CheckedContinuation<Value, any Error>?
        var isAbandoned = false
    }

    private let state = Mutex(State())

    /// Whether the result is no longer waited for.
    var isAbandoned: Bool { state.withLock(\.isAbandoned) }

    /// Lets a caller wait; false if it was cancelled before, in which case it goes on with that error.
    func begin(_ continuation: CheckedContinuation<Value, any Error>) -> Bool {
        let mayBegin = state.withLock { state in
            if !state.isAbandoned { state.continuation = continuation }
            return !state.isAbandoned
        }
        if !mayBegin { continuation.resume(throwing: CancellationError()) }
        return mayBegin
    }

    func end(_ result: Result<Value, any Error>) { take()?.resume(with: result) }

    func abandon() {
        state.withLock { $0.isAbandoned = true }
        take()?.resume(throwing: CancellationError())
    }

    private func take() -> CheckedContinuation<Value, any Error>? {
        state.withLock { state in
            defer { state.continuation = nil }
            return state.continuation
        }
    }
}
