import Foundation
import GStreamerAudio
import LibraryIndex
import IndexSync
import Logging
import MPDProtocol
import MPDSessions
import MusicModel
import SegueConfiguration

// What one target declares and another one has, where neither may know the other.

extension Library {
    /// Opens the index at `path` to serve from it, with the limits of the configuration.
    convenience init(_ path: String, _ server: Configuration.Server) throws {
        try self.init(
            path: path, renderer: ProtocolBlocks(), playlistLimit: server.maxPlaylistLength, rescuesDamage: true)
    }
}

/// Renders songs for the index as the protocol writes them.
struct ProtocolBlocks: SongRendering {
    private let renderer = SongBlockRenderer()

    var version: Int { renderer.version }

    func render(_ song: Song, mask: TagMask) -> [UInt8] { renderer.render(song, mask: mask) }
}

/// Lets the folder scan read tags with GStreamer.
struct GStreamerTagReader: TagReading {
    func read(path: String) throws -> ScannedTags {
        let file = try AudioFileReader.read(path: path)
        return ScannedTags(tags: file.tags, duration: file.duration, format: file.format, replayGain: file.replayGain)
    }
}

extension OutputSpecification {
    /// An output as the configuration has it; `wasEnabled` is what was saved when the server ran last.
    init(_ output: Configuration.Output, wasEnabled: Bool?) {
        self.init(
            type: Kind(rawValue: output.type.rawValue) ?? .null, name: output.name,
            isEnabled: wasEnabled ?? output.isEnabled,
            mixerType: MixerType(rawValue: output.mixerType.rawValue) ?? .software,
            path: output.path, device: output.device,
            format: output.format.map { AudioFormat($0) }, sync: output.sync)
        mixer.device = output.mixerDevice ?? mixer.device
        mixer.control = output.mixerControl ?? mixer.control
        mixer.index = output.mixerIndex ?? mixer.index
        replayGainHandler = ReplayGainHandler(rawValue: output.replayGainHandler.rawValue) ?? .software
        isAlwaysOn = output.isAlwaysOn
        (server, bufferMicroseconds) = (output.server, output.bufferTime)
        sendsTitles = output.sendsTags
        encoding = StreamEncoding(output, for: type)
        httpd = HTTPOutputSettings(output.network)
        shout = IcecastSettings(output.network)
        snapcast = SnapcastSettings(output.network)
    }
}

extension AudioFormat {
    /// A format as the configuration has it; what is left to the song is 0 or unknown.
    init(_ format: PCMFormat) {
        let sample: Sample =
            switch format.sample {
            case .integer(let bits): .integer(bits: bits)
            case .float: .float
            case nil: .unknown
            }
        self.init(sampleRate: format.sampleRate ?? 0, sample: sample, channels: format.channels ?? 0)
    }
}

extension StreamEncoding {
    /// The encoding as the configuration has it; nil where nothing is said about it.
    fileprivate init?(_ output: Configuration.Output, for type: OutputSpecification.Kind) {
        let chosen = output.encoder.flatMap { Encoder(rawValue: $0.rawValue) }
        guard chosen != nil || output.bitRate != nil || output.quality != nil else { return nil }
        let usual: Encoder =
            switch type {
            case .httpd: Self.ofHTTP.encoder
            case .shout: Self.ofIcecast.encoder
            default: Self.ofFile(output.path ?? "").encoder
            }
        self.init(chosen ?? usual, bitRate: output.bitRate, quality: output.quality)
    }
}

extension HTTPOutputSettings {
    fileprivate init(_ network: Configuration.Output.Network) {
        self.init()
        address = network.bindAddress
        port = network.port ?? port
        maxClients = network.maxClients
        (maxClientsPerAddress, allowedOrigin) = (network.maxClientsPerAddress, network.allowedOrigin)
        (genre, website) = (network.genre, network.website)
    }
}

extension IcecastSettings {
    fileprivate init(_ network: Configuration.Output.Network) {
        self.init()
        (host, port) = (network.host, network.port ?? port)
        mount = network.mount ?? mount
        user = network.user
        password = SourcePassword(network.password?.reveal() ?? "")
        encryption = Encryption(rawValue: network.encryption.rawValue) ?? .required
        certificates = network.certificates
        (genre, website, description) = (network.genre, network.website, network.summary)
        isPublic = network.isPublic
    }
}

extension SnapcastSettings {
    fileprivate init(_ network: Configuration.Output.Network) {
        self.init()
        (host, port) = (network.host, network.port ?? port)
        (isControlled, controlPort, stream) = (network.isControlled, network.controlPort, network.stream)
        rooms = Rooms(rawValue: network.rooms.rawValue) ?? .all
    }
}

extension ServerAddress {
    /// An address as the configuration has it.
    init(_ address: SegueConfiguration.ListenAddress) {
        switch address {
        case .host(let host, let port): self = .on(host: host, port: port)
        case .tls(let host, let port): self = .tls(host: host, port: port)
        case .unix(let path): self = .on(path: path)
        }
    }
}

extension MPDProtocol.Permission {
    /// Permissions as the configuration has them; `control` implies `player`, as in MPD.
    init(_ permissions: Set<Configuration.Permission>) {
        self = permissions.reduce(into: []) { set, permission in
            switch permission {
            case .read: set.insert(.read)
            case .add: set.insert(.add)
            case .player: set.insert(.player)
            case .control: set.formUnion([.control, .player])
            case .admin: set.insert(.admin)
            }
        }
    }
}

extension MPDServerOptions {
    /// What sockets and sessions may do, from `[server]`.
    init(_ server: Configuration.Server) {
        self.init()
        maximumConnections = server.maxConnections
        timeout = server.connectionTimeout
        commandListLimit = server.maxCommandListSize
        access = AccessRules(server)
        (socketMode, socketGroup) = (server.socketMode, server.socketGroup)
        certificate = server.tls.map { CertificateFiles($0) }
    }
}

extension PasswordEntry {
    /// Takes one form of password or another from `[[server.password]]`.
    init(_ password: Configuration.Password) {
        let check: Check =
            switch password.check {
            case .password(let secret): .plain(secret.reveal())
            case .sha256(let salt, let digest): .sha256(salt: Array(salt.utf8), digest: digest)
            case .scrypt(let hash): .scrypt(ScryptKey(hash))
            }
        self.init(check: check, permission: Permission(password.permissions))
    }
}

extension ScryptKey {
    /// A key as the configuration has it.
    init(_ hash: ScryptHash) {
        self.init(
            logCost: hash.logCost, blockSize: hash.blockSize, parallelism: hash.parallelism, salt: hash.salt,
            key: hash.key)
    }
}

extension ScryptHash {
    /// A key for the configuration.
    init(_ key: ScryptKey) {
        self.init(
            logCost: key.logCost, blockSize: key.blockSize, parallelism: key.parallelism, salt: key.salt, key: key.key)
    }
}

extension AccessRules {
    /// The rules as the configuration has them.
    init(_ server: Configuration.Server) {
        self.init(
            defaultPermission: Permission(server.defaultPermissions),
            localPermission: server.localPermissions.map { Permission($0) },
            hosts: server.hostPermissions.map {
                Host(
                    address: $0.network.address, prefixLength: $0.network.prefixLength,
                    permission: Permission($0.permissions))
            })
    }
}

extension CertificateFiles {
    /// The files as the configuration has them.
    init(_ tls: Configuration.TLS) { self.init(certificate: tls.certificate, key: tls.key) }
}

extension Logger.Level {
    /// The configuration's level.
    init(_ level: Configuration.LogLevel) { self = Logger.Level(rawValue: level.rawValue) ?? .info }
}
