import Foundation
import MPDCommands
import MusicModel
import Playback
import ServerLoop

/// The state of a player and its surroundings at one moment; taken on the loop, written elsewhere.
struct StatusSnapshot: Sendable {
    /// Tells players apart whose partitions take each other's names.
    var player: ObjectIdentifier
    var partition: String
    var partitions: [String]
    var status: PlayerStatus
    var replayGain: ReplayGainMode
    var current: (position: Int, entry: QueueEntry)?
    var next: (position: Int, entry: QueueEntry)?
    var entries: QueueEntries
    var outputs: [ShownOutput]
    var connection: ConnectionReport
    var trouble: String?
    var time = Date().timeIntervalSince1970

    /// Takes it.
    ///
    /// - Isolation: ServerActor; does not suspend, costs the same whatever the queue's size.
    @ServerActor
    init(_ partition: Partition, _ parts: WebParts) {
        let player = partition.player
        let context = parts.context
        self.player = ObjectIdentifier(player)
        (self.partition, partitions) = (partition.name, context.partitions.map(\.name))
        status = player.status
        replayGain = player.replayGainMode
        current = player.current
        next = status.nextPosition.map { ($0, player.entries[$0]) }
        (entries, outputs) = (player.entries, ShownOutput.all(for: partition, among: context.partitions))
        connection = parts.facts.connection()
        trouble = status.error ?? context.serverTrouble
        if trouble == nil, status.queueLength == 0 { trouble = context.facts.missingSourceAdvice }
    }
}
