/// How an output encodes its sound.
public struct StreamEncoding: Hashable, Sendable {
    /// The encoders; the raw value is the configuration's `encoder`.
    public enum Encoder: String, CaseIterable, Hashable, Sendable {
        /// Samples as they are, with a WAV header.
        case wave
        /// FLAC: lossless.
        case flac
        /// Opus in Ogg.
        case opus
        /// Vorbis in Ogg.
        case vorbis
        /// MP3.
        case mp3
    }

    /// The encoder.
    public var encoder: Encoder
    /// Bits a second, in kbit/s; nil leaves it to the encoder's default. For `opus`, `vorbis` and `mp3`.
    public var bitRate: Int?
    /// Vorbis: -1 (small) to 10 (best); nil when the bit rate counts, or the default.
    public var quality: Double?

    /// Chooses an encoder.
    public init(_ encoder: Encoder, bitRate: Int? = nil, quality: Double? = nil) {
        self.encoder = encoder
        self.bitRate = bitRate
        self.quality = quality
    }

    /// What an `httpd` output uses: lossless, and known to browsers.
    public static let ofHTTP = StreamEncoding(.flac)
    /// What a `shout` output uses.
    public static let ofIcecast = StreamEncoding(.vorbis)

    /// What a file's name asks for.
    public static func ofFile(_ path: String) -> StreamEncoding {
        let endings: [(String, Encoder)] = [
            (".flac", .flac), (".opus", .opus), (".ogg", .vorbis), (".oga", .vorbis), (".mp3", .mp3),
        ]
        let name = path.lowercased()
        return StreamEncoding(endings.first { name.hasSuffix($0.0) }?.1 ?? .wave)
    }
}

/// What an `httpd` output has beside what all outputs have.
public struct HTTPOutputSettings: Hashable, Sendable {
    /// The address to listen at; nil is every address of this machine.
    public var address: String?
    /// The port; 0 takes a free one.
    public var port = 8000
    /// Listeners at the same time; 0 is any number.
    public var maxClients = 64
    /// Connections from one address at the same time; 0 is any number.
    public var maxClientsPerAddress = 16
    /// The websites whose scripts may read the stream: `*`, or one such as `https://example.org`; nil is none.
    public var allowedOrigin: String?
    /// The stream's genre, told to listeners.
    public var genre: String?
    /// The stream's website, told to listeners.
    public var website: String?

    /// The settings when nothing is configured.
    public init() {}
}

/// What a `shout` output has beside what all outputs have.
public struct IcecastSettings: Hashable, Sendable {
    /// How the connection is protected; the raw value is the configuration's `tls`, as MPD has it.
    public enum Encryption: String, CaseIterable, Hashable, Sendable {
        /// Not at all.
        case disabled
        /// As far as the server can.
        case auto
        /// In any case, or nothing is sent.
        case required = "auto_no_plain"
        /// From the first byte, as a port of Icecast's with `<ssl>1</ssl>` has it.
        case https = "rfc2818"
    }

    /// The server's name or address.
    public var host = "127.0.0.1"
    /// The server's port.
    public var port = 8000
    /// The path of the stream, with the slash.
    public var mount = "/segue"
    /// The user who may send.
    public var user = "source"
    /// The user's password.
    public var password = SourcePassword("")
    /// How the connection is protected.
    public var encryption = Encryption.disabled
    /// A file of certificates that are trusted instead of the system's, such as the server's own; nil is the system's.
    public var certificates: String?
    /// The stream's genre.
    public var genre: String?
    /// A sentence about the stream.
    public var description: String?
    /// The stream's website.
    public var website: String?
    /// Whether directories may list the stream.
    public var isPublic = false

    /// The settings when nothing is configured.
    public init() {}
}

/// What a `snapcast` output has beside what all outputs have; with a `path` it writes into that named pipe instead.
public struct SnapcastSettings: Hashable, Sendable {
    /// What of a Snapcast server becomes an output; the raw value is the configuration's `rooms`.
    public enum Rooms: String, CaseIterable, Hashable, Sendable {
        /// Every client, and every group of two or more.
        case all
        /// Every client.
        case clients
        /// Every group, also those of one client.
        case groups
    }

    /// The name or address of the machine that runs snapserver.
    public var host = "127.0.0.1"
    /// The port of the server's TCP source.
    public var port = 4953
    /// Whether the server's clients and groups become outputs.
    public var isControlled = true
    /// Which of them.
    public var rooms = Rooms.all
    /// The port of the server's JSON-RPC over TCP.
    public var controlPort = 1705
    /// The server's name of this stream: a client that is enabled is put to it; nil leaves that to others.
    public var stream: String?

    /// The settings when nothing is configured.
    public init() {}
}

/// A password that nothing prints.
public struct SourcePassword: Hashable, Sendable, CustomStringConvertible, CustomDebugStringConvertible,
    CustomReflectable
{
    let text: String

    /// Hides a password.
    public init(_ text: String) { self.text = text }

    /// Always `<secret>`.
    public var description: String { "<secret>" }
    /// Always `<secret>`.
    public var debugDescription: String { description }
    /// Nothing, so that `dump` shows nothing either.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
