import Foundation
import MPDSessions
import Outputs
import Testing

@testable import SegueConfiguration
@testable import segue

@Suite("conf/segue.toml")
struct ExampleFileTests {
    private let text: String

    init() throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        text = try String(contentsOf: root.appending(path: "conf/segue.toml"), encoding: .utf8)
    }

    private func parse(_ text: String) throws -> Configuration {
        try Configuration.parse(
            text, file: "segue.toml", environment: ["HOME": "/home/me"], extensions: extensionSections)
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
            settings.filter { !$0.hasPrefix("password_file") && !$0.hasPrefix("api_key_file") }.joined(separator: "\n"))
        #expect(configuration.outputs.count == sections.count { $0.name == "[[output]]" })
        #expect(configuration.server.passwords.count == 3)
        #expect(configuration.server.options.access.hosts.count == 2)
        #expect(configuration.server.options.certificate?.key == "/etc/segue/key.pem")
        #expect(configuration.stations.count == 1)
        #expect(configuration.navidrome?.mount == "navidrome")
        #expect(configuration.local?.mount == "local")
    }

    @Test("has every key that the program reads from single sections, and no other")
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
        #expect(keys == DeclaredKeys(extensionSections).all.mapValues { Set($0) })
    }

    @Test("has every key of outputs, and no other")
    func everyKeyOfOutputs() {
        let common: Set = [
            "type", "name", "enabled", "mixer_type", "replay_gain_handler", "equalizer", "impulse_response",
            "levelling", "crossfeed", "mono", "balance", "delay", "route", "effects", "graph",
        ]
        let known = OutputSpecification.Kind.allCases.reduce(common) { $0.union($1.keys) }
        let shown = sections.filter { $0.name == "[[output]]" }.reduce(into: Set<String>()) { keys, section in
            keys.formUnion(section.settings.map(Self.key))
        }
        #expect(shown.subtracting(known) == [])
        // Said in the text on `shout`, as it excludes `password`.
        #expect(known.subtracting(shown) == ["password_file"])
    }

    @Test("lists the types of outputs")
    func types() throws {
        let types = try #require(text.firstMatch(of: #/\n#   type +(.*)\n/#)?.1)
        let words = types.replacing(" or ", with: ", ").split(separator: ", ").map(String.init)
        #expect(words.sorted() == OutputSpecification.Kind.allCases.map(\.rawValue).sorted())
    }

    /// Sections whose keys have no default but the one of not being there.
    private static let withoutDefaults: Set = [
        "[[station]]", "[[server.password]]", "[[equalizer]]", "[[impulse_response]]", "[[effects]]",
        "[[graph]]",
    ]

    /// Keys with a default that the file shows with another value, as an example; it says there what the default is.
    private static let examples: Set = ["[navidrome].format", "alsa.mixer_device", "httpd.always_on"]

    @Test("shows the default of each key that has one")
    func defaults() throws {
        var differing: Set<String> = []
        for section in sections where !Self.withoutDefaults.contains(section.name) {
            let (least, standard) = try shortest(section)
            let withDefaults = try keysWithDefaults(in: least)
            for setting in section.settings where !least.contains(setting) {
                let isDefault = (try? parse((least + [setting]).joined(separator: "\n"))) == standard
                let key = Self.key(setting)
                if !isDefault, withDefaults.contains(key) { differing.insert("\(section.title).\(key)") }
            }
        }
        #expect(differing.subtracting(Self.examples) == [], "another default in the code, or an example to be listed")
        #expect(Self.examples.subtracting(differing) == [], "no examples any more")
    }

    /// The lines of a section with no more settings than it needs to be accepted, and what they mean.
    private func shortest(_ section: Section) throws -> (lines: [String], configuration: Configuration) {
        var lines = [section.name]
        while true {
            do {
                return (lines, try parse(lines.joined(separator: "\n")))
            } catch let error as ConfigurationError {
                let others = section.settings.filter { !lines.contains($0) }
                let missing = error.key?.split(separator: ".").last.map(String.init)
                lines.append(try #require(others.first { Self.key($0) == missing } ?? others.last, "\(error)"))
            }
        }
    }

    /// The keys of the one section in `lines` that have a default.
    private func keysWithDefaults(in lines: [String]) throws -> Set<String> {
        let problems = ProblemList(file: "segue.toml")
        let directories = DefaultDirectories(environment: ["HOME": "/home/me"])
        _ = ConfigurationReader(directories: directories, problems: problems, extensions: extensionSections)
            .read(try Node(toml: lines.joined(separator: "\n"), file: "segue.toml"))
        return problems.defaults[lines[0].trimmingCharacters(in: ["[", "]"]), default: []]
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
}
