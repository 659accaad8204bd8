package import Coordination
import MPDCommands
package import MusicModel
import NIOCore
package import Playback
package import ServerLoop

/// Carries changes to the clients that wait for them, and keeps them for those that don't wait yet. Changes of one turn
/// of the loop are delivered together in the next, and those of a song that begins once its format is known, so that
/// one action wakes a client once.
@ServerActor
package final class IdleHub: ConnectedClients {
    /// Mostly in the order in which they came.
    private var sessions: [Session] = []
    private var everywhere: Subsystem = []
    private var inPartition = PartitionChanges()
    private var isScheduled = false
    private var watchers: [@ServerActor (Subsystem, [(partition: Partition, subsystems: Subsystem)]) -> Void] = []
    private let clock: any ServiceClock

    /// Makes a hub without clients, with the clock by which it waits for songs that begin.
    package nonisolated init(clock: any ServiceClock = ContinuousClock()) { self.clock = clock }

    /// Reports a change to the clients of `partition`, or of all partitions.
    package func notify(_ subsystems: Subsystem, partition: Partition?) {
        guard !subsystems.isEmpty else { return }
        if let partition { inPartition.add(subsystems, partition) } else { everywhere.formUnion(subsystems) }
        guard !isScheduled else { return }
        isScheduled = true
        ServerActor.eventLoop.execute { ServerActor.assumeIsolated { self.deliver() } }
    }

    /// Calls `watcher` with every delivery: what changed for all partitions, and what did in single ones.
    package func watch(
        _ watcher: @escaping @ServerActor (Subsystem, [(partition: Partition, subsystems: Subsystem)]) -> Void
    ) { watchers.append(watcher) }

    private func deliver() {
        isScheduled = false
        let everywhere = everywhere
        self.everywhere = []
        let (due, next) = inPartition.takeDue(clock.now)
        if let next {
            Task { @ServerActor [clock] in
                try? await clock.sleep(until: next, tolerance: nil)
                self.deliver()
            }
        }
        guard !everywhere.isEmpty || !due.isEmpty else { return }
        for watcher in watchers { watcher(everywhere, due) }
        deliver(sessions[...], everywhere, due)
    }

    /// Tells clients of changes, the newest first, as MPD does; those for whom no time is left in the next slices.
    private func deliver(
        _ sessions: ArraySlice<Session>, _ everywhere: Subsystem,
        _ inPartition: [(partition: Partition, subsystems: Subsystem)]
    ) {
        let slice = TimeSlice()
        var rest = sessions
        while let session = rest.popLast() {
            let own = inPartition.first { $0.partition === session.client.partition }?.subsystems ?? []
            let subsystems = everywhere.union(own)
            if !subsystems.isEmpty { session.notice(subsystems) }
            guard slice.isOver, !rest.isEmpty else { continue }
            let others = rest
            return ServerActor.after(TimeSlice.pause) { self.deliver(others, everywhere, inPartition) }
        }
    }

    /// True if one of the connected clients controls a partition.
    package func isUsed(_ partition: Partition) -> Bool { sessions.contains { $0.client.partition === partition } }

    func add(_ session: Session) {
        session.hubIndex = sessions.count
        sessions.append(session)
    }

    /// Forgets a session, whose index the last one takes.
    func remove(_ session: Session) {
        guard let index = session.hubIndex else { return }
        session.hubIndex = nil
        let last = sessions.removeLast()
        guard last !== session else { return }
        sessions[index] = last
        last.hubIndex = index
    }

    var connected: some Collection<Session> { sessions }
    var count: Int { sessions.count }
}

/// Changes of partitions that their clients are still to be told of. A song that is started changes its player more
/// than once within some milliseconds: it is current, and then its format is known. Clients ask for everything again
/// each time, so they are told once both can be seen.
struct PartitionChanges {
    typealias Change = (partition: Partition, subsystems: Subsystem)

    private struct Waiting {
        let partition: Partition
        var subsystems: Subsystem
        /// When clients are told at the latest; nil while nothing is waited for.
        var latest: ContinuousClock.Instant?
        /// True if something came in that has nothing to do with the song that begins.
        var isUrgent = false
    }

    /// How long clients wait for the format of a song that begins before they are told anyway.
    static let maxDelay = Duration.milliseconds(50)

    private var waiting: [Waiting] = []

    mutating func add(_ subsystems: Subsystem, _ partition: Partition) {
        guard let index = waiting.firstIndex(where: { $0.partition === partition }) else {
            return waiting.append(Waiting(partition: partition, subsystems: subsystems))
        }
        waiting[index].subsystems.formUnion(subsystems)
        if waiting[index].latest != nil, !subsystems.isSubset(of: [.player, .buffering]) {
            waiting[index].isUrgent = true
        }
    }

    /// Takes out those that clients are to be told of now, and the moment to call it again for one that waits on.
    @ServerActor
    mutating func takeDue(_ now: ContinuousClock.Instant) -> (due: [Change], next: ContinuousClock.Instant?) {
        var next: ContinuousClock.Instant?
        var due: [Change] = []
        waiting = waiting.compactMap { change in
            guard !change.isUrgent, change.subsystems.contains(.player), change.partition.player.isBeginning,
                change.latest.map({ now < $0 }) ?? true
            else {
                due.append((change.partition, change.subsystems))
                return nil
            }
            guard change.latest == nil else { return change }
            var held = change
            held.latest = now + Self.maxDelay
            next = held.latest
            return held
        }
        return (due, next)
    }
}
