package import MusicModel
package import ServerLoop

/// A player with a name.
@ServerActor
package final class Partition {
    /// Its name on the wire.
    package private(set) var name: String
    /// Its queue, options and playback.
    package let player: Player
    /// The name under which it is kept, which follows when it is renamed.
    package let key: PartitionKey

    /// Makes a partition of a player that is complete.
    package init(name: String, player: Player) {
        (self.name, self.player) = (name, player)
        key = PartitionKey(name)
    }

    /// Shows it under another name; what plays continues.
    package func rename(to name: String) { self.name = name }
    /// True if a name is this one's, also while a new one is still being written.
    package func bears(_ name: String) -> Bool { self.name == name || key.name == name }
}

/// Makes players for new partitions, renames partitions, and ends players of deleted ones.
@ServerActor
package protocol PartitionHosting: AnyObject {
    /// How long songs have been heard since the start, in all partitions.
    var playtime: Duration { get }
    /// Makes an empty partition without outputs, whose ReplayGain mode is that of another one, and keeps it.
    func makePartition(named name: String, like other: Partition) -> Partition
    /// Gives a partition a name that no other bears, at once; what plays continues.
    /// - Returns: ends when the name is kept, or throws why not; the partition has its old name again then.
    func rename(_ partition: Partition, to name: String) -> Task<Void, any Error>
    /// True if the configuration describes a partition of this name.
    func isConfigured(_ name: String) -> Bool
    /// Ends the player of a partition that has been taken out, and forgets the partition.
    func close(_ partition: Partition)
}
