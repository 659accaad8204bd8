import Coordination
import Playback
import Synchronization

/// Watches that a measurement advances. A disk that hangs can't be interrupted, so one that doesn't is left behind.
final class Advance: Sendable {
    /// So long, at so many looks in a row, nothing may come of a song: a machine that stands still takes one look.
    static let (patience, looks) = (Duration.seconds(60), 6)

    private let steps = Atomic(0)

    func note() { steps.add(1, ordering: .relaxed) }

    /// Waits for work for as long as it comes forward.
    /// - Throws: what the work throws, or `TrackError` when it stands still.
    func wait<Value: Sendable>(
        by clock: any ServiceClock, _ work: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        let working = Task(operation: work)
        return try await withTaskCancellationHandler {
            var idle = 0
            while idle < Self.looks {
                let before = steps.load(ordering: .relaxed)
                let pause = Self.patience / Self.looks
                if let result = await withTimeLimit(pause, clock: clock, { await working.result }) {
                    return try result.get()
                }
                idle = steps.load(ordering: .relaxed) == before ? idle + 1 : 0
            }
            working.cancel()
            throw TrackError("Its disk doesn't answer.")
        } onCancel: {
            working.cancel()
        }
    }
}
