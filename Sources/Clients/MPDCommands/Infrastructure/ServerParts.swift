package import LibraryIndex
package import MusicModel
package import Playback
package import ServerLoop
package import UserLibrary

/// The parts that commands use, besides clients and partitions.
package struct ServerParts {
    /// The index.
    package let library: Library
    /// Starts updates.
    package let updating: any LibraryUpdating
    /// Fetches pictures.
    package let pictures: any PictureProviding
    /// Fetches the lyrics of songs; nil where nothing can.
    package var lyrics: (any LyricsProviding)?
    /// Fetches what the index does not keep of songs' files; nil where nothing can.
    package var comments: (any CommentsProviding)?
    /// Reads playlists that aren't in the index; nil where there are none.
    package var outsideFiles: (any OutsideFiles)?
    /// Reads songs outside of the library for clients of this machine; nil where nothing can.
    package var outsideSongs: (any OutsideSongReading)?
    /// Reads audio CDs; nil where nothing can.
    package var discs: (any DiscReading)?
    /// Knows where another client of the server was in its queue; nil without a server.
    package var otherQueue: (any OtherQueueProviding)?
    /// Computes fingerprints; nil where the system can't.
    package var fingerprints: (any Fingerprinting)?
    /// Adds folders to the library and removes them.
    package var mounting: (any LibraryMounting)?
    /// Mounts network storages for that; nil where none can be.
    package var storages: (any StorageMounting)?
    /// Knows the passwords; nil when there are none.
    package var passwords: (any PasswordChecking)?
    /// Makes and closes partitions; nil leaves it with those that there are.
    package var partitionHost: (any PartitionHosting)?
    /// Takes messages on a channel that is the server's own; nil leaves all channels to clients.
    package var ownChannel: (any ChannelTaking)?

    /// Collects what no server can do without.
    package init(library: Library, updating: any LibraryUpdating, pictures: any PictureProviding) {
        self.library = library
        self.updating = updating
        self.pictures = pictures
    }
}

/// A mount as `listmounts` shows it.
package struct ShownMount: Hashable, Sendable {
    /// The name of the mount.
    package let path: String
    /// A description without secrets: a folder's path, an address, or a word.
    package let storage: String
    /// The folder of this machine that its files are in; nil where they are in none.
    package let folder: String?

    /// Describes a mount.
    package init(_ path: String, of storage: String, in folder: String? = nil) {
        (self.path, self.storage) = (path, storage)
        self.folder = folder ?? (storage.isAbsolutePath ? storage : nil)
    }
}

/// The facts that commands tell of the process and its configuration.
package struct ServerFacts: Sendable {
    /// The mounts of the start.
    package var mounts: [ShownMount] = []
    /// Decoder plug-ins with suffixes and MIME types for `decoders`.
    package var decoders: [(plugin: String, suffixes: [String], mimeTypes: [String])] = []
    /// The capture devices that clients may play as `alsa://` addresses.
    package var lineInputs: [String] = []
    /// The drives whose audio CDs clients may play as `cdda://` addresses.
    package var discDevices: [String] = []
    /// The charset of cue sheets that are no Unicode.
    package var legacyCharset = TextDecoding.usualCharset
    /// The local music folder, for `config`.
    package var musicDirectory: String?
    /// The advice for a user without a source of songs, which `status` shows while the queue is empty.
    package var missingSourceAdvice: String?
    /// Ends the process in order (`kill`); nil when that isn't allowed.
    package var shutDown: (@Sendable () -> Void)?

    /// Makes empty facts.
    package init() {}
}

/// The connected clients, as commands need them.
@ServerActor
package protocol ConnectedClients: AnyObject {
    /// Delivers idle events to every client, or to those of one partition.
    func notify(_ subsystems: Subsystem, partition: Partition?)
    /// True if a partition has clients.
    func isUsed(_ partition: Partition) -> Bool
}
