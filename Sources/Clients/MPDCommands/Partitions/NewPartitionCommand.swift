import MPDProtocol
import MusicModel
import Playback
import ServerLoop

/// Makes a partition: another player with a queue, options and outputs of its own.
///
/// - Wire: `newpartition {NAME}` → `OK`.
/// - Shape: letters, digits, `-` and `_`; 16 partitions at most. It begins without outputs, and the ReplayGain mode
///   is that of the client's partition.
/// - Errors: ACK 2 for a bad name, 56 for one that is taken, 5 for one too many.
/// - Source: MPD v0.24.13 src/command/PartitionCommands.cxx `handle_newpartition`. Differs: partitions are kept
///   across restarts.
struct NewPartitionCommand: Command {
    static let name: StaticString = "newpartition"
    static let permission = Permission.admin
    static let argumentCount = 1...1
    static let usage: StaticString = "{NAME}"
    static let origin = CommandOrigin.mpd(since: "0.21")

    private static let limit = 16
    private let partition: String

    init(parsing arguments: inout Arguments) throws(AckError) {
        partition = try arguments.partitionName()
    }

    func run(in context: CommandContext, response: inout ResponseWriter) throws {
        let server = context.server
        guard !server.partitions.contains(where: { $0.bears(partition) }) else {
            throw AckError(.exist, "name already exists")
        }
        guard server.partitions.count < Self.limit, let host = server.partitionHost else {
            throw AckError(.unknown, "too many partitions")
        }
        server.add(host.makePartition(named: partition, like: context.client.partition))
        server.notify(.partition, nil)
    }
}
