import LibrarySync
import MPDServer
import MPDCommands
import MusicModel
import NIOCore
import Playback
import ServerLoop

/// Carries what one partition's player reports to its clients and to the database.
///
/// - Isolation: ServerActor.
@ServerActor
final class PlayerRelay {
    private let hub: IdleHub
    private weak var partition: Partition?
    private weak var saver: StateSaver?

    init(hub: IdleHub) { self.hub = hub }

    /// Names the partition whose player reports here, and what saves its state.
    func connect(partition: Partition, saver: StateSaver) {
        self.partition = partition
        self.saver = saver
    }

    /// The player changed something.
    func playerChanged(_ subsystems: Subsystem) {
        guard let partition else { return }
        hub.notify(subsystems, partition: partition)
        saver?.changed()
    }
}

/// Carries what the sync reports to the others that must hear of it.
///
/// - Isolation: ServerActor; the sync's observer hops onto it.
@ServerActor
final class Relay {
    private let hub: IdleHub
    private let players: PartitionPlayers
    /// Called when the server can be reached again.
    var serverIsBack: (@Sendable () -> Void)?

    init(hub: IdleHub, players: PartitionPlayers) {
        self.hub = hub
        self.players = players
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
                    ServerActor.assumeIsolated { self.players.songsChanged(updated: updated, removed: removed) }
                }
            },
            connectionChanged: { status, _ in
                guard status == .connected else { return }
                ServerActor.eventLoop.execute { ServerActor.assumeIsolated { self.serverIsBack?() } }
            })
    }
}
