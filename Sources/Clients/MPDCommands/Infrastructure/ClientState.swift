import Glibc
package import MPDProtocol
package import MusicModel
package import NetworkAddresses
package import Playback
package import ServerLoop

/// The choices and the permissions of one client; owned by its session.
@ServerActor
package final class ClientState {
    /// The reason for a client's permissions, with which they end.
    package enum Claim: Hashable, Sendable {
        /// Its address, of which the rules say what it may do.
        case address
        /// A password, by the digest of its entry.
        case password(String)
        /// Something on its way here, such as a browser's session; what looked at that closes the connection.
        case elsewhere
    }

    /// The permissions of the client.
    package var permission: Permission
    /// The reason for them.
    package var claim = Claim.address
    /// The tags that it wants to see.
    package var tagMask = TagMask.standard
    /// The largest binary chunk, in bytes.
    package var binaryLimit = 8192
    /// The partition it controls.
    package var partition: Partition {
        didSet {
            // The client has to read all that belongs to a partition again.
            if partition !== oldValue { deliver?([.queue, .player, .mixer, .output, .options]) }
        }
    }
    /// Channels it is subscribed to.
    package var channels: [String] = []
    var messages = UnreadMessages()
    /// Enabled features of `protocol`.
    package var protocolFeatures: Set<String> = []
    /// The ways of comparing texts that `stringnormalization` enabled.
    package var stringNormalizations: Set<String> = []
    /// True if it is connected by a Unix socket, which may see local paths.
    package let isLocal: Bool
    /// True if it is a process of this server's user or of root, who may read all that the server may.
    var isOwners: Bool {
        guard isLocal, case .localUser(let user?) = peer else { return false }
        return user == 0 || user == geteuid()
    }

    /// Where it is connected from.
    package let peer: PeerAddress
    /// Delivers an idle event to this client alone; without it the whole partition hears of it.
    package var deliver: (@ServerActor (Subsystem) -> Void)?
    /// The picture that it fetches, as long as it is held, so that all chunks come from the same bytes.
    weak var picture: Picture?

    /// Starts a client with the default permissions.
    package init(permission: Permission, partition: Partition, isLocal: Bool, peer: PeerAddress = .unknown) {
        self.permission = permission
        self.partition = partition
        self.isLocal = isLocal
        self.peer = peer
    }

    func deliver(_ subsystem: Subsystem, through server: ServerContext) {
        if let deliver { deliver(subsystem) } else { server.notify(subsystem, partition) }
    }
}

/// Where a client is connected from.
package enum PeerAddress: Hashable, Sendable {
    /// A process on this machine by a Unix socket, with its user's number where the system tells it.
    case localUser(UInt32?)
    case network(IPAddress)
    case unknown
}
