import Foundation
import MusicModel
import Players

/// A partition as Home Assistant shows it: a device with sensors, buttons, a volume and a choice of playlists.
/// - Source: Home Assistant's MQTT discovery, https://www.home-assistant.io/integrations/mqtt/#mqtt-discovery.
struct HomeDevice {
    let settings: BrokerSettings
    let partition: String
    let version: String

    /// Longer lists of playlists make the choice unusable, and the message too large for some brokers.
    static let maxPlaylists = 250

    var base: String { settings.topic + "/" + Self.word(partition) }
    var stateTopic: String { base + "/state" }

    /// The last word of a topic that steers the partition; nil for other topics. Compared by bytes, as the broker does:
    /// characters may be as long as the topic.
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
        let song = state.song
        var fields: [String: Any] = [
            "state": state.transport == .play ? "playing" : state.transport == .pause ? "paused" : "stopped",
            "volume": state.volume, "random": state.isRandom, "repeat": state.isRepeating,
            "title": song?.title ?? "", "artist": song?.artist ?? "", "album": song?.album ?? "",
            "uri": song?.uri ?? "",
        ]
        fields["duration"] = song?.length?.components.seconds
        fields["rating"] = song?.rating
        return Self.json(fields)
    }

    /// The configurations that Home Assistant makes entities of, by their topics.
    func announcements(playlists: [String]) -> [(topic: String, text: String)] {
        guard !settings.discovery.isEmpty else { return [] }
        let found = [
            announcement("sensor", "state", "State", icon: "music", ["value_template": "{{ value_json.state }}"]),
            announcement("sensor", "title", "Title", ["value_template": "{{ value_json.title[:250] }}"]),
            announcement("sensor", "artist", "Artist", ["value_template": "{{ value_json.artist[:250] }}"]),
            announcement("sensor", "album", "Album", ["value_template": "{{ value_json.album[:250] }}"]),
            announcement(
                "number", "volume", "Volume", icon: "volume-high", sets: "volume",
                ["value_template": "{{ value_json.volume }}", "min": 0, "max": 100, "unit_of_measurement": "%"]),
            announcement(
                "switch", "random", "Random", icon: "shuffle", sets: "random",
                ["value_template": "{{ 'ON' if value_json.random else 'OFF' }}"]),
            announcement(
                "select", "playlist", "Play playlist", icon: "playlist-music", sets: "playlist",
                ["options": Array(playlists.prefix(Self.maxPlaylists)), "value_template": "None"]),
        ]
        let buttons = Self.buttons.map { word, name, icon in
            announcement("button", word, name, icon: icon, sets: "player", ["payload_press": word])
        }
        return found + buttons
    }

    private static let buttons = [
        ("play", "Play", "play"), ("pause", "Pause", "pause"), ("stop", "Stop", "stop"),
        ("next", "Next", "skip-next"), ("previous", "Previous", "skip-previous"),
    ]

    private func announcement(
        _ kind: String, _ word: String, _ name: String, icon: String? = nil, sets key: String? = nil,
        _ own: [String: Any]
    ) -> (topic: String, text: String) {
        let device = "segue_\(Self.word(settings.topic))_\(Self.word(partition))"
        var fields = own
        fields["name"] = name
        fields["icon"] = icon.map { "mdi:\($0)" }
        fields["command_topic"] = key.map { "\(base)/set/\($0)" }
        fields["unique_id"] = "\(device)_\(word)"
        fields["object_id"] = "\(device)_\(word)"
        fields["availability_topic"] = settings.availability
        if kind != "button" { fields["state_topic"] = stateTopic }
        let about: [String: Any] = [
            "identifiers": [device], "name": partition == "default" ? "Segue" : "Segue \(partition)",
            "manufacturer": "Segue", "model": "Music server", "sw_version": version,
        ]
        fields["device"] = about
        return ("\(settings.discovery)/\(kind)/\(device)/\(word)/config", Self.json(fields))
    }

    /// In JSON, with the keys in order, so that the same state is the same text.
    private static func json(_ fields: [String: Any]) -> String {
        let data = try? JSONSerialization.data(
            withJSONObject: fields, options: [.sortedKeys, .withoutEscapingSlashes])
        return data.map { String(decoding: $0, as: UTF8.self) } ?? "null"
    }
}
