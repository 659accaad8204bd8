import Coordination
import Synchronization

/// Lets the writes of a source pass one at a time, until the source is taken out.
final class WriteGate: Sendable {
    private let isClosed = Mutex(false)
    private let turn = ConcurrencyLimit(1)

    /// Runs a write.
    ///
    /// - Throws: `CancellationError` once the gate is closed.
    func run<Value: Sendable>(_ write: @Sendable () async throws -> Value) async throws -> Value {
        try await turn.acquire()
        defer { turn.release() }
        if isClosed.withLock(\.self) { throw CancellationError() }
        return try await write()
    }

    /// Keeps everything that is still under way from writing. Waits for a write that has begun, also when the caller
    /// is cancelled.
    func close() async {
        isClosed.withLock { $0 = true }
        await Task { if (try? await turn.acquire()) != nil { turn.release() } }.value
    }
}
