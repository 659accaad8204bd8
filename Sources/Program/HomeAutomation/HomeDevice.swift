import Foundation
import MusicModel
import Players

/// A partition as Home Assistant shows it: a device with sensors, buttons, a volume and a choice of playlists.
///
/// - Source: Home Assistant's MQTT discovery, https://www.home-assistant.io/integrations/mqtt/#mqtt-discovery.
struct HomeDevice {
    /// The settings that name the topics.
    let settings: BrokerSettings
    /// The partition's name.
    let partition: String
    /// The program's version.
    let version: String

    /// Longer lists of playlists make the choice unusable, and the message too large for some brokers.
    static let maxPlaylists = 250

    /// The beginning of the partition's own topics.
    var base: String { settings.topic + "/" + Self.word(partition) }
    /// Where its state is.
    var stateTopic: String { base + "/state" }

    /// The last word of a topic that steers the partition; nil for other topics.
    ///
    /// Compared by bytes, as the broker does: characters may be as long as the topic.
    func key(of topic: String) -> String? {
        let start = Array((base + "/set/").utf8)
        guard topic.utf8.starts(with: start) else { return nil }
        return String(decoding: topic.utf8.dropFirst(start.count), as: UTF8.self)
    }

    /// A name with nothing that has a meaning in topics.
    static func word(_ name: String) -> String {
        let word = name.unicodeScalars.map { scalar -> Character in
            scalar.isASCII && (scalar.properties.isAlphabetic || scalar.properties.numericType != nil || scalar == "-")
                ? Character(scalar) : "_"
        }
        return word.isEmpty ? "_" : String(word)
    }

    /// The state as scripts read it, in JSON.
    static func state(_ state: MediaPlayerState) -> String {
        var fields: [String: MessageValue] = [
            "state": .text(state.transport == .play ? "playing" : state.transport == .pause ? "paused" : "stopped"),
            "volume": .number(Double(state.volume)), "random": .flag(state.isRandom),
            "repeat": .flag(state.isRepeating), "title": .text(state.song?.title ?? ""),
            "artist": .text(state.song?.artist ?? ""), "album": .text(state.song?.album ?? ""),
            "uri": .text(state.song?.uri ?? ""),
        ]
        if let length = state.song?.length { fields["duration"] = .number(Double(length.components.seconds)) }
        if let rating = state.song?.rating { fields["rating"] = .number(Double(rating)) }
        return MessageValue.object(fields).text
    }

    /// The configurations that Home Assistant makes entities of, by their topics.
    func announcements(playlists: [String]) -> [(topic: String, text: String)] {
        guard !settings.discovery.isEmpty else { return [] }
        var found = [
            announcement(
                "sensor", "state", "State",
                ["value_template": .text("{{ value_json.state }}"), "icon": .text("mdi:music")]),
            announcement("sensor", "title", "Title", ["value_template": .text("{{ value_json.title[:250] }}")]),
            announcement("sensor", "artist", "Artist", ["value_template": .text("{{ value_json.artist[:250] }}")]),
            announcement("sensor", "album", "Album", ["value_template": .text("{{ value_json.album[:250] }}")]),
            announcement(
                "number", "volume", "Volume",
                [
                    "value_template": .text("{{ value_json.volume }}"), "command_topic": .text(base + "/set/volume"),
                    "min": .number(0), "max": .number(100), "unit_of_measurement": .text("%"),
                    "icon": .text("mdi:volume-high"),
                ]),
            announcement(
                "switch", "random", "Random",
                [
                    "value_template": .text("{{ 'ON' if value_json.random else 'OFF' }}"),
                    "command_topic": .text(base + "/set/random"), "icon": .text("mdi:shuffle"),
                ]),
            announcement(
                "select", "playlist", "Play playlist",
                [
                    "command_topic": .text(base + "/set/playlist"),
                    "options": .list(playlists.prefix(Self.maxPlaylists).map { .text($0) }),
                    "value_template": .text("None"), "icon": .text("mdi:playlist-music"),
                ]),
        ]
        for (word, name, icon) in Self.buttons {
            found.append(
                announcement(
                    "button", word, name,
                    [
                        "command_topic": .text(base + "/set/player"), "payload_press": .text(word),
                        "icon": .text("mdi:" + icon),
                    ]))
        }
        return found
    }

    private static let buttons = [
        ("play", "Play", "play"), ("pause", "Pause", "pause"), ("stop", "Stop", "stop"),
        ("next", "Next", "skip-next"), ("previous", "Previous", "skip-previous"),
    ]

    private func announcement(
        _ kind: String, _ word: String, _ name: String, _ own: [String: MessageValue]
    ) -> (topic: String, text: String) {
        let device = "segue_" + HomeDevice.word(settings.topic) + "_" + HomeDevice.word(partition)
        var fields = own
        fields["name"] = .text(name)
        fields["unique_id"] = .text(device + "_" + word)
        fields["object_id"] = .text(device + "_" + word)
        fields["availability_topic"] = .text(settings.availability)
        if kind != "button" { fields["state_topic"] = .text(stateTopic) }
        fields["device"] = .object([
            "identifiers": .list([.text(device)]),
            "name": .text(partition == "default" ? "Segue" : "Segue \(partition)"),
            "manufacturer": .text("Segue"), "model": .text("Music server"), "sw_version": .text(version),
        ])
        return ("\(settings.discovery)/\(kind)/\(device)/\(word)/config", MessageValue.object(fields).text)
    }
}

/// A value of JSON, with an object's keys in order, so that the same state is the same text.
indirect enum MessageValue {
    case text(String)
    case number(Double)
    case flag(Bool)
    case list([MessageValue])
    case object([String: MessageValue])

    /// The value in JSON.
    var text: String {
        let data = try? JSONSerialization.data(
            withJSONObject: plain, options: [.sortedKeys, .withoutEscapingSlashes, .fragmentsAllowed])
        return data.map { String(decoding: $0, as: UTF8.self) } ?? "null"
    }

    private var plain: Any {
        switch self {
        case .text(let text): text
        case .number(let number): number.isFinite ? number : 0
        case .flag(let flag): flag
        case .list(let items): items.map(\.plain)
        case .object(let fields): fields.mapValues(\.plain)
        }
    }
}
