import Coordination
import Playback
import Synchronization

/// Watches that a measurement advances. A disk that hangs can't be interrupted, so one that doesn't is left behind.
final class Advance: Sendable {
    /// How long a song may give nothing.
    static let patience = Duration.seconds(60)

    private let steps = Atomic(0)

    /// It has come forward.
    func note() { steps.add(1, ordering: .relaxed) }

    /// Waits for work for as long as it comes forward.
    ///
    /// - Throws: what the work throws, or `TrackError` when it stands still.
    func wait<Value: Sendable>(
        by clock: any ServiceClock, _ work: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        let working = Task(operation: work)
        return try await withTaskCancellationHandler {
            while true {
                let before = steps.load(ordering: .relaxed)
                if let result = await withTimeLimit(Self.patience, clock: clock, { await working.result }) {
                    return try result.get()
                }
                guard steps.load(ordering: .relaxed) == before else { continue }
                working.cancel()
                throw TrackError("Its disk doesn't answer.")
            }
        } onCancel: {
            working.cancel()
        }
    }
}
