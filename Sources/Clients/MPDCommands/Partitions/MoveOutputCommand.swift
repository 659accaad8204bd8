import MPDProtocol
import MusicModel
import Playback
import ServerLoop

/// Moves an output into the client's partition; what both partitions play goes on.
///
/// - Wire: `moveoutput {NAME}` → `OK`, also when it is there already.
/// - Shape: its place in the other partition stays as one of the type `dummy`; coming back it takes that place again.
/// - Errors: ACK 50 for an output that isn't there, and for a device that plays what an output sends: it goes where
///   that output goes.
/// - Source: MPD v0.24.13 src/command/PartitionCommands.cxx `handle_moveoutput`.
struct MoveOutputCommand: Command {
    static let name: StaticString = "moveoutput"
    static let permission = Permission.admin
    static let argumentCount = 1...1
    static let usage: StaticString = "{NAME}"
    static let origin = CommandOrigin.mpd(since: "0.22")

    private let output: String

    init(parsing arguments: inout Arguments) throws(AckError) {
        output = try arguments.string()
    }

    func run(in context: CommandContext, response: inout ResponseWriter) throws {
        let destination = context.client.partition
        guard !owns(destination) else { return }
        guard let owner = context.server.partitions.first(where: { owns($0) }) else {
            throw AckError(.noExist, "No such output")
        }
        owner.player.moveOutput(named: output, to: destination.player)
        context.server.notify(.output, nil)
    }

    @ServerActor
    private func owns(_ partition: Partition) -> Bool {
        partition.player.engine.outputs.contains { $0.name == output && !$0.isMovedAway && !$0.isRemote }
    }
}
