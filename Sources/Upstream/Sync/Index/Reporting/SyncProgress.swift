package import Coordination
import Synchronization

/// How far the running sync is, for status displays.
///
/// - Isolation: any.
package final class SyncProgress: Sendable {
    private let state = Mutex<(done: Int, total: Int?)?>(nil)

    /// Rings when it has moved on, however far; one task waits for it.
    package let changes = Alarm()

    /// Knows of no sync.
    init() {}

    /// How many songs have been read, and of how many where that is known; nil before the first.
    package var current: (done: Int, total: Int?)? { state.withLock { $0 } }

    /// Takes what a sync reports.
    func take(_ done: Int, _ total: Int?) {
        state.withLock { $0 = (done, total) }
        changes.ring()
    }

    /// Forgets the last sync.
    package func reset() { state.withLock { $0 = nil } }
}
