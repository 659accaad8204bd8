public import LibraryIndex
public import MusicModel
public import Playback
public import ServerLoop
public import UserLibrary

/// What commands use beside the clients and the partitions; whoever puts the server together fills it first.
public struct ServerParts {
    /// The index.
    public let library: Library
    /// Starts updates.
    public let updating: any LibraryUpdating
    /// Fetches pictures.
    public let pictures: any PictureProviding
    /// Fetches the lyrics of songs; nil where nothing can.
    public var lyrics: (any LyricsProviding)?
    /// Reads playlists that aren't in the index; nil where there are none.
    public var outsideFiles: (any OutsideFiles)?
    /// Knows where another client of the server was in its queue; nil without a server.
    public var otherQueue: (any OtherQueueProviding)?
    /// Computes fingerprints; nil where the system can't.
    public var fingerprints: (any Fingerprinting)?
    /// Adds folders to the library and removes them.
    public var mounting: (any LibraryMounting)?
    /// Knows the passwords; nil when there are none.
    public var passwords: (any PasswordChecking)?
    /// Makes and closes partitions; nil leaves it with those that there are.
    public var partitionHost: (any PartitionHosting)?
    /// Takes messages on a channel that is the server's own; nil leaves all channels to clients.
    public var ownChannel: (any ChannelTaking)?

    /// Collects what no server can do without.
    public init(library: Library, updating: any LibraryUpdating, pictures: any PictureProviding) {
        self.library = library
        self.updating = updating
        self.pictures = pictures
    }
}

/// What commands tell of the process and its configuration.
public struct ServerFacts: Sendable {
    /// The mounts of the start, as `listmounts` shows them: path and a description without secrets.
    public var mounts: [(path: String, storage: String)] = []
    /// Decoder plug-ins with suffixes and MIME types for `decoders`.
    public var decoders: [(plugin: String, suffixes: [String], mimeTypes: [String])] = []
    /// The local music folder, for `config`.
    public var musicDirectory: String?
    /// What a user has to do where there is no source of songs; `status` shows it while the queue is empty, so that
    /// stations play without an error.
    public var missingSourceAdvice: String?
    /// Ends the process in order (`kill`); nil when that isn't allowed.
    public var shutDown: (@Sendable () -> Void)?

    /// Knows nothing.
    public init() {}
}

/// The connected clients, as commands need them.
@ServerActor
public protocol ConnectedClients: AnyObject {
    /// Delivers idle events to every client, or to those of one partition.
    func notify(_ subsystems: Subsystem, partition: Partition?)
    /// Whether a partition has clients.
    func isUsed(_ partition: Partition) -> Bool
}
