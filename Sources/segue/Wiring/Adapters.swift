import Crypto
import Foundation
import GStreamerAudio
import Library
import LibrarySync
import Logging
import MPDProtocol
import MusicModel
import SegueConfiguration

// What one target declares and another one has, where neither may know the other.

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
            format: output.format.map {
                AudioFormat(sampleRate: $0.sampleRate, sample: .integer(bits: $0.bits), channels: $0.channels)
            }, sync: output.sync)
    }
}

extension ServerAddress {
    /// An address as the configuration has it.
    init(_ address: SegueConfiguration.ListenAddress) {
        switch address {
        case .host(let host, let port): self = .on(host: host, port: port)
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

extension Configuration.Password {
    /// Compares what a client sent, without telling by the time how much of it was right.
    var matches: @Sendable (String) -> Bool {
        switch check {
        case .password(let secret):
            let expected = SHA256.hash(data: Data(secret.reveal().utf8))
            return { SHA256.hash(data: Data($0.utf8)) == expected }
        case .sha256(let salt, let digest):
            return { SHA256.hash(data: Data((salt + $0).utf8)) == digest }
        }
    }
}

extension Logger.Level {
    /// The configuration's level.
    init(_ level: Configuration.LogLevel) { self = Logger.Level(rawValue: level.rawValue) ?? .info }
}
