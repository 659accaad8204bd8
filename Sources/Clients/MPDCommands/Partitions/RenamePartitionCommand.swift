import MPDProtocol
import MusicModel
import Playback
import ServerLoop

/// Gives a partition another name; its queue, options, outputs and clients stay, and what plays goes on.
///
/// - Wire: `renamepartition {NAME} {NEW_NAME}` → `OK` when the name is kept.
/// - Errors: ACK 2 for a new name that `newpartition` would refuse, 50 for an unknown partition, 56 for a name that is
///   taken, for `default` and for partitions of the configuration.
/// - Source: ours; MPD's partitions keep their names.
struct RenamePartitionCommand: Command {
    static let name: StaticString = "renamepartition"
    static let permission = Permission.admin
    static let argumentCount = 2...2
    static let usage: StaticString = "{NAME} {NEW_NAME}"
    static let origin = CommandOrigin.segue

    private let partition: String
    private let newName: String

    init(parsing arguments: inout Arguments) throws(AckError) {
        partition = try arguments.string()
        newName = try arguments.partitionName(
            orElse: "A partition's name has letters from A to Z, digits, \"-\" and \"_\" alone.")
    }

    func run(in context: CommandContext, response: inout ResponseWriter) async throws {
        let server = context.server
        guard let found = server.partitions.first(where: { $0.name == partition }), let host = server.partitionHost
        else { throw AckError(.noExist, "There is no partition of this name.") }
        try check(found, host, server)
        let isKept = host.rename(found, to: newName)
        server.notify(.partition, nil)
        do { try await isKept.value } catch {
            server.notify(.partition, nil)
            throw error
        }
    }

    @ServerActor
    private func check(
        _ found: Partition, _ host: any PartitionHosting, _ server: ServerContext
    ) throws(AckError) {
        guard found !== server.partitions.first else {
            throw AckError(.exist, "The partition \(partition) is always there and keeps its name.")
        }
        guard !host.isConfigured(partition) else {
            throw AckError(.exist, "The configuration names this partition; change it there.")
        }
        guard !server.partitions.contains(where: { $0.bears(newName) }) else {
            throw AckError(.exist, "There is a partition of this name already.")
        }
        guard !host.isConfigured(newName) else {
            throw AckError(.exist, "The configuration has a partition of this name.")
        }
    }
}
