import MPDProtocol
import Playback
import ServerLoop

/// Lists the partitions.
///
/// - Wire: `listpartitions` → `partition: NAME` lines, `default` first.
/// - Source: MPD v0.24.13 src/command/PartitionCommands.cxx `handle_listpartitions`.
struct ListPartitionsCommand: Command {
    static let name: StaticString = "listpartitions"
    static let permission = Permission.read
    static let argumentCount = 0...0
    static let usage: StaticString = ""
    static let origin = CommandOrigin.mpd(since: "0.21")

    init(parsing arguments: inout Arguments) throws(AckError) {}

    func run(in context: CommandContext, response: inout ResponseWriter) {
        for partition in context.server.partitions { response.line("partition: ", partition.name) }
    }
}
