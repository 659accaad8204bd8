import Logging
import MusicModel
import Playback
import Sync
import Testing

@testable import SegueConfiguration

/// Loads a text as `segue.toml`, with another as `settings.toml`.
private func load(
    _ text: String, page: String? = nil, trouble: String? = nil, environment: [String: String] = [:],
    hasLogin: Bool = false
) throws -> LoadedConfiguration {
    try LoadedConfiguration(
        text, file: "segue.toml", environment: environment.merging(["HOME": "/home/me"]) { given, _ in given }
    ) { _ in KeptSettings(file: "/state/settings.toml", text: page, trouble: trouble, hasLogin: hasLogin) }
}

extension LoadedConfiguration {
    fileprivate subscript(_ key: String) -> Setting? { settings.first { $0.key == key } }
}

@Suite("Settings of the page")
struct PageSettingsTests {
    @Test("win over the file, and the environment wins over them")
    func precedence() throws {
        let file = "[server]\nlog_level = \"error\"\n[cache]\nprefetch = 1\n[dj]\nahead = 5"
        let page = "[server]\nlog_level = \"debug\"\n[cache]\nprefetch = 2\nsize = \"1 GiB\""
        let loaded = try load(file, page: page, environment: ["SEGUE_CACHE_PREFETCH": "7"])
        #expect(loaded.configuration.server.logLevel == .debug)
        #expect(loaded.configuration.cache.prefetch == 7)
        #expect(loaded.configuration.cache.size == 1 << 30)
        #expect(loaded.configuration.file == "segue.toml")
        #expect(loaded.settingsWarning == nil)
        #expect(loaded["server.log_level"]?.source == .page)
        #expect(loaded["server.log_level"]?.isInFile == true)
        #expect(loaded["server.log_level"]?.isTakenOverAtOnce == true)
        #expect(loaded["cache.prefetch"]?.source == .environment)
        #expect(loaded["cache.prefetch"]?.isOnPage == true)
        #expect(loaded["cache.size"]?.value == .text("1 GiB"))
        #expect(loaded["cache.size"]?.isInFile == false)
        #expect(loaded["dj.ahead"]?.source == .file)
        #expect(loaded["dj.mode"]?.source == .standard)
        let report = try #require(loaded.settingsReport)
        #expect(report.contains("/state/settings.toml contains settings from the page: server.log_level, cache.size"))
        #expect(report.contains("the page overrides segue.toml in server.log_level;"))
        #expect(report.hasSuffix("the environment takes precedence: SEGUE_CACHE_PREFETCH"))
    }

    @Test("are none without a file")
    func none() throws {
        let loaded = try load("[cache]\nprefetch = 1")
        #expect(loaded.settingsReport == nil)
        #expect(loaded.configuration == (try parse("[cache]\nprefetch = 1")))
    }

    @Test(
        "A broken file is ignored, and one line says so",
        arguments: ["[server", "log_level =", "\u{0}", "= 1", "[[server]]\nlog_level = \"debug\""])
    func broken(page: String) throws {
        let loaded = try load("", page: page)
        #expect(loaded.configuration.server.logLevel == .info)
        let warning = try #require(loaded.settingsWarning)
        #expect(warning.hasPrefix("/state/settings.toml, written by the page, is ignored in whole or in part: "))
        #expect(!warning.contains("\n"))
        #expect(loaded.configuration.warnings == [warning])
    }

    @Test("A file that can't be read is ignored as well")
    func unreadable() throws {
        let warning = try load("", trouble: "it can't be read: Permission denied").settingsWarning
        #expect(warning?.hasSuffix(": it can't be read: Permission denied") == true)
    }

    @Test("Keys that the page may not set, and wrong values, are left out; the rest counts")
    func leftOut() throws {
        let page = """
            [server]
            listen = ["0.0.0.0:6600"]
            log_level = "loud"
            [[server.password]]
            password = "secret-word"
            [cache]
            prefetch = 2
            [dj.prompt]
            url = "http://evil.example"
            [playback]
            fade_on_pause = 77
            """
        let loaded = try load("", page: page)
        #expect(loaded.configuration.server == (try parse("")).server)
        #expect(loaded.configuration.cache.prefetch == 2)
        #expect(loaded.configuration.playback.fades.pause == .zero)
        let warning = try #require(loaded.settingsWarning)
        #expect(warning.contains("server.listen: can't be set on the page"))
        #expect(warning.hasSuffix("; and 2 more"))
        #expect(!warning.contains("secret-word"))
        let (after, text) = try loaded.changed(by: ["cache.prefetch": .integer(3)])
        #expect(!text.contains("listen") && !text.contains("loud"))
        #expect(after.settingsReport?.hasSuffix(": cache.prefetch") == true)
    }

