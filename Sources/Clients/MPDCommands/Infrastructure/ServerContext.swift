package import Coordination
import LibraryIndex
package import MusicModel
package import Playback
package import ServerLoop
package import UserLibrary

/// Everything commands of all clients share; complete when it is made.
@ServerActor
package final class ServerContext {
    /// The parts that commands use, besides clients and partitions.
    package let parts: ServerParts
    /// The facts that they tell of the process.
    package let facts: ServerFacts
    /// When the server started.
    package let startTime = ContinuousClock.now
    /// The partitions in the order of their creation; the first is `default`.
    package internal(set) var partitions: [Partition]
    /// Mounts as `listmounts` shows them; clients add and remove some.
    package internal(set) var mounts: [ShownMount]
    /// The problem with the library's server, as `status` shows it; nil without one, or after `clearerror`.
    package private(set) var serverProblem: String?
    let pictureTransfers: PictureTransfers
    /// Limits fingerprints; each fetches and decodes a song.
    let fingerprinting = ConcurrencyLimit(2)
    private let clients: any ConnectedClients
    private var weakSubscribers: [WeakClient] = []

    /// Collects what commands need.
    package init(
        _ parts: ServerParts, facts: ServerFacts = ServerFacts(), partitions: [Partition],
        clients: any ConnectedClients
    ) {
        self.parts = parts
        self.facts = facts
        self.partitions = partitions
        self.clients = clients
        mounts = facts.mounts
        pictureTransfers = PictureTransfers(memoryBudget: parts.library.memoryBudget)
    }

    /// The index.
    package var library: Library { parts.library }

    /// The memory that the process may hold.
    package var memoryBudget: MemoryBudget { library.memoryBudget }

    /// Delivers idle events to every client, or to those of one partition.
    package func notify(_ subsystems: Subsystem, _ partition: Partition?) {
        clients.notify(subsystems, partition: partition)
    }

    /// Sets the problem with the library's server, as a sentence for a person; nil once it is solved.
    package func setServerProblem(_ problem: String?) {
        guard problem != serverProblem else { return }
        serverProblem = problem
        notify(.player, nil)
    }

    func hasClients(_ partition: Partition) -> Bool { clients.isUsed(partition) }

    /// The clients of a partition that have subscribed to a channel, in the order in which they did.
    func subscribers(in partition: Partition) -> [ClientState] {
        weakSubscribers.compactMap(\.client).filter { $0.partition === partition }
    }

    func addSubscriber(_ client: ClientState) {
        weakSubscribers.removeAll { $0.client == nil || $0.client === client }
        weakSubscribers.append(WeakClient(client: client))
    }

    /// Sends a text to the subscribers of a channel in a partition; true if one of them had room for it.
    @discardableResult
    package func send(_ text: String, on channel: String, in partition: Partition) -> Bool {
        var isTaken = false
        var room = UnreadMessages.maxBytes
        // Added up each time, as clients leave without unsubscribing.
        for client in weakSubscribers { room -= client.client?.messages.size ?? 0 }
        let size = UnreadMessages.size(channel, text)
        for client in subscribers(in: partition)
        where client.messages.all.count < UnreadMessages.maxOfClient && client.channels.contains(channel) {
            guard size <= room else { break }
            room -= size
            isTaken = true
            let isFirst = client.messages.all.isEmpty
            client.messages.append(channel, text)
            if isFirst { client.deliver(.message, through: self) }
        }
        return isTaken
    }

    /// A client that only its session keeps alive, so that a closed connection need not unsubscribe.
    private struct WeakClient {
        weak var client: ClientState?
    }
}
