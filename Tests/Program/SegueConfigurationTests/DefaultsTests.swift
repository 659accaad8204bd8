import Logging
@testable import SegueConfiguration
import MPDProtocol
import MPDSessions
import MusicModel
import Outputs
import Playback
import MediaCache
import Players
import Sync
import Testing
import UserLibrary

@Suite("An empty file")
struct DefaultsTests {
    @Test("gives the defaults of every section")
    func everyDefault() throws {
        let configuration = try parse("")
        #expect(configuration.file == "segue.toml")
        #expect(configuration.server.listen == [.tcp(host: "127.0.0.1", port: 6600)])
        #expect(configuration.server.stateDirectory == "/home/me/.local/state/segue")
        #expect(configuration.server.cacheDirectory == "/home/me/.cache/segue")
        #expect(configuration.server.options.maximumConnections == 1000)
        #expect(configuration.server.options.timeout == .seconds(60))
        #expect(configuration.server.maxPlaylistLength == 1_000_000)
        #expect(configuration.server.options.commandListLimit == 2_097_152)
        #expect(configuration.server.memoryBudget == nil)
        #expect(configuration.server.options.access.defaultPermission == [.read, .add, .player, .control, .admin])
        #expect(configuration.server.logLevel == .info)
        #expect(configuration.server.passwords.isEmpty)
        #expect(configuration.navidrome == nil)
        #expect(configuration.local == nil)
        #expect(configuration.cache.size == 2_147_483_648)
        #expect(configuration.cache.prefetch == 3)
        #expect(configuration.cache.coverSize == 600)
        #expect(configuration.cache.coverSpace == 268_435_456)
        #expect(configuration.playback.beginning.resume == .pause)
        #expect(configuration.playback.beginning.crossfade == 0)
        #expect(configuration.playback.beginning.replayGain == .off)
        #expect(configuration.playback.gains.preamp == 0)
        #expect(configuration.playback.gains.missingPreamp == 0)
        #expect(configuration.playback.gains.limitsPeaks)
        #expect(configuration.playback.audioOutputFormat == nil)
        #expect(configuration.playback.stations.crossfade == .milliseconds(1800))
        #expect(configuration.playback.stations.timeout == .seconds(10))
        #expect(configuration.playback.resumeLongSongs == .seconds(900))
        #expect(configuration.playlists.hidden.isEmpty)
        #expect(configuration.playlists.shown == VirtualPlaylist.Kind.allCases)
        #expect(configuration.stations.isEmpty)
        #expect(configuration.warnings.isEmpty)
    }

    @Test("gives one output that finds the sound device by itself")
    func oneOutput() throws {
        let output = try #require(try parse("").outputs.first)
        #expect(try parse("").outputs.count == 1)
        #expect(output.type == .auto)
        #expect(output.name == "Default")
        #expect(output.isEnabled)
        #expect(output.mixerType == .software)
        #expect(output.sync)
    }

    @Test(
        "the address that a browser shows of a Navidrome is that of the server",
        arguments: [
            ("https://music.example.org/app/#/album", "https://music.example.org"),
            ("https://example.org/music/app/", "https://example.org/music"), ("http://h:4533/app", "http://h:4533"),
            ("https://example.org/app/app", "https://example.org/app"), ("http://app/", "http://app"),
            ("http://app.example.org/", "http://app.example.org"), ("http://h/apple", "http://h/apple"),
        ])
    func browserAddress(shown: String, url: String) throws {
        #expect(try parse("[navidrome]\nurl = \"\(shown)\"").navidrome?.url == url)
        #expect(try Configuration.serverAddress(shown).url == url)
    }

    @Test("headers for a proxy are names with secret values")
    func headers() throws {
        let navidrome = try #require(
            try parse("[navidrome]\nheaders = [\"X-Key: a: b\", \"Authorization:Basic eA==\"]").navidrome)
        #expect(navidrome.headers.map(\.name) == ["X-Key", "Authorization"])
        #expect(navidrome.headers.map { $0.value.reveal() } == ["a: b", "Basic eA=="])
        #expect(!"\(navidrome)".contains("eA=="))
    }

    @Test("an empty [navidrome] stands for what `segue login` stored")
    func emptyNavidrome() throws {
        let navidrome = try #require(try parse("[navidrome]").navidrome)
        #expect(navidrome == Configuration.Navidrome())
        #expect(navidrome.url == nil)
        #expect(navidrome.reading.interval == .seconds(60))
        #expect(navidrome.scrobbling.isEnabled)
        #expect(navidrome.saveQueue)
        #expect(navidrome.form.format == "raw")
        #expect(navidrome.mount.isEmpty)
    }

    @Test("XDG variables move the folders")
    func xdg() throws {
        let server = try parse("", ["XDG_STATE_HOME": "/s/", "XDG_CACHE_HOME": "/c"]).server
        #expect(server.stateDirectory == "/s/segue")
        #expect(server.cacheDirectory == "/c/segue")
    }

    @Test("clients of the same user find the server where they look first, unless addresses are set")
    func usersSocket() throws {
        let session = ["XDG_RUNTIME_DIR": "/run/user/1000"]
        #expect(try parse("", session).server.usersSocket == "/run/user/1000/mpd/socket")
        #expect(try parse("[server]\nlog_level = \"info\"", session).server.usersSocket != nil)
        #expect(try parse("[server]\nlisten = [\"127.0.0.1:6600\"]", session).server.usersSocket == nil)
        #expect(
            try parse("", session.merging(["SEGUE_SERVER_LISTEN": "[::1]:6600"]) { $1 }).server.usersSocket == nil)
        #expect(try parse("").server.usersSocket == nil)
    }

    @Test("relative XDG variables are ignored, as their specification says")
    func relativeXDG() throws {
        #expect(try parse("", ["XDG_STATE_HOME": "state"]).server.stateDirectory == "/home/me/.local/state/segue")
    }

    @Test("a service user without a folder gets the system's folders", arguments: ["", "/", "/nonexistent"])
    func serviceUser(home: String) throws {
        let server = try parse("", ["HOME": home]).server
        #expect(server.stateDirectory == "/var/lib/segue")
        #expect(server.cacheDirectory == "/var/cache/segue")
    }

    @Test("systemd's folders win over the user's")
    func systemd() throws {
        let server = try parse("", ["STATE_DIRECTORY": "/var/lib/x:/y", "CACHE_DIRECTORY": "/var/cache/x"]).server
        #expect(server.stateDirectory == "/var/lib/x")
        #expect(server.cacheDirectory == "/var/cache/x")
    }

    @Test("the demo serves its own album with its own state and ignores Navidrome")
    func demo() throws {
        let environment = ["HOME": "/home/me", "SEGUE_NAVIDROME_URL": "http://a", "SEGUE_SERVER_LISTEN": "127.0.0.1:0"]
        let demo = try Configuration.demo(environment: environment)
        #expect(demo.local == Configuration.Local(musicDirectory: "/home/me/.cache/segue/demo/music", mount: ""))
        #expect(demo.server.stateDirectory == "/home/me/.cache/segue/demo/state")
        #expect(demo.server.listen == [.tcp(host: "127.0.0.1", port: 0)])
        #expect(demo.navidrome == nil)
        let moved = try Configuration.demo(
            environment: environment.merging(["SEGUE_SERVER_CACHE_DIRECTORY": "/c"]) { $1 })
        #expect(moved.local?.musicDirectory == "/c/demo/music")
        #expect(moved.server.stateDirectory == "/c/demo/state")
    }
}
