import LibrarySync
import MPDServer
import MPDCommands
import MusicModel
import NIOCore
import Playback
import ServerLoop

/// Carries what one part reports to the others that must hear of it.
///
/// - Isolation: ServerActor; the sync's observer hops onto it.
@ServerActor
final class Relay {
    private let hub: IdleHub
    private var partition: Partition?
    private var saver: StateSaver?
    /// Called when the server can be reached again.
    var serverIsBack: (@Sendable () -> Void)?

    init(hub: IdleHub) { self.hub = hub }

    /// Names the partition whose player reports here, and what saves its state.
    func connect(partition: Partition, saver: StateSaver) {
        self.partition = partition
        self.saver = saver
    }

    /// The player changed something.
    func playerChanged(_ subsystems: Subsystem) {
        hub.notify(subsystems, partition: partition)
        saver?.changed()
    }

    /// What the sync calls, from its own executor.
    nonisolated var observer: SyncObserver {
        SyncObserver(
            subsystemsChanged: { changed in
                ServerActor.eventLoop.execute {
                    ServerActor.assumeIsolated { self.hub.notify(changed, partition: nil) }
                }
            },
            songsChanged: { updated, removed in
                ServerActor.eventLoop.execute {
                    ServerActor.assumeIsolated { self.songsChanged(updated: updated, removed: removed) }
                }
            },
            connectionChanged: { status, _ in
                guard status == .connected else { return }
                ServerActor.eventLoop.execute { ServerActor.assumeIsolated { self.serverIsBack?() } }
            })
    }

    private func songsChanged(updated: Set<SongID>, removed: Set<SongID>) {
        if !removed.isEmpty { partition?.player.removeSongs(removed) }
        if !updated.isEmpty { partition?.player.songsChanged(updated) }
    }
}
