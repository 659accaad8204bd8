import Foundation
import Logging
import MPDProtocol
import MPDSessions
import MusicModel
import Playback
import SegueConfiguration
import Sync
import Testing

@Suite("The environment")
struct EnvironmentTests {
    @Test("wins over the file, key by key")
    func overrides() throws {
        let configuration = try parse(
            "[server]\nmax_connections = 5\nlog_level = \"debug\"",
            [
                "SEGUE_SERVER_MAX_CONNECTIONS": "7", "SEGUE_SERVER_LISTEN": "127.0.0.1:0, /run/s",
                "SEGUE_SERVER_DEFAULT_PERMISSIONS": "read,add", "SEGUE_CACHE_SIZE": "1 GiB",
                "SEGUE_PLAYBACK_RADIO_CROSSFADE": "0.5", "SEGUE_NAVIDROME_SCROBBLE": "false",
                "SEGUE_NAVIDROME_SYNC_INTERVAL": "30",
            ])
        #expect(configuration.server.options.maximumConnections == 7)
        #expect(configuration.server.logLevel == .debug)
        #expect(configuration.server.listen == [.tcp(host: "127.0.0.1", port: 0), .unix(path: "/run/s")])
        #expect(configuration.server.options.access.defaultPermission == [.read, .add])
        #expect(configuration.cache.size == 1 << 30)
        #expect(configuration.playback.stations.crossfade == .milliseconds(500))
        #expect(configuration.navidrome?.scrobbling.isEnabled == false)
        #expect(configuration.navidrome?.reading.interval == .seconds(30))
    }

    @Test("alone can name the server and the user")
    func navidrome() throws {
        let environment = [
            "SEGUE_NAVIDROME_URL": "http://127.0.0.1:1", "SEGUE_NAVIDROME_USERNAME": "me",
            "SEGUE_NAVIDROME_PASSWORD": "p", "XDG_CONFIG_HOME": "/nonexistent/xdg", "HOME": "/nonexistent",
        ]
        let configuration = try ConfigurationLoader(path: nil, environment: environment).load().configuration
        #expect(configuration.file == nil)
        #expect(configuration.navidrome?.url == "http://127.0.0.1:1")
        #expect(configuration.navidrome?.username == "me")
        #expect(configuration.navidrome?.password?.reveal() == "p")
    }

    @Test("a password replaces the file's password_file")
    func replacedPasswordFile() throws {
        let text = "[navidrome]\nusername = \"me\"\npassword_file = \"/nonexistent/p\""
        let navidrome = try parse(text, ["SEGUE_NAVIDROME_PASSWORD": "p"]).navidrome
        #expect(navidrome?.password?.reveal() == "p")
    }

    @Test("a password file's first line is the password, without its line end")
    func passwordFile() throws {
        try withTemporaryFile("secret words\r\nmore\n") { path in
            let text = "[navidrome]\nusername = \"me\"\npassword = \"other\""
            let navidrome = try parse(text, ["SEGUE_NAVIDROME_PASSWORD_FILE": path]).navidrome
            #expect(navidrome?.password?.reveal() == "secret words")
        }
    }

    @Test("an empty password file is refused")
    func emptyPasswordFile() throws {
        try withTemporaryFile("\n") { path in
            let text = "[navidrome]\nusername = \"me\"\npassword_file = \"\(path)\""
            #expect(complaint(text)?.contains("has nothing on its first line") == true)
        }
    }

    @Test("wrong values name the variable")
    func wrongValue() {
        #expect(
            complaint("", ["SEGUE_SERVER_MAX_CONNECTIONS": "many"])
                == "environment: SEGUE_SERVER_MAX_CONNECTIONS: expected a whole number from 1 to 100000, found \"many\""
        )
    }

    @Test("a variable that names no setting is an error with the nearest one")
    func unknownVariable() {
        #expect(
            complaint("", ["SEGUE_NAVIDROME_PASWORD": "p"])
                == "environment: SEGUE_NAVIDROME_PASWORD: names no setting; did you mean SEGUE_NAVIDROME_PASSWORD?")
    }

    @Test("other variables that start with SEGUE_ are ignored")
    func otherVariables() throws {
        #expect(try parse("", ["SEGUE_BINARY": "x"]).navidrome == nil)
    }
}

/// Runs `body` with the path of a file that holds `text`.
func withTemporaryFile(_ text: String, _ body: (String) throws -> Void) throws {
    let url = FileManager.default.temporaryDirectory.appending(path: "segue-\(UUID().uuidString)")
    try Data(text.utf8).write(to: url)
    defer { try? FileManager.default.removeItem(at: url) }
    try body(url.path)
}
