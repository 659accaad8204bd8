public import MusicModel
public import NetworkAddresses
public import Outputs

/// Everything that can be set from outside, checked and with its defaults filled in.
///
/// The names follow the configuration file, `conf/segue.toml`, in camel case.
public struct Configuration: Hashable, Sendable {
    /// Where the values come from: a path as it was given, or nil when there is no file.
    public internal(set) var file: String?
    /// The `[server]` section.
    public var server: Server
    /// The `[navidrome]` section; nil when neither the file nor the environment has one.
    public var navidrome: Navidrome?
    /// The `[local]` section; nil when there is none.
    public var local: Local?
    /// The `[cache]` section.
    public var cache: Cache
    /// The `[playback]` section.
    public var playback: Playback
    /// The `[playlists]` section.
    public var playlists: Playlists
    /// The `[zeroconf]` section.
    public var zeroconf: Zeroconf
    /// The `[desktop]` section.
    public var desktop: Desktop
    /// The `[mqtt]` section; nil when there is none.
    public var mqtt: MQTT?
    /// The `[web]` section.
    public var web: Web
    /// The `[discovery]` section.
    public var discovery = Discovery()
    /// The `[dj]` section.
    public var dj = DJ()
    /// The `[[output]]` sections, or the one output named `Default` when there are none.
    public var outputs: [OutputSpecification]
    /// The `[[station]]` sections.
    public var stations: [Station]
    /// What is allowed but should be looked at, each a sentence for the log; no secrets in them.
    public internal(set) var warnings: [String] = []

    /// What clients may do.
    public enum Permission: String, CaseIterable, Hashable, Sendable {
        case read, add, player, control, admin
    }

    /// How much is logged; the names are swift-log's.
    public enum LogLevel: String, CaseIterable, Hashable, Sendable {
        case trace, debug, info, notice, warning, error, critical
    }

    /// The `[server]` section.
    public struct Server: Hashable, Sendable {
        /// Where clients connect; at least one.
        public var listen: [ListenAddress]
        /// Absolute path of the folder with everything that must not be lost.
        public var stateDirectory: String
        /// Absolute path of the folder with what can be fetched again.
        public var cacheDirectory: String
        /// Clients at the same time; one more is turned away.
        public var maxConnections: Int
        /// How long a client may be silent outside of `idle`.
        public var connectionTimeout: Duration
        /// How many entries a queue or a stored playlist may have.
        public var maxPlaylistLength: Int
        /// How large a command list may be, in bytes.
        public var maxCommandListSize: Int
        /// What the whole process may hold in memory, in bytes; 0 is no limit, nil one that fits the machine.
        public var memoryBudget: Int64?
        /// What a client may do without a password.
        public var defaultPermissions: Set<Permission>
        /// What a client of a Unix socket may do without a password; nil is the same as others.
        public var localPermissions: Set<Permission>?
        /// What clients from certain addresses may do without a password; the narrowest network counts.
        public var hostPermissions: [HostPermissions]
        /// The access mode of Unix sockets.
        public var socketMode: UInt32
        /// The group that Unix sockets are given to; nil leaves them to the process's own.
        public var socketGroup: String?
        /// What encrypted listeners show; nil when there are none.
        public var tls: TLS?
        /// How much is logged.
        public var logLevel: LogLevel
        /// The `[[server.password]]` sections.
        public var passwords: [Password]
        /// Absolute paths of the folders below which clients on the network may mount folders.
        public var mountRoots: [String] = []
    }

    /// A `[[server.password]]` section: what a client may do that knows a password.
    public struct Password: Hashable, Sendable {
        /// How a password that a client sends is compared.
        public var check: PasswordCheck
        /// What the client may do then.
        public var permissions: Set<Permission>
    }

