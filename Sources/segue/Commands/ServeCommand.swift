import ArgumentParser
import Foundation
import Logging
import MPDServer
import SegueConfiguration
import Library

/// Options that several commands share.
struct ConfigurationOptions: ParsableArguments {
    @Option(
        name: .shortAndLong,
        help: ArgumentHelp(
            "The configuration file.",
            discussion: "Without it: $XDG_CONFIG_HOME/segue/segue.toml, ~/.config/segue/segue.toml, /etc/segue.toml. "
                + "With none of these, what `segue login` stored is enough.",
            valueName: "file"), completion: .file(extensions: ["toml"]))
    var config: String?

    /// Reads the configuration, or makes one from the stored credentials when there is no file at all.
    func load() throws -> Configuration {
        let environment = ProcessInfo.processInfo.environment
        do {
            return try Configuration.load(path: config, environment: environment)
        } catch {
            guard error.code == .notFound, let signedIn = try? Self.storedCredentials(environment) else { throw error }
            return signedIn
        }
    }

    /// The defaults with the server that `segue login` stored; nil where nobody has signed in.
    private static func storedCredentials(_ environment: [String: String]) throws -> Configuration? {
        var configuration = try Configuration.defaults(environment: environment)
        let stored = configuration.server.stateDirectory + "/credentials.toml"
        guard FileManager.default.fileExists(atPath: stored) else { return nil }
        configuration.navidrome = Configuration.Navidrome()
        return configuration
    }
}

/// `segue serve`: the server.
struct ServeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve", abstract: "Serve your library to MPD clients.",
        discussion: """
            Logs go to standard error. SIGTERM and SIGINT end the server in order, SIGHUP reads log_level and passwords \
            again. The queue and its position survive restarts.
            """)

    @OptionGroup var options: ConfigurationOptions

    func run() async throws {
        try await Serving.run(try Failures.inOneLine { try options.load() })
    }
}

/// What `serve` and `demo` do once they have a configuration.
enum Serving {
    /// Serves until a signal ends it. `ready` is called when clients are accepted.
    static func run(_ configuration: Configuration, ready: @Sendable () -> Void = {}) async throws {
        signal(SIGPIPE, SIG_IGN)
        StandardErrorLog.bootstrap(level: Logger.Level(configuration.server.logLevel))
        let log = Logger(label: "segue")
        for warning in configuration.warnings { log.warning("\(warning)") }
        let state = try StateDirectory(creating: configuration.server.stateDirectory)
        guard try state.takeLock() else {
            throw CommandFailure(
                "another segue serves from \(state.path). Stop it, or give this one a server.state_directory of its own."
            )
        }
        let daemon = try await start(configuration, state: state, signals: await ProcessSignals(), log: log)
        ready()
        try await daemon.run()
        log.info("ended")
    }

    private static func start(
        _ configuration: Configuration, state: StateDirectory, signals: ProcessSignals, log: Logger
    ) async throws -> Daemon {
        do {
            let daemon = try await Daemon(configuration, state: state, signals: signals, log: log)
            try await daemon.listen()
            return daemon
        } catch {
            throw Failures.failure(error)
        }
    }
}

/// Turns the parts' errors into the one line that a user reads.
enum Failures {
    /// Runs `body`; an error of a part becomes a `CommandFailure` with its own words.
    static func inOneLine<T>(_ body: () throws -> T) throws -> T {
        do { return try body() } catch { throw failure(error) }
    }

    /// A part's error as a `CommandFailure` with the part's own words.
    static func failure(_ error: any Error) -> any Error {
        switch error {
        case is CommandFailure: error
        case let error as LibraryError: CommandFailure(error.message)
        default: CommandFailure("\(error)")
        }
    }
}
