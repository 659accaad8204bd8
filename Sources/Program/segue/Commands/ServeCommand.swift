import ArgumentParser
import AudioFiles
import Foundation
import LibraryIndex
import Logging
import MPDSessions
import MusicModel
import SegueConfiguration
import Subsonic
import Supervision
import Sync
import UserLibrary

struct ConfigurationOptions: ParsableArguments {
    @Option(
        name: .shortAndLong,
        help: ArgumentHelp(
            "The configuration file.",
            discussion: "By default: $XDG_CONFIG_HOME/segue/segue.toml, ~/.config/segue/segue.toml, "
                + "/etc/segue/segue.toml, /etc/segue.toml. With none of these, what `segue login` stored is enough.",
            valueName: "file"), completion: .file(extensions: ["toml"]))
    var config: String?

    var loader: ConfigurationLoader {
        ConfigurationLoader(
            path: config, environment: ProcessInfo.processInfo.environment, extensions: extensionSections)
    }

    func load() throws -> Configuration { try loader.load().configuration }

    func loadForServing() throws -> Configuration { try loader.loadForServing().configuration }
}

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
    /// - Isolation: to be called before there are other threads, which could read it at the same time.
    @MainActor
    func setEnvironment() {
        AudioFileReader.useLegacyCharset(folders.cueSheets.tagCharset)
        useFileNames()
    }
}

extension Sources {
    /// Opens the library for a command, as the user who owns it and while no server has it; `advice` says what such a
    /// server does, and what to do then.
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

/// The steps of `serve` and `demo` once they have a configuration.
enum Serving {
    /// Serves until a signal ends it. A server without anything to play from starts again in the same process when it
    /// has something.
    /// - Parameters:
    ///   - settings: what the page may set; nil where nothing is kept of it.
    ///   - ready: called when clients are accepted, with the addresses at which the page answers.
    ///   - reload: reads the configuration again.
    static func run(
        _ configuration: Configuration, settings: SettingsStore? = nil,
        ready: @Sendable (_ pages: [String]) -> Void = { _ in },
        reload: @escaping @Sendable () throws -> Configuration? = { nil }
    ) async throws {
        // Swift parks the main thread in a way that leaves it root's, so the program starts again as the other user.
        if try FolderOwner.become(of: configuration.server.stateDirectory) { throw ProcessReplacement.begin() }
        signal(SIGPIPE, SIG_IGN)
        StandardErrorLog.bootstrap(level: configuration.server.logLevel)
        let log = Logger(label: "segue")
        let stored = CredentialsFile.warning(for: configuration).map { [$0] } ?? []
        for warning in configuration.warnings + configuration.securityWarnings() + stored { log.warning("\(warning)") }
        let inherited = try InheritedSocket.take(environment: ProcessInfo.processInfo.environment, processID: getpid())
        let state = try StateDirectory(creating: configuration.server.stateDirectory)
        guard try state.takeLock() else {
            throw CommandFailure(
                "another segue serves from \(state.path). Stop it, or give this one a server.state_directory of its own."
            )
        }
        var usable = configuration
        let missing = configuration.missingSource(state)
        if let missing {
            log.warning("\(missing)")
            usable.navidrome = nil
        }
        let process = await DaemonProcess(log: log)
        let daemon = try await process.manager.askForPatience { [usable] in
            let daemon = try await Daemon(
                usable, missingSource: missing, settings: settings, state: state, process: process)
            try await daemon.listen(inherited: inherited)
            return daemon
        }
        ready(await daemon.web.pages)
        guard let missing else {
            try await daemon.run()
            log.info("ended")
            return daemon.exitIfLeftovers()
        }
        let wait = loginWait(reload, after: missing, state: state, log: log)
        try await daemon.run(besides: wait)
        guard wait.isOver else {
            log.info("ended")
            return daemon.exitIfLeftovers()
        }
        log.notice("there is a login now; restarting with it")
        StandardErrorLog.flush()
        process.manager.reloading()
        throw ProcessReplacement.replace(passingOn: inherited)
    }

    private static func loginWait(
        _ reload: @escaping @Sendable () throws -> Configuration?, after advice: String, state: StateDirectory,
        log: Logger
    ) -> MissingPartWait {
        MissingPartWait(after: advice, log: log) {
            do {
                guard let configuration = try reload() else { return advice }
                return configuration.missingSource(state)
            } catch { return "still waiting for a login, but the settings can't be read: \(chain: error)" }
        }
    }
}
