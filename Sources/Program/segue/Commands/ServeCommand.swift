import ArgumentParser
import AudioFiles
import Foundation
import LibraryIndex
import Logging
import MusicModel
import SegueConfiguration
import Supervision
import Sync
import UserLibrary

/// Options that several commands share.
struct ConfigurationOptions: ParsableArguments {
    @Option(
        name: .shortAndLong,
        help: ArgumentHelp(
            "The configuration file.",
            discussion: "By default: $XDG_CONFIG_HOME/segue/segue.toml, ~/.config/segue/segue.toml, "
                + "/etc/segue/segue.toml, /etc/segue.toml. With none of these, what `segue login` stored is enough.",
            valueName: "file"), completion: .file(extensions: ["toml"]))
    var config: String?

    /// Reads the configuration with what the state directory adds to it.
    var loader: ConfigurationLoader {
        ConfigurationLoader(
            path: config, environment: ProcessInfo.processInfo.environment, extensions: extensionSections)
    }

    /// Reads the configuration, or makes one from the stored credentials when there is no file at all.
    func load() throws -> Configuration { try loader.load().configuration }

    /// The same for the server, which also starts with nothing to play from and waits for `segue login`.
    func loadForServing() throws -> Configuration { try loader.loadForServing().configuration }
}

/// `segue serve`: the server.
struct ServeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve", abstract: "Serve your library to MPD clients.",
        discussion: """
            Logs go to standard error. SIGTERM and SIGINT stop the server, SIGHUP rereads log_level, passwords, \
            permissions, the certificate and settings from the page. The queue and its position survive restarts. \
            Without [navidrome] or [local] it serves an empty library until `segue login` has stored a login.
            """)

    @OptionGroup var options: ConfigurationOptions

    /// Begins on the main thread, while there is no other.
    @MainActor
    func run() async throws {
        let loaded = try options.loader.loadForServing()
        loaded.configuration.setEnvironment()
        try await Serving.run(
            loaded.configuration, settings: SettingsStore(options.loader, running: loaded),
            reload: { [options] in try options.loadForServing() })
    }
}

extension Configuration {
    /// Sets in the environment what libraries look for there.
    ///
    /// - Isolation: to be called before there are other threads, which could read it at the same time.
    @MainActor
    func setEnvironment() {
        AudioFileReader.useLegacyCharset((local ?? Local()).cueSheets.tagCharset)
        useFileNames()
    }
}

extension Sources {
    /// Opens the library for a command, as the user who owns it and while no server has it.
    ///
    /// - Parameter advice: what a server that has it does, and what to do then.
    /// - Throws: `CommandFailure`.
    static func alone(
        _ configuration: Configuration, logging level: Logger.Level, _ advice: String
    ) async throws -> Sources {
        StandardErrorLog.bootstrap(level: level)
        try FolderOwner.become(of: configuration.server.stateDirectory)
        let state = try StateDirectory(creating: configuration.server.stateDirectory)
        guard try state.takeLock() else { throw CommandFailure("a server runs on \(state.path) \(advice)") }
        return try await Sources(configuration, state: state, log: Logger(label: "segue"))
    }
}
