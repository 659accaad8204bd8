package import Coordination
public import LibraryIndex
public import MPDProtocol
public import MusicModel
public import Playback
public import ServerLoop
public import UserLibrary

/// Everything commands of all clients share.
@ServerActor
public final class ServerContext {
    /// The index.
    public let library: Library
    /// The partitions in the order of their creation; the first is `default`.
    public private(set) var partitions: [Partition]
    /// Makes and closes partitions.
    public var partitionHost: (any PartitionHosting)?
    /// Whether a partition has clients.
    public var hasClients: @ServerActor (Partition) -> Bool
    /// Starts updates.
    public let updating: any LibraryUpdating
    /// Fetches pictures.
    public let pictures: any PictureProviding
    /// Fetches the words of songs; nil where nobody can.
    public var lyrics: (any LyricsProviding)?
    /// Reads playlists that aren't in the index; nil where there are none.
    public var outsideFiles: (any OutsideFiles)?
    /// Knows where another client of the server was in its queue; nil without a server.
    public var otherQueue: (any OtherQueueProviding)?
    /// Computes fingerprints; nil where the system can't.
    public var fingerprints: (any Fingerprinting)?
    /// Knows the passwords; nil when there are none.
    public var passwords: (any PasswordChecking)?
    /// Ends the process in order (`kill`); nil when that isn't allowed.
    public var shutDown: (@Sendable () -> Void)?
    /// Delivers idle events to every session, or to those of one partition.
    public var notify: @ServerActor (Subsystem, Partition?) -> Void
    /// When the server started.
    public let startTime: ContinuousClock.Instant
    /// Mounts as `listmounts` shows them: path and a description without secrets.
    public var mounts: [(path: String, storage: String)]
    /// Adds folders to the library and removes them.
    public var mounting: (any LibraryMounting)?
    /// Decoder plug-ins with suffixes and MIME types for `decoders`.
    public var decoders: [(plugin: String, suffixes: [String], mimeTypes: [String])]
    /// The local music folder, for `config`.
    public var musicDirectory: String?

    /// How long songs have been heard since the start, for `stats`.
    public var playtime: @ServerActor () -> Duration
    /// The pictures that clients fetch.
    let pictureTransfers: PictureTransfers
    /// What the process may hold in memory.
    package var memoryBudget: MemoryBudget { library.memoryBudget }
    /// Lets fingerprints through, each of which fetches and decodes a song.
    let fingerprinting = ConcurrencyLimit(2)
    private var weakSubscribers: [WeakClient] = []

    /// Collects what commands need.
    public init(
        library: Library, partition: Partition, updating: any LibraryUpdating, pictures: any PictureProviding,
        notify: @escaping @ServerActor (Subsystem, Partition?) -> Void
    ) {
        self.library = library
        self.pictureTransfers = PictureTransfers(memoryBudget: library.memoryBudget)
        self.partitions = [partition]
        self.hasClients = { _ in false }
        self.updating = updating
        self.pictures = pictures
        self.shutDown = nil
        self.notify = notify
        self.startTime = .now
        self.mounts = []
        self.decoders = []
        self.musicDirectory = nil
        self.playtime = { .zero }
    }

    /// What is wrong with the library's server, as `status` shows it; nil while all is well, or after `clearerror`.
    ///
    /// A player's own error is shown before it.
    public private(set) var serverTrouble: String?

    /// What a user has to do where there is no source of songs; `status` shows it while the queue is empty, so that
    /// stations play without an error.
    public var missingSourceAdvice: String?

    /// Takes note of what is wrong with the library's server, in a sentence for a person; nil when it is well again.
    public func setServerTrouble(_ trouble: String?) {
        guard trouble != serverTrouble else { return }
        serverTrouble = trouble
        notify(.player, nil)
    }

    /// Adds a partition behind the others.
    public func add(_ partition: Partition) { partitions.append(partition) }

    /// Takes a partition out; its player is the host's to end.
    public func remove(_ partition: Partition) { partitions.removeAll { $0 === partition } }

