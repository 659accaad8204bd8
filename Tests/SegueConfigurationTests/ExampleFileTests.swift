import Foundation
@testable import SegueConfiguration
import Testing

@Suite("conf/segue.toml")
struct ExampleFileTests {
    private let text: String

    init() throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
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
        #expect(configuration.outputs.count == 10)
        #expect(configuration.server.passwords.count == 2)
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
}
