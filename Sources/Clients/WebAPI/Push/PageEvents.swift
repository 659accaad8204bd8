import Coordination
import MPDSessions
import NIOCore
import Synchronization

/// Tells pages of events that no subsystem of MPD stands for. It is made before all that reports and all that listens.
/// Several reports of a kind count as one.
package final class PageEvents: Sendable {
    /// A kind of event.
    package enum Kind: Hashable, Sendable, CaseIterable {
        /// How the library's server can be reached.
        case connection
        case sync
        /// Changes wait to be sent to the library's server, or have been sent.
        case waiting
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

extension ChangeFeed {
    /// The minimum interval between reports of a sync's progress.
    private static let pause = Duration.milliseconds(250)

    /// Tells what no subsystem of MPD stands for, until the task is cancelled.
    func follow(_ pageEvents: PageEvents) async {
        while !Task.isCancelled {
            for kind in await pageEvents.next() {
                if kind == .access { await closeUnwelcome() } else if count > 0 { await tell(kind) }
            }
            try? await Task.sleep(for: Self.pause)
        }
    }

    private func tell(_ kind: PageEvents.Kind) async {
        let facts = parts.facts
        switch kind {
        case .connection:
            let connection = facts.connection()
            tell("connection") { StatusWriter.connection(connection, to: &$0) }
        case .sync: tell("sync") { writer.sync(to: &$0) }
        case .waiting:
            let waiting = await facts.waiting()
            guard waiting != toldWaiting else { return }
            toldWaiting = waiting
            tell("waiting") { StatusWriter.waiting(waiting, to: &$0) }
        case .requests: tell("requests") { _ in }
        case .access: break
        }
    }
}
