import Coordination
import Synchronization

/// Tells pages of events that no subsystem of MPD stands for.
///
/// It is made before all that reports and all that listens. Several reports of a kind count as one.
/// - Isolation: any.
package final class PageNews: Sendable {
    /// A kind of event.
    package enum Kind: Hashable, Sendable, CaseIterable {
        /// How the library's server can be reached.
        case connection
        /// How far the sync is.
        case sync
        /// Changes wait to be sent to the library's server, or have been sent.
        case waiting
        /// Albums that were requested.
        case requests
        /// Sessions, tokens or passwords that no longer count.
        case access
    }

    private let kinds = Mutex<Set<Kind>>([])
    private let alarm = Alarm()

    /// Makes news of nothing.
    package init() {}

    /// Reports a change.
    package func report(_ kind: Kind) {
        let isNew = kinds.withLock { $0.insert(kind).inserted }
        if isNew { alarm.ring() }
    }

    /// Waits for changes and takes them; empty when the task was cancelled. One consumer.
    func next() async -> Set<Kind> {
        while !Task.isCancelled {
            let found = kinds.withLock { kinds in
                defer { kinds = [] }
                return kinds
            }
            if !found.isEmpty { return found }
            await alarm.wait()
        }
        return []
    }
}
