package import Foundation
import Synchronization

/// Figures for monitoring, which a service changes while others read them.
package final class Figures<Values: Sendable>: Sendable {
    private let state: Mutex<Values>

    init(_ values: Values) { state = Mutex(values) }
    /// The figures now.
    package var values: Values { state.withLock { $0 } }
    func change(_ change: (inout Values) -> Void) { state.withLock { change(&$0) } }
}

/// How syncs of the server ended, for monitoring.
package struct SyncFigures: Sendable, Equatable {
    /// Syncs that ended with a complete index.
    package var successes = 0
    /// Syncs that failed, or ended without knowing whether the index is complete.
    package var failures = 0
    /// How long the last successful sync took; nil before the first.
    package var duration: Duration?
    /// When that was; nil before the first.
    package var lastSuccess: Date?
}
