package import MusicModel
package import Playback
package import ServerLoop

/// Follows the players of all partitions; a new one is a line in the list that `PartitionPlayers` is made with.
/// - Isolation: ServerActor; `changed` is called in the middle of a command, so it must not command the player.
@ServerActor
package protocol PlayerObserver: AnyObject {
    /// A partition was made or brought back; its queue may still be empty.
    func opened(_ partition: Partition)
    /// The partition has the queue and the options of its last run, or begins without any; comes once.
    func restored(_ partition: Partition)
    /// The player changed something.
    func changed(_ partition: Partition, _ subsystems: Subsystem)
    /// The partition has another name; its player continues.
    func renamed(_ partition: Partition, from earlier: String)
    /// The partition is gone; its player has stopped.
    func closed(_ partition: Partition)
}

extension PlayerObserver {
    package func opened(_ partition: Partition) {}
    package func restored(_ partition: Partition) {}
    package func renamed(_ partition: Partition, from earlier: String) {}
    package func closed(_ partition: Partition) {}
}

/// Tells clients what their partition's player changed.
@ServerActor
package final class ChangeNotices: PlayerObserver {
    private let notify: @ServerActor (Subsystem, Partition) -> Void

    /// Passes changes to `notify`, which wakes clients.
    package init(_ notify: @escaping @ServerActor (Subsystem, Partition) -> Void) { self.notify = notify }
    package func changed(_ partition: Partition, _ subsystems: Subsystem) { notify(subsystems, partition) }
}

/// Carries what one partition's player reports to all that follow it.
@ServerActor
final class PlayerReports {
    // Held until the partition is closed. Weak references would make every use of a player slower than `status` is.
    private var connected: (partition: Partition, saver: StateSaver)?
    private let observers: [any PlayerObserver]

    init(_ observers: [any PlayerObserver]) { self.observers = observers }

    /// Names the partition whose player reports here, and what saves its state: a player is made with its reports.
    func connect(_ partition: Partition, _ saver: StateSaver) { connected = (partition, saver) }

    func disconnect() { connected = nil }

    func playerChanged(_ subsystems: Subsystem) {
        guard let connected else { return }
        connected.saver.changed()
        for observer in observers { observer.changed(connected.partition, subsystems) }
    }
}
