import IndexSync
import MPDSessions
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
    // Held until the partition is closed. Weak references would make every use of a player slower than `status` is.
    private var partition: Partition?
    private var saver: StateSaver?
    private var upcoming: UpcomingSongs?
    private var queueReporter: QueueReporter?

    init(hub: IdleHub) { self.hub = hub }

    /// Names the partition whose player reports here, what saves its state, what sees to its next songs, and what saves
    /// its queue on the server.
    func connect(
        partition: Partition, saver: StateSaver, upcoming: UpcomingSongs?, queueReporter: QueueReporter?
    ) {
        self.partition = partition
        self.saver = saver
        self.upcoming = upcoming
        self.queueReporter = queueReporter
    }

    /// Carries nothing any more and lets everything go; the partition is closed.
    func disconnect() { (partition, saver, upcoming, queueReporter) = (nil, nil, nil, nil) }

    /// The player changed something.
    func playerChanged(_ subsystems: Subsystem) {
        guard let partition else { return }
        hub.notify(subsystems, partition: partition)
        saver?.changed()
        upcoming?.look(at: partition.player)
        queueReporter?.look()
    }
}

/// Carries what the sync reports to the others that must hear of it.
///
/// - Isolation: ServerActor; the sync's observer hops onto it.
@ServerActor
final class Relay {
    private let hub: IdleHub
    private let players: PartitionPlayers
    /// How the server could be reached last.
    private(set) var connection = ConnectionStatus.checking
    /// Called when the server can be reached again.
    var serverIsBack: (@Sendable () -> Void)?
    /// Called once when a sync has changed the index, if it is set.
    var indexChanged: (@ServerActor () async -> Void)?
    /// Told what is wrong with the server, for a person; nil when nothing is any more.
    var serverTroubleChanged: (@ServerActor (String?) -> Void)?

    init(hub: IdleHub, players: PartitionPlayers) {
        self.hub = hub
        self.players = players
    }

    /// What the sync calls, from its own executor.
    nonisolated var observer: SyncObserver {
        SyncObserver(
            subsystemsChanged: { changed in
                ServerActor.eventLoop.execute {
                    ServerActor.assumeIsolated { self.subsystemsChanged(changed) }
                }
            },
            songsChanged: { updated, removed in
                ServerActor.eventLoop.execute {
                    ServerActor.assumeIsolated { self.players.songsChanged(updated: updated, removed: removed) }
                }
            },
            connectionChanged: { status, sentence in
                ServerActor.eventLoop.execute {
                    ServerActor.assumeIsolated { self.connectionChanged(status, sentence) }
                }
            })
    }

    private func subsystemsChanged(_ changed: Subsystem) {
        hub.notify(changed, partition: nil)
        guard changed.contains(.database), let first = indexChanged.take() else { return }
        Task { await first() }
    }

    private func connectionChanged(_ status: ConnectionStatus, _ sentence: String) {
        connection = status
        hub.changed?()
        switch status {
        case .authFailed, .unreachable: serverTroubleChanged?(sentence)
        case .notConfigured, .checking, .connected: serverTroubleChanged?(nil)
        }
        if status == .connected { serverIsBack?() }
    }
}
