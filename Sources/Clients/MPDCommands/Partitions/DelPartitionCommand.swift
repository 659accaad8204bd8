import MPDProtocol
import MusicModel
import Playback
import ServerLoop

/// Deletes a partition without clients.
///
/// - Wire: `delpartition {NAME}` → `OK`.
/// - Errors: ACK 2 for a bad name, 50 for an unknown one, 5 for `default` and for one with clients or outputs.
/// - Source: MPD v0.24.13 src/command/PartitionCommands.cxx `handle_delpartition`.
struct DelPartitionCommand: Command {
    static let name: StaticString = "delpartition"
    static let permission = Permission.admin
    static let argumentCount = 1...1
    static let usage: StaticString = "{NAME}"
    static let origin = CommandOrigin.mpd(since: "0.22")

    private let partition: String

    init(parsing arguments: inout Arguments) throws(AckError) {
        partition = try arguments.partitionName()
    }

    func run(in context: CommandContext, response: inout ResponseWriter) throws {
        let server = context.server
        guard let index = server.partitions.firstIndex(where: { $0.name == partition }) else {
            throw AckError(.noExist, "no such partition")
        }
        guard index > 0 else { throw AckError(.unknown, "cannot delete the default partition") }
        let found = server.partitions[index]
        guard !server.hasClients(found) else { throw AckError(.unknown, "partition still has clients") }
        guard found.player.engine.outputs.allSatisfy(\.isMovedAway) else {
            throw AckError(.unknown, "partition still has outputs")
        }
        server.remove(found)
        server.partitionHost?.close(found)
        server.notify(.partition, nil)
    }
}
