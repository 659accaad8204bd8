import Dispatch

/// Runs work that waits for a disk or a decoder on a thread of its own, off the pool of the asynchronous functions.
///
/// - Throws: what `work` throws.
@concurrent
func onThread<Value: Sendable>(
    qos: DispatchQoS.QoSClass = .userInitiated, _ work: @escaping @Sendable () throws -> Value
) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
        DispatchQueue.global(qos: qos).async { continuation.resume(with: Result(catching: work)) }
    }
}
