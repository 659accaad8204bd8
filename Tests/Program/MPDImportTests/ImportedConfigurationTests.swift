import Foundation
import MusicModel
import Players
import SegueConfiguration
import TestSupport
import Testing

@testable import MPDImport

@Suite("The configuration that goes with an import", .enabled(if: testsEverything))
struct ImportedConfigurationTests {
    private let folder: TemporaryFolder
    private var file: String { folder.path + "/segue.toml" }
    private let heard = Heard()

    /// What the user was told.
    private final class Heard {
        var lines: [String] = []
        var text: String { lines.joined(separator: "\n") }
    }

    init() throws { folder = try TemporaryFolder() }

    private func plan(
        _ settings: String = "music_directory \"/\"\nreplaygain \"album\"", isDryRun: Bool = false
    ) throws -> ImportedConfiguration.Plan {
        try folder.write("mpd.conf", settings)
        let environment = ["HOME": folder.path]
        let mpd = try MPDInstallation(settingsFile: folder.path + "/mpd.conf", environment: environment)
        return try ImportedConfiguration(
            mpd, ConfigurationLoader(path: file, environment: environment), isDryRun: isDryRun, hash: { _ in "h" },
            say: { [heard] in heard.lines.append($0) }
        ).plan()
    }

    private func text(_ path: String) -> String? {
        FileManager.default.contents(atPath: path).map { String(decoding: $0, as: UTF8.self) }
    }

    @Test("a missing file is written when it is time, for its owner alone; a second import leaves it as it is")
    func fresh() throws {
        let first = try plan()
        #expect(text(file) == nil && first.file == file)
        try first.write()
        let written = try #require(text(file))
        #expect(written.hasPrefix("# Made from ") && written.contains("replay_gain = \"album\""))
        let rights = try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? NSNumber
        #expect(rights?.intValue == 0o600)
        try plan("replaygain \"track\"").write()
        #expect(text(file) == written && heard.lines.last?.hasSuffix("is unchanged.") == true)
    }

    @Test("a dry run shows what would be written, without passwords, and writes nothing")
    func dry() throws {
        let plan = try plan(
            "music_directory \"/\"\naudio_output {\n type \"shout\"\n name \"Air\"\n host \"h\"\n mount \"/m\"\n"
                + " password \"geheim\"\n port \"8000\"\n encoding \"ogg\"\n quality \"5\"\n format \"44100:16:2\"\n}",
            isDryRun: true)
        try plan.write()
        #expect(text(file) == nil)
        #expect(heard.text.contains("would be:") && !heard.text.contains("geheim"))
    }

    @Test("a file with settings stays; what MPD's come to is saved beside it")
    func settings() throws {
        try folder.write("segue.toml", "# mine\n[playback]\nreplay_gain = \"track\"\n")
        try plan().write()
        #expect(text(file) == "# mine\n[playback]\nreplay_gain = \"track\"\n")
        #expect(text(file + ".mpd")?.contains("replay_gain = \"album\"") == true)
        #expect(heard.text.contains("has settings already"))
    }

    @Test("the package's file, in which the user chose nothing, is replaced, and a copy is kept under a free name")
    func packaged() throws {
        let state = folder.path + "/state"
        try folder.write("segue.toml", "[server]\nstate_directory = \"\(state)\"\n")
        try folder.write("segue.toml.before-mpd", "older")
        let plan = try plan()
        #expect(plan.configuration.server.stateDirectory == state)
        try plan.write()
        #expect(text(file)?.contains("state_directory = \"\(state)\"") == true)
        #expect(text(file + ".before-mpd") == "older")
        #expect(text(file + ".before-mpd.2")?.hasPrefix("[server]") == true)
    }

    @Test("a setting that Segue refuses becomes a comment, and the others come over")
    func refused() throws {
        let plan = try plan(
            "replaygain \"album\"\naudio_output {\n type \"alsa\"\n name \"DAC\"\n device \"hw:0\"\n"
                + " format \"44100:8:2\"\n}")
        try plan.write()
        let written = try #require(text(file))
        #expect(heard.text.contains("format is skipped"))
        #expect(written.contains("\n# format = \"44100:8:2\"") && written.contains("\ndevice = \"hw:0\""))
        #expect(plan.configuration.playback.beginning.replayGain == .album)
    }

    @Test("a configuration that is wrong is an error that names its line, and nothing is written")
    func wrong() throws {
        try folder.write("segue.toml", "[playback]\nreplay_gain = 7\n")
        let error = #expect(throws: ConfigurationError.self) { try plan() }
        #expect(error?.line == 2)
        #expect(text(file + ".mpd") == nil)
    }

    @Test("the server of an earlier login is the source where nothing else is")
    func signedIn() throws {
        let state = folder.path + "/state"
        try FileManager.default.createDirectory(atPath: state, withIntermediateDirectories: true)
        try folder.write("state/credentials.toml", "")
        try folder.write("segue.toml", "[server]\nstate_directory = \"\(state)\"\n[playback]\ncrossfade = 2\n")
        #expect(try plan().configuration.navidrome != nil)
    }
}
