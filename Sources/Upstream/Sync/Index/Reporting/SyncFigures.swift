package import Foundation
import Synchronization

/// How syncs of the server ended, for monitoring.
///
/// - Isolation: any.
package final class SyncFigures: Sendable {
    /// The figures at one moment.
    package struct Values: Sendable, Equatable {
        /// Syncs that ended with a complete index.
        package var successes = 0
        /// Syncs that failed, or ended without knowing whether the index is complete.
        package var failures = 0
        /// How long the last successful sync took; nil before the first.
        package var duration: Duration?
        /// When that was; nil before the first.
        package var lastSuccess: Date?
    }

    private let state = Mutex(Values())

    /// The figures now.
    package var values: Values { state.withLock { $0 } }

    func succeeded(after duration: Duration) {
        state.withLock {
            $0.successes += 1
            ($0.duration, $0.lastSuccess) = (duration, Date())
        }
    }

    func failed() { state.withLock { $0.failures += 1 } }
}
