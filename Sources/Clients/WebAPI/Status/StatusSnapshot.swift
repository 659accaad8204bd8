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
    var problem: String?
    var time = Date().timeIntervalSince1970

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
        problem = status.error ?? context.serverProblem
        if problem == nil, status.queueLength == 0 { problem = context.facts.missingSourceAdvice }
    }
}

/// An output as pages see it: with the partition in which it plays, and an id that is its own among those of all.
struct ShownOutput: Sendable {
    /// Its number in the partition that was asked for, or else the number and the name of its partition.
    var id: String
    var partition: String
    var status: OutputStatus

    /// The outputs of a partition, then those of the others, each where it plays.
    @ServerActor
    static func all(for partition: Partition, among partitions: [Partition]) -> [ShownOutput] {
        var seen: Set<String> = []
        var shown = partition.player.outputs.filter { !$0.isMovedAway && seen.insert($0.name).inserted }.map {
            ShownOutput(id: String($0.id), partition: partition.name, status: $0)
        }
        for other in partitions where other !== partition {
            shown += other.player.engine.outputs.filter { !$0.isMovedAway && seen.insert($0.name).inserted }.map {
                ShownOutput(id: "\($0.id):\(other.name)", partition: other.name, status: $0)
            }
        }
        return shown
    }

    /// The output of an id, in the partition where it plays.
    @ServerActor
    static func find(_ id: String, _ request: APIRequest) throws -> (partition: Partition, status: OutputStatus) {
        let words = id.split(separator: ":", maxSplits: 1)
        let partition = words.count == 2 ? try request.api.partition(named: String(words[1])) : try request.partition()
        guard let output = partition.player.outputs.first(where: { String($0.id) == words.first ?? "" }) else {
            throw APIError.missing("There is no such output.")
        }
        guard output.isMovedAway else { return (partition, output) }
        // Only its row is left here.
        for other in request.api.parts.context.partitions {
            let outputs = other.player.engine.outputs
            if let moved = outputs.first(where: { $0.name == output.name && !$0.isMovedAway }) { return (other, moved) }
        }
        return (partition, output)
    }
}
