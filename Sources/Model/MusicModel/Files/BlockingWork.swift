import Coordination
package import Dispatch

/// Runs work that waits for a disk, a name server or a decoder on a thread of its own. A disk that hangs can't be
/// interrupted: when the calling task is cancelled, the call ends at once, and the thread whenever the disk lets it.
/// - Parameter path: what the work reads; a limited number of threads wait for one file system (`DiskThreads`).
/// - Parameter work: is given a function that says whether the result is still wanted.
/// - Throws: what `work` throws, or `CancellationError`.
@concurrent
package func onThread<Value: Sendable>(
    reading path: String? = nil, qos: DispatchQoS.QoSClass = .userInitiated, limits: DiskThreads = .shared,
    _ work: @escaping @Sendable (_ isAbandoned: @escaping @Sendable () -> Bool) throws -> Value
) async throws -> Value {
    let limit = path.flatMap(limits.limit)
    try await limit?.acquire()
    let first = FirstResult<Result<Value, any Error>>()
    return try await withTaskCancellationHandler {
        await withCheckedContinuation { continuation in
            guard first.begin(continuation) else {
                limit?.release()
                return
            }
            DispatchQueue.global(qos: qos).async {
                // Not before: a caller that gives up leaves its thread behind.
                defer { limit?.release() }
                first.end(with: Result { try work { first.isOver } })
            }
        }
    } onCancel: {
        first.end(with: .failure(CancellationError()))
    }.get()
}

/// Runs work that needs not know whether its result is still wanted, likewise.
@concurrent
package func onThread<Value: Sendable>(
    reading path: String? = nil, qos: DispatchQoS.QoSClass = .userInitiated, limits: DiskThreads = .shared,
    _ work: @escaping @Sendable () throws -> Value
) async throws -> Value { try await onThread(reading: path, qos: qos, limits: limits) { _ in try work() } }
