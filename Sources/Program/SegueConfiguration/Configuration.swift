package import MusicModel
package import NetworkAddresses
package import Outputs

/// Everything that can be set from outside, checked and with its defaults filled in.
///
/// The names follow the configuration file, `conf/segue.toml`, in camel case.
package struct Configuration: Hashable, Sendable {
    /// Where the values come from: a path as it was given, or nil when there is no file.
    package internal(set) var file: String?
    /// The `[server]` section.
    package var server: Server
    /// The `[navidrome]` section; nil when neither the file nor the environment has one.
    package var navidrome: Navidrome?
    /// The `[local]` section; nil when there is none.
    package var local: Local?
    /// The `[cache]` section.
    package var cache: Cache
    /// The `[playback]` section.
    package var playback: Playback
    /// The `[playlists]` section.
    package var playlists: Playlists
    /// The `[zeroconf]` section.
    package var zeroconf: Zeroconf
    /// The `[desktop]` section.
    package var desktop: Desktop
    /// The `[mqtt]` section; nil when there is none.
    package var mqtt: MQTT?
    /// The `[web]` section.
    package var web: Web
    /// The `[discovery]` section.
    package var discovery = Discovery()
    /// The `[dj]` section.
    package var dj = DJ()
    /// The `[[output]]` sections, or the one output named `Default` when there are none.
    package var outputs: [OutputSpecification]
    /// The `[[station]]` sections.
    package var stations: [Station]
    /// What is allowed but should be looked at, each a sentence for the log; no secrets in them.
    package internal(set) var warnings: [String] = []

    /// What clients may do.
    package enum Permission: String, CaseIterable, Hashable, Sendable {
        case read, add, player, control, admin
    }

    /// How much is logged; the names are swift-log's.
    package enum LogLevel: String, CaseIterable, Hashable, Sendable {
        case trace, debug, info, notice, warning, error, critical
    }

    /// The `[server]` section.
    package struct Server: Hashable, Sendable {
        /// Where clients connect; at least one.
        package var listen: [ListenAddress]
        /// Absolute path of the folder with everything that must not be lost.
        package var stateDirectory: String
        /// Absolute path of the folder with what can be fetched again.
        package var cacheDirectory: String
        /// Clients at the same time; one more is turned away.
        package var maxConnections: Int
        /// How long a client may be silent outside of `idle`.
        package var connectionTimeout: Duration
        /// How many entries a queue or a stored playlist may have.
        package var maxPlaylistLength: Int
        /// How large a command list may be, in bytes.
        package var maxCommandListSize: Int
        /// What the whole process may hold in memory, in bytes; 0 is no limit, nil one that fits the machine.
        package var memoryBudget: Int64?
        /// What a client may do without a password.
        package var defaultPermissions: Set<Permission>
        /// What a client of a Unix socket may do without a password; nil is the same as others.
        package var localPermissions: Set<Permission>?
        /// What clients from certain addresses may do without a password; the narrowest network counts.
        package var hostPermissions: [HostPermissions]
        /// The access mode of Unix sockets.
        package var socketMode: UInt32
        /// The group that Unix sockets are given to; nil leaves them to the process's own.
        package var socketGroup: String?
        /// What encrypted listeners show; nil when there are none.
        package var tls: TLS?
        /// How much is logged.
        package var logLevel: LogLevel
        /// The `[[server.password]]` sections.
        package var passwords: [Password]
        /// Absolute paths of the folders below which clients on the network may mount folders.
        package var mountRoots: [String] = []
    }

    /// A `[[server.password]]` section: what a client may do that knows a password.
    package struct Password: Hashable, Sendable {
        /// How a password that a client sends is compared.
        package var check: PasswordCheck
        /// What the client may do then.
        package var permissions: Set<Permission>
    }

    /// How a password that a client sends is compared.
    package enum PasswordCheck: Hashable, Sendable {
        /// With the password itself.
        case password(Secret)
        /// With the SHA-256 digest (32 bytes) of the salt's UTF-8 followed by the password's; the salt may be empty.
        case sha256(salt: String, digest: [UInt8])
        /// With a key that scrypt derives from the password.
        case scrypt(ScryptHash)
    }

    /// What the clients of a network may do without a password.
    package struct HostPermissions: Hashable, Sendable {
        /// Where the clients are.
        package var network: NetworkRange
        /// What they may do.
        package var permissions: Set<Permission>
    }

    /// The `[server.tls]` section.
    package struct TLS: Hashable, Sendable {
        /// Absolute path of a PEM file: the server's certificate, then those between it and the authority.
        package var certificate: String
        /// Absolute path of a PEM file with the certificate's private key.
        package var key: String
    }

    /// The `[navidrome]` section.
    package struct Navidrome: Hashable, Sendable {
        /// The server's address, `http` or `https`, without a user; nil means as stored by `segue login`.
        package var url: String?
        /// The user's name; nil means as stored by `segue login`.
        package var username: String?
        /// The password, from the file, the environment or `password_file`; nil means as stored by `segue login`.
        package var password: Secret?
        /// Absolute path of the file that the password comes from; nil when it comes from elsewhere.
        package var passwordFile: String?
        /// Time between two looks at the server.
        package var syncInterval: Duration
        /// Whether plays are reported.
        package var scrobble: Bool
        /// Whether the queue is saved there for other clients of the server.
        package var saveQueue: Bool
        /// What songs are streamed as: `raw` for the original, or the server's name of a format.
        package var format: String
        /// Highest bit rate in kbit/s when the server converts; nil leaves it to the server.
        package var maxBitrate: Int?
        /// The mount's name; empty at the root.
        package var mount: String

        /// The section as it is when nothing is written in it.
        package init() {
            syncInterval = .seconds(60)
            scrobble = true
            saveQueue = true
            format = "raw"
            mount = ""
        }
    }

    /// The `[local]` section.
    package struct Local: Hashable, Sendable {
        /// Absolute path of the folder with music.
        package var musicDirectory: String
        /// The mount's name; empty at the root.
        package var mount: String
        /// Whether links that lead out of the folder, or of one that a client mounted, are followed.
        package var followsOutsideLinks = true
        /// Whether links that lead to another place in the folder are followed.
        package var followsInsideLinks = true
        /// Whether changes in the folder, and in those that clients mount, are noticed by themselves.
        package var autoUpdate = true
        /// Seconds between two looks at folders that don't tell of changes; 0 is none.
        package var autoUpdateInterval = 900
        /// Whether the tracks of cue sheets are songs.
        package var cueSheets = true
        /// Whether files that cue sheets make tracks of are hidden.
        package var hidesCueTargets = true
        /// The charset of cue sheets and tags that are not Unicode.
        package var legacyCharset = "windows-1252"
        /// The names of pictures in folders of music without their endings, best first.
        package var coverNames = ["cover", "folder", "front", "albumart"]

        /// Makes the section with all else as it is without settings.
        package init(musicDirectory: String = "", mount: String = "") {
            self.musicDirectory = musicDirectory
            self.mount = mount
        }
    }

    /// The `[cache]` section.
    package struct Cache: Hashable, Sendable {
        /// Bytes that cached songs may take on disk.
        package var size: Int64
        /// Songs after the current one that are fetched ahead.
        package var prefetch: Int
        /// The longer edge of the server's covers in pixels; nil keeps them as they are.
        package var coverSize: Int?
        /// Bytes that covers may take on disk.
        package var coverSpace: Int64
        /// Bytes of the disk that stay free.
        package var keepFree: Int64 = 512_000_000
    }

    /// The `[playback]` section.
    package struct Playback: Hashable, Sendable {
        /// What happens at the start with what was playing.
        package var resume: ResumePolicy
        /// Seconds of crossfade of a fresh installation; clients can change it.
        package var crossfade: Int
        /// The ReplayGain mode of a fresh installation; clients can change it.
        package var replayGain: ReplayGainMode
        /// Decibels that ReplayGain adds to songs with values.
        package var replayGainPreamp: Double
        /// Decibels that ReplayGain adds to songs without values.
        package var replayGainMissingPreamp: Double
        /// Whether ReplayGain makes songs no louder than their peaks allow.
        package var replayGainLimit: Bool
        /// The format that outputs without one of their own get; nil, or a part that is unknown, keeps the
        /// song's.
        package var audioOutputFormat: AudioFormat?
        /// Crossfade when a radio station is switched.
        package var radioCrossfade: Duration
        /// How long a radio station may be silent before it counts as lost.
        package var radioTimeout: Duration
        /// Songs that last as long or longer go on where they stopped; nil lets none of them.
        package var resumeLongSongs: Duration?
        /// Whether music pauses while nobody listens to its streams.
        package var pausesWithoutListeners: Bool
    }

    /// The `[zeroconf]` section.
    package struct Zeroconf: Hashable, Sendable {
        /// Whether the server is announced on the network.
        package var enabled = true
        /// The name under which clients find it; `%h` is the machine's.
        package var name = "Segue @ %h"
    }

    /// The `[desktop]` section.
    package struct Desktop: Hashable, Sendable {
        /// Whether the desktop can show and control the music.
        package var enabled = true
        /// Whether each partition is a player of its own there.
        package var partitions = false
        /// Whether the music pauses before the machine sleeps.
        package var pauseOnSleep = false
        /// Whether the machine stays awake while music plays.
        package var inhibitSleep = false
    }

    /// The `[web]` section.
    package struct Web: Hashable, Sendable {
        /// Where the page and the HTTP interface are; nowhere when it is empty.
        package var listen: [ListenAddress] = [.host("127.0.0.1", port: 6610)]
        /// Absolute path of a folder from which the page is served in place of the program's own files.
        package var directory: String?
        /// Further names by which browsers reach it.
        package var hosts: [String] = []
        /// Other websites whose pages may use the interface.
        package var origins: [String] = []
        /// Websites that may show the page in a frame.
        package var frameAncestors: [String] = []
    }

    /// The `[mqtt]` section.
    package struct MQTT: Hashable, Sendable {
        /// The broker's name or address.
        package var host = ""
        /// Its port; nil is the usual one, with or without encryption.
        package var port: Int?
        /// Who signs in.
        package var username: String?
        /// The password of that user, from the file or from `password_file`.
        package var password: Secret?
        /// Whether the connection is encrypted.
        package var tls = false
        /// A file of certificates that are trusted in place of the system's.
        package var certificate: String?
        /// What all topics begin with.
        package var topic = "segue"
        /// Where Home Assistant looks for devices; empty announces nothing.
        package var discovery = "homeassistant"
        /// Whether each partition is a device, or only the first one.
        package var partitions = false
    }

    /// The `[playlists]` section.
    package struct Playlists: Hashable, Sendable {
        /// A stored playlist that Segue makes itself.
        package enum Virtual: String, CaseIterable, Hashable, Sendable {
            case recentlyAdded = "recently_added"
            case recentlyPlayed = "recently_played"
            case mostPlayed = "most_played"
            case starred
            case randomAlbums = "random_albums"
            case radio
            case navidromeQueue = "navidrome_queue"
        }

        /// Those that clients don't see.
        package var hidden: Set<Virtual>
        /// Hosts in private networks from which clients may have playlists read.
        package var privateHosts = HostList()

        /// Those that clients see where there is something in them.
        package var shown: [Virtual] { Virtual.allCases.filter { !hidden.contains($0) } }
    }

    /// A `[[station]]` section: an internet radio station.
    package struct Station: Hashable, Sendable {
        /// The name that clients see.
        package var name: String
        /// The stream's or playlist's address.
        package var url: String
    }
}
