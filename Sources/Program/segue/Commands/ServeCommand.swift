import ArgumentParser
import AudioFiles
import Foundation
import LibraryIndex
import MusicModel
import Supervision
import SegueConfiguration
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
        ConfigurationLoader(path: config, environment: ProcessInfo.processInfo.environment)
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
        let loaded = try Failures.inOneLine { try options.loader.loadForServing() }
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
        AudioFileReader.useLegacyCharset((local ?? Local()).legacyCharset)
        useFileNames()
    }
}

/// Turns the parts' errors into the one line that a user reads.
enum Failures {
    /// Runs `body`; an error of a part becomes a `CommandFailure` with its own words.
    static func inOneLine<T>(_ body: () throws -> T) throws -> T {
        do { return try body() } catch { throw failure(error) }
    }

    /// Does the same with work that is awaited.
    static func inOneLine<T: Sendable>(awaiting body: () async throws -> T) async throws -> T {
        do { return try await body() } catch { throw failure(error) }
    }

    /// A part's error as a `CommandFailure` with the part's own words.
    static func failure(_ error: any Error) -> any Error {
        known(error) ?? CommandFailure("\(error)")
    }

    /// The `CommandFailure` of a part's error that already is one line for users; nil for all others.
    static func known(_ error: any Error) -> CommandFailure? {
        switch error {
        case let error as CommandFailure: error
        case let error as LibraryError:
            CommandFailure(error.message, status: error.code == .otherVersion ? CommandFailure.uselessToRepeat : 1)
        case let error as StateFileError: CommandFailure(error.message)
        case let error as ProcessError: CommandFailure(error.message)
        default: nil
        }
    }
}
