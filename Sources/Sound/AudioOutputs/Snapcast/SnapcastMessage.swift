import Foundation
import MusicModel

/// A message of a Snapcast server over JSON-RPC: an answer, or news.
/// - Source: https://github.com/badaix/snapcast/blob/v0.26.0/doc/json_rpc_api/control.md.
struct SnapcastMessage: Decodable {
    struct Volume: Hashable, Decodable, Sendable {
        var percent: Int
        /// True if it is silent all the same.
        var muted: Bool

        init(percent: Int, muted: Bool) { (self.percent, self.muted) = (percent, muted) }

        /// Reads a volume and brings it to what there is: a server can say anything.
        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            percent = Int(saturating: try container.decode(Double.self, forKey: .percent)).clamped(to: 0...100)
            muted = try container.decode(Bool.self, forKey: .muted)
        }

        private enum CodingKeys: String, CodingKey { case percent, muted }
    }

    /// The latencies that a client can have, in milliseconds.
    static let latencies = -10_000...10_000
    static let maxRooms = 256
    /// The longest name or id that is taken, in bytes.
    private static let maxTextLength = 256

    /// A text that an answer to a client can hold: without control characters, and not too long.
    static func clean(_ text: String, longest: Int = maxTextLength) -> String {
        text.withoutControls.prefix(utf8: longest)
    }

    /// A device that plays.
    struct Client: Hashable, Decodable, Sendable {
        var id: String
        /// The name that was given to it, or else the machine's.
        var name: String
        var isConnected: Bool
        var volume: Volume
        /// By how much sound is played earlier, in milliseconds; nil where the server says nothing usable.
        var latency: Int?
        /// The group that it is in, which knows it.
        var group = ""

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            let config = try container.nestedContainer(keyedBy: CodingKeys.self, forKey: .config)
            let host = try container.nestedContainer(keyedBy: CodingKeys.self, forKey: .host)
            id = try container.decode(String.self, forKey: .id)
            isConnected = try container.decode(Bool.self, forKey: .connected)
            volume = try config.decode(Volume.self, forKey: .volume)
            latency = (try? config.decode(Double.self, forKey: .latency)).map {
                Int(saturating: $0).clamped(to: SnapcastMessage.latencies)
            }
            let given = try config.decode(String.self, forKey: .name)
            let names = [given, try host.decode(String.self, forKey: .name), id]
            name = names.lazy.map { SnapcastMessage.clean($0) }.first { !$0.isEmpty } ?? ""
        }

        private enum CodingKeys: String, CodingKey { case id, connected, config, host, name, volume, latency }
    }

    /// Clients that play the same.
    struct Group: Hashable, Decodable, Sendable {
        var id: String
        var name: String
        var isMuted: Bool
        var stream: String
        var clients: [Client]

        private enum CodingKeys: String, CodingKey {
            case id, name, clients
            case isMuted = "muted"
            case stream = "stream_id"
        }
    }

    struct Server: Decodable { var groups: [Group] }
    struct Result: Decodable {
        var server: Server?
        var volume: Volume?
    }
    struct Parameters: Decodable {
        var id: String?
        var name: String?
        var volume: Volume?
        var server: Server?
    }
    struct Failure: Decodable { var message: String? }

    /// The number of the request that is answered; nil for news.
    var id: Int?
    var method: String?
    var params: Parameters?
    var result: Result?
    var error: Failure?

    static func parse(_ line: some Collection<UInt8>) -> SnapcastMessage? {
        try? JSONDecoder().decode(SnapcastMessage.self, from: Data(line))
    }
}

enum SnapcastRequest: Hashable, Sendable {
    case status
    case setVolume(client: String, SnapcastMessage.Volume)
    case setLatency(client: String, Int)
    case setMute(group: String, Bool)
    case setStream(group: String, String)

    /// Something that a request sets; of several that wait only the last is worth sending.
    enum Setting: Hashable, Sendable {
        case volume(String)
        case latency(String)
        case mute(String)
        case stream(String)
    }

    /// Nil for what sets nothing.
    var setting: Setting? {
        switch self {
        case .status: nil
        case .setVolume(let client, _): .volume(client)
        case .setLatency(let client, _): .latency(client)
        case .setMute(let group, _): .mute(group)
        case .setStream(let group, _): .stream(group)
        }
    }

    func line(id: Int) -> [UInt8] {
        let (method, parameters): (String, [String: Any]) =
            switch self {
            case .status: ("Server.GetStatus", [:])
            case .setVolume(let client, let volume):
                (
                    "Client.SetVolume",
                    ["id": client, "volume": ["percent": volume.percent, "muted": volume.muted] as [String: Any]]
                )
            case .setLatency(let client, let latency): ("Client.SetLatency", ["id": client, "latency": latency])
            case .setMute(let group, let isMuted): ("Group.SetMute", ["id": group, "mute": isMuted])
            case .setStream(let group, let stream): ("Group.SetStream", ["id": group, "stream_id": stream])
            }
        var request: [String: Any] = ["id": id, "jsonrpc": "2.0", "method": method]
        if !parameters.isEmpty { request["params"] = parameters }
        let data = (try? JSONSerialization.data(withJSONObject: request, options: [.sortedKeys])) ?? Data()
        return Array(data) + Array("\r\n".utf8)
    }
}