    @Test("Changes are written so that they are read again, and nil takes a key back")
    func changes() throws {
        let changes: [String: SettingValue?] = [
            "server.log_level": .text("warning"), "playback.fade_on_stop": .number(0.25), "dj.adventure": .integer(1),
            "discovery.playlists": .list(["daily", "mood"]), "playback.replay_gain_limit": .flag(false),
            "playback.resume_long_songs": .integer(0),
        ]
        let (first, text) = try load("[server]\nlog_level = \"error\"").changed(by: changes)
        let again = try load("[server]\nlog_level = \"error\"", page: text)
        #expect(again.configuration == first.configuration)
        #expect(again.settings == first.settings)
        #expect(again.settingsWarning == nil)
        #expect(again.configuration.playback.fades.stop == .milliseconds(250))
        #expect(again.configuration.playback.resumeLongSongs == nil)
        #expect(again["discovery.playlists"]?.value == .list(["daily", "mood"]))
        let (back, rest) = try again.changed(by: ["server.log_level": .none])
        #expect(back.configuration.server.logLevel == .error)
        #expect(back["server.log_level"]?.source == .file)
        #expect(!rest.contains("log_level"))
        #expect(rest.contains("daily"))
    }

    @Test(
        "Changes are refused with a reason",
        arguments: [
            ("server.listen", SettingValue.text("0.0.0.0:1"), SettingRefusal.Reason.forbidden, "configuration file"),
            ("output.command", .text("rm"), .forbidden, "configuration file"),
            ("server.password", .list([]), .forbidden, "configuration file"),
            ("navidrome.url", .text("http://x"), .forbidden, "configuration file"),
            ("server.tls.key", .text("/x"), .forbidden, "configuration file"),
            ("server.loglevel", .text("debug"), .unknown, "did you mean server.log_level?"),
            ("", .flag(true), .unknown, "no key of this name"), (".", .flag(true), .unknown, "no key of this name"),
            ("server.log_level", .text("loud"), .wrong, "expected"),
            ("server.log_level", .flag(true), .wrong, "expected"), ("dj.ahead", .integer(0), .wrong, "from 1 to 50"),
            ("dj.ahead", .number(1e300), .wrong, "from 1 to 50"), ("dj.ahead", .text("3\nx = 1"), .wrong, "expected"),
            ("cache.size", .text("1 B"), .wrong, "a size from"),
            ("discovery.playlists", .list(["nothing"]), .wrong, "expected"),
            ("cache.prefetch", .integer(3), .conflict, "SEGUE_CACHE_PREFETCH"),
            ("navidrome.scrobble", .flag(false), .conflict, "[navidrome]"),
        ])
    func refused(key: String, value: SettingValue, reason: SettingRefusal.Reason, says: String) throws {
        let loaded = try load("", environment: ["SEGUE_CACHE_PREFETCH": "7"])
        let error = #expect(throws: SettingRefusal.self) { try loaded.changed(by: [key: value]) }
        let refusal = try #require(error)
        #expect(refusal.reason == reason)
        #expect(refusal.key == key)
        #expect(refusal.message.contains(says), "\(refusal.message)")
    }

    @Test("make no server where there is none, and count for the one of a login")
    func navidrome() throws {
        let page = "[navidrome]\nscrobble = false"
        let without = try load("", page: page)
        #expect(without.configuration.navidrome == nil)
        #expect(without["navidrome.scrobble"] == nil)
        #expect(without.settingsWarning == nil)
        #expect(try without.changed(by: ["navidrome.scrobble": .none]).text.contains("scrobble") == false)
        #expect(try load("", page: page, hasLogin: true).configuration.navidrome?.scrobbling.isEnabled == false)
        let overridden = try load("[navidrome]\nscrobble = true", page: page).configuration
        #expect(overridden.navidrome?.scrobbling.isEnabled == false)
    }

    @Test("exist as keys with a form, and name nothing that could do harm")
    func list() throws {
        let settings = try load("[navidrome]").settings
        #expect(settings.map(\.key) == DeclaredKeys().writable)
        let harmful = #/listen$|host|origin|password|permission|secret|key|url|user|path|dir|file|folder|command|proxy/#
        for key in DeclaredKeys().writable {
            #expect(!key.contains(harmful), "\(key)")
            #expect(!key.hasPrefix("output") && !key.hasPrefix("web") && !key.hasPrefix("mqtt"), "\(key)")
        }
    }

    @Test("Each value that is in use can be set", arguments: DeclaredKeys().writable)
    func values(key: String) throws {
        let loaded = try load("[navidrome]")
        let value = try #require(loaded[key]?.value)
        let after = try loaded.changed(by: [key: value]).loaded
        #expect(after[key]?.value == value)
        #expect(after[key]?.source == .page)
        #expect(after.configuration == loaded.configuration)
    }
}