    /// The clients of a partition that have subscribed to a channel, in the order in which they did.
    func subscribers(in partition: Partition) -> [ClientState] {
        weakSubscribers.compactMap(\.client).filter { $0.partition === partition }
    }

    /// Remembers that a client has subscribed to a channel, until it is gone.
    func addSubscriber(_ client: ClientState) {
        weakSubscribers.removeAll { $0.client == nil || $0.client === client }
        weakSubscribers.append(WeakClient(client: client))
    }

    /// A client whose session alone keeps it alive, so that a closed connection needs no sign-off.
    private struct WeakClient {
        weak var client: ClientState?
    }
}

/// Makes players for new partitions and ends those of deleted ones; implemented by the program.
@ServerActor
public protocol PartitionHosting: AnyObject {
    /// Makes an empty partition without outputs, whose ReplayGain mode is that of another one, and keeps it.
    func makePartition(named name: String, like other: Partition) -> Partition
    /// Ends the player of a partition that has been taken out, and forgets the partition.
    func close(_ partition: Partition)
}

/// A player with a name.
@ServerActor
public final class Partition {
    /// Its name on the wire.
    public let name: String
    /// Its queue, options and playback.
    public let player: Player

    /// Names a player.
    public init(name: String, player: Player) {
        self.name = name
        self.player = player
    }
}

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

/// What one run of a command sees.
public struct CommandContext: Sendable {
    /// What all clients share.
    public let server: ServerContext
    /// The client that sent it.
    public let client: ClientState
    /// The place in a command list, 0 outside of one.
    public let index: Int

    /// Pairs the server with a client.
    public init(server: ServerContext, client: ClientState, index: Int = 0) {
        self.server = server
        self.client = client
        self.index = index
    }

    /// The player of the client's partition.
    @ServerActor var player: Player { client.partition.player }

    /// Whether `commands` lists a command for this client.
    @ServerActor
    func mayUse(_ entry: CommandEntry) -> Bool {
        guard entry.isAllowed(with: client.permission) else { return false }
        if entry.type == KillCommand.self { return server.shutDown != nil }
        if entry.type == GetFingerprintCommand.self { return server.fingerprints != nil }
        if entry.type == ReadLyricsCommand.self { return server.lyrics != nil }
        if entry.type == MountCommand.self || entry.type == UnmountCommand.self { return server.mounting != nil }
        return entry.type != ListNeighborsCommand.self
    }
}

/// Tells right passwords from wrong ones.
@ServerActor
public protocol PasswordChecking: AnyObject {
    /// What a password allows; nil when it is wrong.
    ///
    /// The answer to a wrong one takes its time, so that few can be tried.
    /// - Throws: `AckError` when too many are being checked, `CancellationError`.
    func permission(for password: String, from peer: PeerAddress) async throws -> Permission?
}

/// Fetches pictures of songs and albums for `albumart` and `readpicture`.
public protocol PictureProviding: AnyObject, Sendable {
    /// The cover of the folder of `uri` (a song or a directory); nil when there is none.
    @concurrent func albumArt(for uri: String) async throws -> (bytes: [UInt8], mimeType: String?)?
    /// The cover file in a folder of this machine, by its absolute path; nil when there is none.
    @concurrent func cover(inFolder path: String) async throws -> (bytes: [UInt8], mimeType: String?)?
    /// The picture of the song itself; nil when there is none.
    @concurrent func picture(of uri: String) async throws -> (bytes: [UInt8], mimeType: String?)?
}

/// Fetches the words of songs for `readlyrics` and `readcomments`.
public protocol LyricsProviding: AnyObject, Sendable {
    /// The words of the song at a path; nil when there are none, or none that can be had now.
    ///
    /// - Parameter isUrgent: whether the caller has more to tell, which must not wait for words that are far away.
    /// - Isolation: the global executor.
    @concurrent func lyrics(of uri: String, isUrgent: Bool) async -> Lyrics?
}

extension PictureProviding {
    /// No cover, for providers that know no folders of this machine.
    @concurrent
    public func cover(inFolder path: String) async throws -> (bytes: [UInt8], mimeType: String?)? { nil }
}