    /// How a password that a client sends is compared.
    public enum PasswordCheck: Hashable, Sendable {
        /// With the password itself.
        case password(Secret)
        /// With the SHA-256 digest (32 bytes) of the salt's UTF-8 followed by the password's; the salt may be empty.
        case sha256(salt: String, digest: [UInt8])
        /// With a key that scrypt derives from the password.
        case scrypt(ScryptHash)
    }

    /// What the clients of a network may do without a password.
    public struct HostPermissions: Hashable, Sendable {
        /// Where the clients are.
        public var network: NetworkRange
        /// What they may do.
        public var permissions: Set<Permission>
    }

    /// The `[server.tls]` section.
    public struct TLS: Hashable, Sendable {
        /// Absolute path of a PEM file: the server's certificate, then those between it and the authority.
        public var certificate: String
        /// Absolute path of a PEM file with the certificate's private key.
        public var key: String
    }

    /// The `[navidrome]` section.
    public struct Navidrome: Hashable, Sendable {
        /// The server's address, `http` or `https`, without a user; nil means as stored by `segue login`.
        public var url: String?
        /// The user's name; nil means as stored by `segue login`.
        public var username: String?
        /// The password, from the file, the environment or `password_file`; nil means as stored by `segue login`.
        public var password: Secret?
        /// Absolute path of the file that the password comes from; nil when it comes from elsewhere.
        public var passwordFile: String?
        /// Time between two looks at the server.
        public var syncInterval: Duration
        /// Whether plays are reported.
        public var scrobble: Bool
        /// Whether the queue is saved there for other clients of the server.
        public var saveQueue: Bool
        /// What songs are streamed as: `raw` for the original, or the server's name of a format.
        public var format: String
        /// Highest bit rate in kbit/s when the server converts; nil leaves it to the server.
        public var maxBitrate: Int?
        /// The mount's name; empty at the root.
        public var mount: String

        /// The section as it is when nothing is written in it.
        public init() {
            syncInterval = .seconds(60)
            scrobble = true
            saveQueue = true
            format = "raw"
            mount = ""
        }
    }

    /// The `[local]` section.
    public struct Local: Hashable, Sendable {
        /// Absolute path of the folder with music.
        public var musicDirectory: String
        /// The mount's name; empty at the root.
        public var mount: String
        /// Whether links that lead out of the folder, or of one that a client mounted, are followed.
        public var followsOutsideLinks = true
        /// Whether links that lead to another place in the folder are followed.
        public var followsInsideLinks = true
        /// Whether changes in the folder, and in those that clients mount, are noticed by themselves.
        public var autoUpdate = true
        /// Seconds between two looks at folders that don't tell of changes; 0 is none.
        public var autoUpdateInterval = 900
        /// Whether the tracks of cue sheets are songs.
        public var cueSheets = true
        /// Whether files that cue sheets make tracks of are hidden.
        public var hidesCueTargets = true
        /// The charset of cue sheets and tags that are not Unicode.
        public var legacyCharset = "windows-1252"
        /// The names of pictures in folders of music without their endings, best first.
        public var coverNames = ["cover", "folder", "front", "albumart"]

        /// Makes the section with all else as it is without settings.
        public init(musicDirectory: String = "", mount: String = "") {
            self.musicDirectory = musicDirectory
            self.mount = mount
        }
    }

    /// The `[cache]` section.
    public struct Cache: Hashable, Sendable {
        /// Bytes that cached songs may take on disk.
        public var size: Int64
        /// Songs after the current one that are fetched ahead.
        public var prefetch: Int
        /// The longer edge of the server's covers in pixels; nil keeps them as they are.
        public var coverSize: Int?
        /// Bytes that covers may take on disk.
        public var coverSpace: Int64
        /// Bytes of the disk that stay free.
        public var keepFree: Int64 = 512_000_000
    }

