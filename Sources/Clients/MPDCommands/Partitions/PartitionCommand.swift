import MPDProtocol
import Playback
import ServerLoop

/// Switches the client to a partition.
///
/// - Wire: `partition {NAME}` → `OK`.
/// - Errors: ACK 50 for an unknown name.
/// - Source: MPD v0.24.13 src/command/PartitionCommands.cxx `handle_partition`.
struct PartitionCommand: Command {
    static let name: StaticString = "partition"
    static let permission = Permission.read
    static let argumentCount = 1...1
    static let usage: StaticString = "{NAME}"
    static let origin = CommandOrigin.mpd(since: "0.21")

    private let partition: String

    init(parsing arguments: inout Arguments) throws(AckError) {
        partition = try arguments.string()
    }

    func run(in context: CommandContext, response: inout ResponseWriter) throws {
        guard let found = context.server.partitions.first(where: { $0.name == partition }) else {
            throw AckError(.noExist, "partition does not exist")
        }
        context.client.partition = found
    }
}
