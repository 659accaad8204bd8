package import ServerLoop

/// A player with a name.
@ServerActor
package final class Partition {
    /// Its name on the wire.
    package let name: String
    /// Its queue, options and playback.
    package let player: Player

    /// Makes a partition of a player that is complete.
    package init(name: String, player: Player) {
        self.name = name
        self.player = player
    }
}

/// Makes players for new partitions and ends those of deleted ones.
@ServerActor
package protocol PartitionHosting: AnyObject {
    /// How long songs have been heard since the start, in all partitions.
    var playtime: Duration { get }
    /// Makes an empty partition without outputs, whose ReplayGain mode is that of another one, and keeps it.
    func makePartition(named name: String, like other: Partition) -> Partition
    /// Ends the player of a partition that has been taken out, and forgets the partition.
    func close(_ partition: Partition)
}
