import MPDSessions
import Testing

@testable import SegueConfiguration

@Suite("What differs between two configurations")
struct ChangesTests {
    /// The whole file, with every section that there is.
    private static let text = """
        [server]
        log_level = "info"
        [navidrome]
        url = "http://127.0.0.1:4533"
        mount = "navidrome"
        [local]
        music_directory = "/music"
        mount = "local"
        [cache]
        prefetch = 2
        [playback]
        crossfade = 3
        [playlists]
        hide = ["starred"]
        [[output]]
        type = "null"
        name = "Nothing"
        [[station]]
        name = "One"
        url = "http://127.0.0.1/one"
        """

    private func parse(_ text: String) throws -> Configuration {
        try Configuration.parse(text, file: "segue.toml", environment: ["HOME": "/home/me"])
    }

    @Test("The same file read twice differs in nothing")
    func same() throws {
        #expect(try parse(Self.text).sectionsThatDiffer(from: parse(Self.text)) == [])
    }

    @Test(
        "A change in any section is named as the section is written",
        arguments: [
            ("\"info\"", "\"debug\"", "[server]"), ("4533", "4534", "[navidrome]"),
            ("\"/music\"", "\"/songs\"", "[local]"),
            ("prefetch = 2", "prefetch = 3", "[cache]"), ("crossfade = 3", "crossfade = 4", "[playback]"),
            ("[\"starred\"]", "[]", "[playlists]"), ("\"Nothing\"", "\"Null\"", "[[output]]"),
            ("\"One\"", "\"Two\"", "[[station]]"),
        ])
    func sections(old: String, new: String, section: String) throws {
        let changed = try parse(Self.text.replacing(old, with: new))
        #expect(try changed.sectionsThatDiffer(from: parse(Self.text)) == [section])
    }

    @Test("A running server takes the log's level, passwords, permissions and certificates over, and nothing else")
    func restart() throws {
        let running = try parse(Self.text)
        var now = try parse(
            "[[server.password]]\npassword = \"x\"\npermissions = []\n"
                + Self.text.replacing("\"info\"", with: "\"debug\"\ndefault_permissions = [\"read\"]"))
        #expect(now.sectionsThatDiffer(from: running) == ["[server]"])
        #expect(now.sectionsThatWaitForRestart(of: running) == [])
        now.server.options.maximumConnections += 1
        now.cache.prefetch += 1
        #expect(now.sectionsThatWaitForRestart(of: running) == ["[server]", "[cache]"])
    }

    @Test("Sections that come and go differ")
    func missing() throws {
        let without = try parse(Self.text.replacing("[playlists]\nhide = [\"starred\"]\n", with: ""))
        #expect(try without.sectionsThatDiffer(from: parse(Self.text)) == ["[playlists]"])
    }
}
