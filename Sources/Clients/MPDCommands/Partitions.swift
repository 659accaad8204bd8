import MPDProtocol
import MusicModel
import Playback
import ServerLoop

extension Command {
    static let delPartition = Command("delpartition", .admin, 1...1, "{NAME}", since: "0.22") { arguments in
        let partition = try arguments.partitionName()
        return .immediate { context, _ in
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
            server.partitions.remove(at: index)
            server.parts.partitionHost?.close(found)
            server.notify(.partition, nil)
        }
    }

    static let listPartitions = immediate("listpartitions", .read, since: "0.21") { context, response in
        for partition in context.server.partitions { response.line("partition: ", partition.name) }
    }

    /// Moves an output into the client's partition; playback in both continues. Its place in the other one stays, of
    /// the type `dummy`, and is its again later. A device that plays what an output sends goes with that.
    static let moveOutput = Command("moveoutput", .admin, 1...1, "{NAME}", since: "0.22") { arguments in
        let output = try arguments.string()
        return .immediate { context, _ in
            let destination = context.client.partition
            let owns = { @ServerActor (partition: Partition) in
                partition.player.engine.outputs.contains { $0.name == output && !$0.isMovedAway && !$0.isRemote }
            }
            guard !owns(destination) else { return }
            guard let owner = context.server.partitions.first(where: { owns($0) }) else {
                throw AckError(.noExist, "No such output")
            }
            owner.player.moveOutput(named: output, to: destination.player)
            context.server.notify(.output, nil)
        }
    }

    /// Makes a partition, another player with its queue and options, without outputs; its ReplayGain mode is that of
    /// the client's. Differs: partitions are kept across restarts.
    static let newPartition = Command("newpartition", .admin, 1...1, "{NAME}", since: "0.21") { arguments in
        let partition = try arguments.partitionName()
        return .immediate { context, _ in
            let server = context.server
            guard !server.partitions.contains(where: { $0.bears(partition) }) else {
                throw AckError(.exist, "name already exists")
            }
            guard server.partitions.count < 16, let host = server.parts.partitionHost else {
                throw AckError(.unknown, "too many partitions")
            }
            server.partitions.append(host.makePartition(named: partition, like: context.client.partition))
            server.notify(.partition, nil)
        }
    }

    static let partition = Command("partition", .read, 1...1, "{NAME}", since: "0.21") { arguments in
        let partition = try arguments.string()
        return .immediate { context, _ in
            guard let found = context.server.partitions.first(where: { $0.name == partition }) else {
                throw AckError(.noExist, "partition does not exist")
            }
            context.client.partition = found
        }
    }

    /// Renames a partition, and answers when the name is kept; playback continues. Ours; MPD's keep their names.
    static let renamePartition = Command("renamepartition", .admin, 2...2, "{NAME} {NEW_NAME}") { arguments in
        let partition = try arguments.string()
        let newName = try arguments.partitionName(
            orElse: "A partition's name has letters from A to Z, digits, \"-\" and \"_\" alone.")
        return .suspending { context, _ in
            let server = context.server
            guard let found = server.partitions.first(where: { $0.name == partition }),
                let host = server.parts.partitionHost
            else { throw AckError(.noExist, "There is no partition of this name.") }
            try host.checkRenaming(of: found, to: newName, in: server)
            let isKept = host.rename(found, to: newName)
            server.notify(.partition, nil)
            do { try await isKept.value } catch {
                server.notify(.partition, nil)
                throw error
            }
        }
    }
}

extension PartitionHosting {
    @ServerActor
    fileprivate func checkRenaming(
        of partition: Partition, to newName: String, in server: ServerContext
    ) throws(AckError) {
        guard partition !== server.partitions.first else {
            throw AckError(.exist, "The partition \(partition.name) is always there and keeps its name.")
        }
        guard !isConfigured(partition.name) else {
            throw AckError(.exist, "The configuration names this partition; change it there.")
        }
        guard !server.partitions.contains(where: { $0.bears(newName) }) else {
            throw AckError(.exist, "There is a partition of this name already.")
        }
        guard !isConfigured(newName) else { throw AckError(.exist, "The configuration has a partition of this name.") }
    }
}

extension Arguments {
    /// Takes a partition's name, as MPD's `IsValidPartitionName`; `refusal` is the sentence for all others.
    mutating func partitionName(orElse refusal: String = "bad name") throws(AckError) -> String {
        let name = try string()
        let isValid = name.utf8.allSatisfy { $0.isLetterOrDigit || "-_".utf8.contains($0) }
        guard isValid, !name.isEmpty else { throw AckError(.argument, refusal) }
        return name
    }
}
