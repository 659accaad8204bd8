import Foundation
import Logging
import MusicModel
@testable import SegueConfiguration
import Sync
import Testing

@Suite("What the page sets")
struct SettingsStoreTests {
    private let folder: URL

    init() throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "segue-settings-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    private var settingsFile: String { folder.path + "/settings.toml" }

    private func write(_ text: String, to name: String) throws {
        try Data(text.utf8).write(to: folder.appending(path: name))
    }

    private func loader() throws -> ConfigurationLoader {
        try write("[server]\nstate_directory = \"\(folder.path)\"\nlog_level = \"info\"", to: "segue.toml")
        return ConfigurationLoader(path: folder.path + "/segue.toml", environment: ["HOME": folder.path])
    }

    private func withFolder(_ body: (ConfigurationLoader) throws -> Void) throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        try body(try loader())
    }

    @Test("stays, in a file with the rights 0600, and waits for a restart where it has to")
    func stays() throws {
        try withFolder { loader in
            let store = SettingsStore(loader, running: try loader.loadForServing())
            try store.change(["server.log_level": .text("debug"), "cache.prefetch": .integer(9)])
            #expect(store.logLevel == .debug)
            let prefetch = try #require(store.settings.first { $0.key == "cache.prefetch" })
            #expect(prefetch.waitsForRestart && prefetch.value == .integer(9) && prefetch.source == .page)
            let level = try #require(store.settings.first { $0.key == "server.log_level" })
            #expect(!level.waitsForRestart)
            let mode = try FileManager.default.attributesOfItem(atPath: settingsFile)[.posixPermissions] as? NSNumber
            #expect(mode?.intValue == 0o600)
            let restarted = try loader.loadForServing()
            #expect(restarted.configuration.cache.prefetch == 9)
            #expect(SettingsStore(loader, running: restarted).settings.allSatisfy { !$0.waitsForRestart })
            try store.change(["cache.prefetch": nil])
            #expect(store.settings.allSatisfy { !$0.waitsForRestart })
            #expect(store.inUse(of: restarted.configuration).server.logLevel == .debug)
        }
    }

    @Test("is read again, also by the commands")
    func reload() throws {
        try withFolder { loader in
            let store = SettingsStore(loader, running: try loader.loadForServing())
            try write("[server]\nlog_level = \"error\"", to: "settings.toml")
            #expect(try store.reload().configuration.server.logLevel == .error)
            #expect(store.logLevel == .error)
            #expect(try loader.load().configuration.server.logLevel == .error)
        }
    }

    @Test("A refused change, and a broken configuration file, leave everything as it was")
    func refused() throws {
        try withFolder { loader in
            let store = SettingsStore(loader, running: try loader.loadForServing())
            #expect(throws: SettingRefusal.self) {
                try store.change(["cache.prefetch": .integer(9), "server.log_level": .text("loud")])
            }
            #expect(!FileManager.default.fileExists(atPath: settingsFile))
            try write("[server", to: "segue.toml")
            let refusal = #expect(throws: SettingRefusal.self) { try store.change(["cache.prefetch": .integer(9)]) }
            #expect(refusal?.reason == .conflict)
            #expect(throws: ConfigurationError.self) { try store.reload() }
            #expect(store.settings.allSatisfy { $0.source != .page })
        }
    }

    @Test("A file that is no text, no file, or too large is a trouble and no error")
    func damaged() throws {
        try withFolder { loader in
            try Data([0xFF, 0xFE]).write(to: URL(filePath: settingsFile))
            #expect(KeptSettings(in: folder.path).trouble == "it is not UTF-8 text")
            try write(String(repeating: "#", count: 70_000), to: "settings.toml")
            #expect(KeptSettings(in: folder.path).trouble == "it can't be read: it is too large")
            #expect(try loader.loadForServing().settingsWarning != nil)
            try FileManager.default.removeItem(atPath: settingsFile)
            #expect(mkfifo(settingsFile, 0o600) == 0)
            #expect(KeptSettings(in: folder.path).text == nil)
        }
    }

    @Test("counts for a server that only a login names")
    func login() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let environment = [
            "HOME": folder.path, "XDG_CONFIG_HOME": folder.path, "SEGUE_SERVER_STATE_DIRECTORY": folder.path,
        ]
        let loader = ConfigurationLoader(path: nil, environment: environment)
        let isSignedInByFile = FileManager.default.fileExists(atPath: "/etc/segue/segue.toml")
        try #require(!isSignedInByFile)
        #expect(throws: ConfigurationError.self) { try loader.load() }
        #expect(try loader.loadForServing().configuration.navidrome == nil)
        try CredentialsFile(url: "http://a", username: "me", salt: "s", token: "t").write(
            to: folder.path + "/credentials.toml")
        try write("navidrome.scrobble = false", to: "settings.toml")
        #expect(try loader.load().configuration.navidrome?.scrobbling.isEnabled == false)
        #expect(try loader.loadForServing().configuration.navidrome?.scrobbling.isEnabled == false)
    }
}
