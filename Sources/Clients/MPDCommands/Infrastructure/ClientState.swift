public import MPDProtocol
public import MusicModel
public import Playback
public import ServerLoop

/// What one client has chosen and may do; owned by its session.
@ServerActor
public final class ClientState {
    /// What the client may do.
    public var permission: Permission
    /// The tags that it wants to see.
    public var tagMask = TagMask.standard
    /// The largest binary chunk, in bytes.
    public var binaryLimit = 8192
    /// The partition it controls.
    public var partition: Partition
    /// Channels it is subscribed to.
    public var channels: [String] = []
    /// Messages it hasn't read yet.
    public var messages: [(channel: String, text: String)] = []
    /// Enabled features of `protocol`.
    public var protocolFeatures: Set<String> = []
    /// Whether it is connected by a Unix socket, which may see local paths.
    public let isLocal: Bool
    /// Where it is connected from.
    public let peer: PeerAddress
    /// Delivers an idle event to this client alone; without it the whole partition hears of it.
    public var deliver: (@ServerActor (Subsystem) -> Void)?
    /// The picture that it fetches, as long as it is held, so that all chunks come from the same bytes.
    weak var picture: Picture?

    /// Starts a client with the default permissions.
    public init(permission: Permission, partition: Partition, isLocal: Bool, peer: PeerAddress = .unknown) {
        self.permission = permission
        self.partition = partition
        self.isLocal = isLocal
        self.peer = peer
    }

    /// Delivers an idle event to this client.
    func deliver(_ subsystem: Subsystem, through server: ServerContext) {
        if let deliver { deliver(subsystem) } else { server.notify(subsystem, partition) }
    }
}
