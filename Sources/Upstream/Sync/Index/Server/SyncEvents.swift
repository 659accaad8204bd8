package import MusicModel

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

/// An observer that keeps what it hears, in order, until it is read.
///
/// It is made before all that reports and all that wants to hear, so that neither needs the other.
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
        self.stream = stream
        let progress = SyncProgress()
        self.progress = progress
        observer = SyncObserver(
            subsystemsChanged: { continuation.yield(.subsystemsChanged($0)) },
            songsChanged: { continuation.yield(.songsChanged(updated: $0, removed: $1)) },
            connectionChanged: { continuation.yield(.connectionChanged($0, $1)) },
            serverIsBack: { continuation.yield(.serverIsBack) },
            progress: { progress.take($0, $1) })
    }
}
