import Foundation
import Outputs
@testable import SegueConfiguration
import Testing

@Suite("conf/segue.toml")
struct ExampleFileTests {
    private let text: String

    init() throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        text = try String(contentsOf: root.appending(path: "conf/segue.toml"), encoding: .utf8)
    }

    /// The lines that are a section or a setting, with their `#` taken away.
    private var settings: [String] {
        text.split(separator: "\n").compactMap { line -> String? in
            let line = line.hasPrefix("#") ? line.dropFirst() : line
            let isSetting = line.hasPrefix("[") || line.prefixMatch(of: #/[a-z_]+ = /#) != nil
            return isSetting ? String(line) : nil
        }
    }

    @Test("means the defaults as it stands")
    func asItStands() throws {
        var configuration = try parse(text)
        #expect(configuration.navidrome == Configuration.Navidrome())
        configuration.navidrome = nil
        #expect(configuration == (try parse("")))
    }

    @Test("is accepted with every setting switched on")
    func switchedOn() throws {
        let configuration = try parse(
            settings.filter { !$0.hasPrefix("password_file") }.joined(separator: "\n"))
        #expect(configuration.outputs.count == 12)
        #expect(configuration.server.passwords.count == 3)
        #expect(configuration.server.hostPermissions.count == 2)
        #expect(configuration.server.tls?.key == "/etc/segue/key.pem")
        #expect(configuration.stations.count == 1)
        #expect(configuration.navidrome?.mount == "navidrome")
        #expect(configuration.local?.mount == "local")
    }

    @Test("has every key that the environment can set, and the environment every key of single sections")
    func everyKey() {
        var keys: [String: Set<String>] = [:]
        var section = ""
        for line in settings {
            if line.hasPrefix("[[") {
                section = ""
            } else if line.hasPrefix("[") {
                section = String(line.dropFirst().dropLast())
            } else if !section.isEmpty {
                keys[section, default: []].insert(String(line.prefix { $0 != " " }))
            }
        }
        #expect(keys == EnvironmentOverrides.keys.mapValues { Set($0) })
    }

    @Test("has every key that the program reads from single sections")
    func everyKeyThatIsRead() throws {
        let problems = ProblemList(file: "segue.toml")
        let directories = DefaultDirectories(environment: ["HOME": "/home/me"])
        _ = ConfigurationReader(directories: directories, problems: problems)
            .read(try TOMLDocument("", file: "segue.toml").root)
        var read = problems.knownKeys
        read[""] = nil
        // `[[server.password]]` is a list of sections below [server], and [server.tls] is one.
        read["server"]?.subtract(["password", "tls"])
        #expect(read == EnvironmentOverrides.keys.mapValues { Set($0) })
    }

    @Test("has every key of outputs, and no other")
    func everyKeyOfOutputs() {
        let common: Set = [
            "type", "name", "enabled", "mixer_type", "replay_gain_handler", "equalizer", "impulse_response",
            "levelling", "crossfeed", "mono", "balance", "delay",
        ]
        let known = OutputSpecification.Kind.allCases.reduce(common) { $0.union($1.keys) }
        let shown = sections.filter { $0.name == "[[output]]" }.reduce(into: Set<String>()) { keys, section in
            keys.formUnion(section.settings.map(Self.key))
        }
        #expect(shown.subtracting(known) == [])
        // Said in the text on `shout`, as it excludes `password`.
        #expect(known.subtracting(shown) == ["password_file"])
    }

    /// What the file shows as an example; everything else is the default.
    private static let examples: Set = [
        "[server].local_permissions", "[server].host_permissions", "[server].socket_group", "[navidrome].url",
        "[navidrome].username", "[navidrome].password", "[navidrome].password_file",
        "[navidrome].format", "[navidrome].max_bitrate", "[navidrome].mount", "[local].mount", "[playlists].hide",
        "[playlists].private_hosts", "auto.impulse_response", "pipe.format", "[server].mount_roots", "[web].directory",
        "[dj].except", "[mqtt].password", "[mqtt].password_file", "[mqtt].certificate",
        "alsa.device", "alsa.format", "alsa.allowed_formats", "alsa.max_rate", "alsa.mixer_device", "pipewire.device",
        "jack.device", "jack.server",
        "fifo.format", "snapcast.path", "snapcast.format", "snapcast.stream",
        "httpd.bind_to_address", "httpd.encoder", "httpd.bitrate", "httpd.format", "httpd.genre",
        "httpd.allow_origin",
        "httpd.website", "httpd.always_on", "shout.genre", "shout.description", "shout.website",
        "shout.tls_certificate",
        "file.encoder",
    ]

    /// Defaults that the configuration leaves open: the outputs' drivers have them.
    private static let leftOpen: Set = [
        "[playback].audio_output_format", "[server].memory_budget", "[mqtt].port", "alsa.buffer_time", "shout.encoder",
        "shout.quality",
    ]

    @Test("shows the defaults that the program has, but for what is clearly an example")
    func defaults() throws {
        var differing: Set<String> = []
        for section in sections where !["[[station]]", "[[server.password]]", "[[equalizer]]"].contains(section.name) {
            // A section as short as it may be, and once with each of its other settings.
            let least = section.settings.filter { Self.isNeeded($0, in: section) }
            let standard = try parse(([section.name] + least).joined(separator: "\n"))
            for setting in section.settings where !least.contains(setting) {
                let text = ([section.name] + least + [setting]).joined(separator: "\n")
                let isDefault = (try? parse(text)) == standard
                if !isDefault { differing.insert("\(section.title).\(Self.key(setting))") }
            }
        }
        let expected = Self.examples.union(Self.leftOpen)
        #expect(differing.subtracting(expected) == [], "another default in the code, or an example to be listed")
        #expect(expected.subtracting(differing) == [], "no examples any more")
    }

    /// A section of the file with its settings, all switched on.
    private struct Section {
        /// The name in its brackets.
        let name: String
        var settings: [String] = []

        /// The type of an output, the name of another section.
        var title: String {
            let type = settings.first { $0.hasPrefix("type = ") }
            return type.map { String($0.dropFirst(#"type = ""#.count).dropLast()) } ?? name
        }
    }

    private var sections: [Section] {
        settings.reduce(into: []) { sections, line in
            if line.hasPrefix("[") {
                sections.append(Section(name: line))
            } else if !sections.isEmpty {
                sections[sections.count - 1].settings.append(line)
            }
        }
    }

    private static func key(_ setting: String) -> String { String(setting.prefix { $0 != " " }) }

    /// Whether a section is incomplete without a setting.
    private static func isNeeded(_ setting: String, in section: Section) -> Bool {
        switch (section.title, key(setting)) {
        case (_, "type"), (_, "name"), ("[local]", "music_directory"), ("[server.tls]", _), ("fifo", "path"),
            ("file", "path"), ("file", "format_path"), ("pipe", "command"), ("[mqtt]", "host"), ("[mqtt]", "username"),
            ("shout", "mount"), ("shout", "password"):
            true
        default: false
        }
    }
}
