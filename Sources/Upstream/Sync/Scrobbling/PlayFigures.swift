import Synchronization

/// How plays that were reported to the server ended, for monitoring.
///
/// - Isolation: any.
package final class PlayFigures: Sendable {
    /// The figures at one moment.
    package struct Values: Sendable, Equatable {
        /// Plays that the server has counted.
        package var sent = 0
        /// Plays that the server refused for good.
        package var givenUp = 0
    }

    private let state = Mutex(Values())

    /// The figures now.
    package var values: Values { state.withLock { $0 } }

    func sent(_ count: Int) { state.withLock { $0.sent += count } }

    func gaveUp() { state.withLock { $0.givenUp += 1 } }
}