    /// The `[playback]` section.
    public struct Playback: Hashable, Sendable {
        /// What happens at the start with what was playing.
        public var resume: ResumePolicy
        /// Seconds of crossfade of a fresh installation; clients can change it.
        public var crossfade: Int
        /// The ReplayGain mode of a fresh installation; clients can change it.
        public var replayGain: ReplayGainMode
        /// Decibels that ReplayGain adds to songs with values.
        public var replayGainPreamp: Double
        /// Decibels that ReplayGain adds to songs without values.
        public var replayGainMissingPreamp: Double
        /// Whether ReplayGain makes songs no louder than their peaks allow.
        public var replayGainLimit: Bool
        /// The format that outputs without one of their own get; nil, or a part that is unknown, keeps the
        /// song's.
        public var audioOutputFormat: AudioFormat?
        /// Crossfade when a radio station is switched.
        public var radioCrossfade: Duration
        /// How long a radio station may be silent before it counts as lost.
        public var radioTimeout: Duration
        /// Songs that last as long or longer go on where they stopped; nil lets none of them.
        public var resumeLongSongs: Duration?
        /// Whether music pauses while nobody listens to its streams.
        public var pausesWithoutListeners: Bool
    }

    /// The `[zeroconf]` section.
    public struct Zeroconf: Hashable, Sendable {
        /// Whether the server is announced on the network.
        public var enabled = true
        /// The name under which clients find it; `%h` is the machine's.
        public var name = "Segue @ %h"
    }

    /// The `[desktop]` section.
    public struct Desktop: Hashable, Sendable {
        /// Whether the desktop can show and control the music.
        public var enabled = true
        /// Whether each partition is a player of its own there.
        public var partitions = false
        /// Whether the music pauses before the machine sleeps.
        public var pauseOnSleep = false
        /// Whether the machine stays awake while music plays.
        public var inhibitSleep = false
    }

    /// The `[web]` section.
    public struct Web: Hashable, Sendable {
        /// Where the page and the HTTP interface are; nowhere when it is empty.
        public var listen: [ListenAddress] = [.host("127.0.0.1", port: 6610)]
        /// Absolute path of a folder from which the page is served in place of the program's own files.
        public var directory: String?
        /// Further names by which browsers reach it.
        public var hosts: [String] = []
        /// Other websites whose pages may use the interface.
        public var origins: [String] = []
        /// Websites that may show the page in a frame.
        public var frameAncestors: [String] = []
    }

    /// The `[mqtt]` section.
    public struct MQTT: Hashable, Sendable {
        /// The broker's name or address.
        public var host = ""
        /// Its port; nil is the usual one, with or without encryption.
        public var port: Int?
        /// Who signs in.
        public var username: String?
        /// The password of that user, from the file or from `password_file`.
        public var password: Secret?
        /// Whether the connection is encrypted.
        public var tls = false
        /// A file of certificates that are trusted in place of the system's.
        public var certificate: String?
        /// What all topics begin with.
        public var topic = "segue"
        /// Where Home Assistant looks for devices; empty announces nothing.
        public var discovery = "homeassistant"
        /// Whether each partition is a device, or only the first one.
        public var partitions = false
    }

    /// The `[playlists]` section.
    public struct Playlists: Hashable, Sendable {
        /// A stored playlist that Segue makes itself.
        public enum Virtual: String, CaseIterable, Hashable, Sendable {
            case recentlyAdded = "recently_added"
            case recentlyPlayed = "recently_played"
            case mostPlayed = "most_played"
            case starred
            case randomAlbums = "random_albums"
            case radio
            case navidromeQueue = "navidrome_queue"
        }

        /// Those that clients don't see.
        public var hidden: Set<Virtual>
        /// Hosts in private networks from which clients may have playlists read.
        public var privateHosts = HostList()

        /// Those that clients see where there is something in them.
        public var shown: [Virtual] { Virtual.allCases.filter { !hidden.contains($0) } }
    }

    /// A `[[station]]` section: an internet radio station.
    public struct Station: Hashable, Sendable {
        /// The name that clients see.
        public var name: String
        /// The stream's or playlist's address.
        public var url: String
    }
}
