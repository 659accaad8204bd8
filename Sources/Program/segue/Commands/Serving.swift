import Foundation
import LibraryIndex
import Logging
import MPDSessions
import MusicModel
import Supervision
import SegueConfiguration
import Subsonic

/// The steps of `serve` and `demo` once they have a configuration.
enum Serving {
    /// Serves until a signal ends it. A server without anything to play from starts again in the same process when it
    /// has something.
    ///
    /// - Parameters:
    ///   - configuration: what to serve.
    ///   - settings: what the page may set; nil where nothing is kept of it.
    ///   - ready: called when clients are accepted, with the addresses at which the page answers.
    ///   - reload: reads the configuration again; the log says when that fails.
    /// - Throws: `CommandFailure`, a line that names the cause and the cure.
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
        let inherited = try InheritedSocket.take(
            environment: ProcessInfo.processInfo.environment, processID: getpid())
        let state = try StateDirectory(creating: configuration.server.stateDirectory)
        guard try state.takeLock() else {
            throw CommandFailure(
                "another segue serves from \(state.path). Stop it, or give this one a server.state_directory of its own."
            )
        }
        var usable = configuration
        let missing = MissingSource(configuration, state: state)
        if let missing {
            log.warning("\(missing.advice)")
            usable.navidrome = nil
        }
        let process = await DaemonProcess(log: log)
        let daemon = try await process.manager.askForPatience { [usable] in
            let daemon = try await Daemon(
                usable, missingSource: missing?.advice, settings: settings, state: state, process: process)
            try await daemon.listen(inherited: inherited)
            return daemon
        }
        ready(await daemon.web.pages)
        guard let missing else {
            try await daemon.run()
            log.info("ended")
            return daemon.exitIfLeftovers()
        }
        let wait = loginWait(reload, after: missing.advice, state: state, log: log)
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

    /// Waits for something to play from.
    private static func loginWait(
        _ reload: @escaping @Sendable () throws -> Configuration?, after advice: String, state: StateDirectory,
        log: Logger
    ) -> MissingPartWait {
        MissingPartWait(after: advice, log: log) {
            do {
                guard let configuration = try reload() else { return advice }
                return MissingSource(configuration, state: state)?.advice
            } catch { return "still waiting for a login, but the settings can't be read: \(chain: error)" }
        }
    }
}
