import MusicModel
import Playback
import ServerLoop

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
