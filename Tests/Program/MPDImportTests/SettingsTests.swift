import Foundation
import MusicModel
import TestSupport
import Testing

@testable import MPDImport

@Suite(.enabled(if: testsEverything)) struct SettingsTests {
    @Test("values stand in quotes with escapes or as bare words, comments behind them")
    func values() throws {
        let settings = try read(
            #"""
            # comment
            music_directory "/srv/music"   # the disk
            port 6601
            zeroconf_name "Tom \"the\" cat \\ o"
            audio_output {
                type "alsa"
                name "DAC" # good
            }
            """#)
        #expect(settings["music_directory"] == "/srv/music")
        #expect(settings["port"] == "6601")
        #expect(settings["zeroconf_name"] == #"Tom "the" cat \ o"#)
        #expect(settings.blocks.map(\.name) == ["audio_output"])
        #expect(settings.blocks.first?["name"] == "DAC")
        #expect(settings.problems.isEmpty)
    }

    @Test("line ends of Windows and a byte order mark change nothing")
    func windows() throws {
        let text = "# comment\nport \"6601\" # here\nlog_level info\naudio_output {\n type \"alsa\"\n name \"DAC\"\n}\n"
        let settings = try read("\u{FEFF}" + text.replacing("\n", with: "\r\n"))
        #expect(settings.problems.isEmpty)
        #expect((settings["port"], settings["log_level"]) == ("6601", "info"))
        #expect(settings.parameters.map(\.place.line) == [2, 3])
        #expect(settings.blocks.first?["name"] == "DAC")
    }

    @Test("a combining mark behind a quote, a colon or a number sign is a character of its own")
    func combiningMarks() throws {
        #expect(try read("zeroconf_name \"\u{308}x\"\n#\u{308} comment\n")["zeroconf_name"] == "\u{308}x")
        let state = MPDStateReader.parse("playlist_begin\r\n0:\u{308}a.mp3\r\nplaylist_end\r\nrandom: 1\r\n")
        #expect(state.queue.map { Array($0.uri.unicodeScalars) } == [Array("\u{308}a.mp3".unicodeScalars)])
        #expect(state.problems.isEmpty)
        #expect(state.player.isRandom)
    }

    @Test("a line that can't be read is named, and the rest is read")
    func badLines() throws {
        let settings = try read("port \"66\nlog_level \"info\" more\n=\nmax_connections \"5\"\naudio_output {\ntype x")
        #expect(settings["max_connections"] == "5")
        #expect(settings.problems.count == 4)
        #expect(settings.problems[0].hasSuffix(":1: the closing \" is missing"))
    }

    @Test("included files are read, missing ones only where they may be missing, and none in a circle")
    func includes() throws {
        let folder = try TemporaryFolder()
        try folder.write("a.conf", "include \"b.conf\"\ninclude_optional \"none.conf\"\ninclude \"parts/*.conf\"\n")
        try folder.write("b.conf", "port \"1\"\ninclude \"a.conf\"\n")
        try folder.write("parts/1.conf", "port \"2\"\n")
        try folder.write("parts/2.conf", "port \"3\"\ninclude \"gone.conf\"\n")
        let settings = try MPDSettingsReader.read(folder.path + "/a.conf")
        #expect(settings.values("port") == ["1", "2", "3"])
        #expect(settings.problems.count == 2)
        #expect(settings.problems.contains { $0.contains("includes itself") })
        #expect(settings.problems.contains { $0.contains("gone.conf") })
    }

    @Test("bytes of any kind are read without harm", arguments: 0..<200)
    func rubbish(seed: UInt64) throws {
        var random = RepeatableGenerator(seed: seed)
        let pieces = ["include", "{", "}", "\"", "\\", " ", "\n", "audio_output", "#", "é", "\u{0}", "a"]
        let text = (0..<200).map { _ in pieces.randomElement(using: &random) ?? "" }.joined()
        _ = try TranslatedSettings(read(text), hash: { $0 })
    }

    private func read(_ text: String) throws -> MPDSettings {
        let folder = try TemporaryFolder()
        try folder.write("mpd.conf", text)
        return try MPDSettingsReader.read(folder.path + "/mpd.conf")
    }
}

/// A folder that is removed with the test.
final class TemporaryFolder {
    let path: String

    init() throws {
        path = NSTemporaryDirectory() + "segue-import-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    func write(_ name: String, _ text: String) throws {
        let url = URL(fileURLWithPath: path + "/" + name)
        try FileManager.default.createDirectory(
            at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: url)
    }
}

/// Numbers that are the same in every run.
struct RepeatableGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 &+ 1 }

    mutating func next() -> UInt64 {
        state ^= state << 13
        state ^= state >> 7
        state ^= state << 17
        return state
    }
}
