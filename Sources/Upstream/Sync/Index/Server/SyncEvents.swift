package import Coordination
package import MusicModel
import Synchronization

/// Reports of syncs and of the services that send changes.
package enum SyncEvent: Hashable, Sendable {
    /// Parts of the server changed, for `idle`.
    case subsystemsChanged(Subsystem)
    /// Songs have other tags or paths, or are gone, for the queue and the player.
    case songsChanged(updated: Set<SongID>, removed: Set<SongID>)
    /// The connection to the server changed, with a sentence that a person understands.
    case connectionChanged(ConnectionStatus, String)
    /// The server answers again, whichever part asked it.
    case serverIsBack
}

/// An observer that keeps what it hears, in order, until it is read: made before all that reports and all that wants to
/// hear, so that neither needs the other.
package struct SyncEvents: Sendable {
    /// Hears everything.
    package let observer: SyncObserver
    /// How far the running sync is; it moves on too often for the stream.
    package let progress: SyncProgress
    /// The events, for one consumer.
    package let stream: AsyncStream<SyncEvent>

    /// Makes an observer that has heard nothing.
    package init() {
        let (stream, continuation) = AsyncStream<SyncEvent>.makeStream()
        let progress = SyncProgress()
        (self.stream, self.progress) = (stream, progress)
        observer = SyncObserver(
            report: { continuation.yield($0) }, progress: { progress.take($0, $1) })
    }
}

/// The hooks of a sync; both are called from the sync's own executor and must not block.
package struct SyncObserver: Sendable {
    /// Takes an event.
    package var report: @Sendable (SyncEvent) -> Void
    /// Takes the number of songs that have been checked, and of all; the total is nil while it is unknown.
    package var progress: @Sendable (_ done: Int, _ total: Int?) -> Void

    /// Makes an observer; what is not given is not observed.
    package init(
        report: @escaping @Sendable (SyncEvent) -> Void = { _ in },
        progress: @escaping @Sendable (_ done: Int, _ total: Int?) -> Void = { _, _ in }
    ) {
        (self.report, self.progress) = (report, progress)
    }

    /// Reports that parts of the server changed.
    package func subsystemsChanged(_ changed: Subsystem) { report(.subsystemsChanged(changed)) }
}

/// How far the running sync is, for status displays.
package final class SyncProgress: Sendable {
    private let state = Mutex<(done: Int, total: Int?)?>(nil)

    /// Rings when it has moved on, however far; one task waits for it.
    package let changes = Alarm()

    init() {}
    /// How many songs have been read, and of how many where that is known; nil before the first.
    package var current: (done: Int, total: Int?)? { state.withLock { $0 } }

    func take(_ done: Int, _ total: Int?) {
        state.withLock { $0 = (done, total) }
        changes.ring()
    }

    /// Forgets the last sync.
    package func reset() { state.withLock { $0 = nil } }
}
