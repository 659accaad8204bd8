import ArgumentParser
import Foundation
import IndexSync
import Logging
import MPDImport
import ProcessControl
import SegueConfiguration
import ServiceLog
import StateFiles

/// `segue import`: moves in from other programs.
struct ImportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import", abstract: "Move in from another music server.", subcommands: [ImportMPDCommand.self])
}

/// `segue import mpd`: takes over what an MPD keeps.
struct ImportMPDCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "mpd",
        abstract: "Take over MPD's settings, queue, options, outputs, playlists, stickers and mounts.",
        discussion: """
            Reads mpd.conf and the files that it names; MPD and its files stay as they are. Writes a configuration for \
            Segue where there is none, or one in which nothing is set; beside one with settings it is saved as \
            segue.toml.mpd. Then it fills the library, and finds MPD's songs in it: by path, by MusicBrainz id, by \
            tags, by file name and length. Songs that were not found are listed in mpd-import in the state directory. \
            What Segue has already is never changed: a second run adds nothing.
            """)

    @Argument(
        help: ArgumentHelp(
            "MPD's configuration file; without it, where MPD looks for it: ~/.config/mpd/mpd.conf and so on.",
            valueName: "mpd.conf"), completion: .file())
    var file: String?
    @Flag(name: .long, help: "Only say what would be done.") var dryRun = false
    @Flag(name: .long, help: "Also take over ratings and stars of Navidrome's songs, which go there.") var upload =
        false
    @Option(name: .shortAndLong, help: "Segue's configuration file, read if it exists, else written.") var config:
        String?

    func run() async throws {
        let environment = ProcessInfo.processInfo.environment
        // Root may read MPD's files and write the configuration; all else belongs to the service's user.
        let mpd = try Self.installation(file, environment)
        let configuration = try ImportedConfiguration(mpd, path: config, isDryRun: dryRun, environment).prepare()
        try FolderOwner.become(of: configuration.server.stateDirectory)
        let report = try await takeOver(mpd, configuration)
        for line in report.lines + mpd.problems { print(line) }
        if dryRun {
            print("Nothing was written. Run it without --dry-run to do it.")
        } else {
            print("Stop MPD (systemctl disable --now mpd.socket mpd.service), then start: segue serve")
        }
    }

    /// MPD's files, wherever they are.
    private static func installation(_ file: String?, _ environment: [String: String]) throws -> MPDInstallation {
        let places = file.map { [$0] } ?? MPDInstallation.settingsFiles(environment: environment)
        guard let found = places.first(where: { FileManager.default.fileExists(atPath: $0) }) else {
            throw CommandFailure("no mpd.conf: tried \(places.joined(separator: ", ")). Name it.")
        }
        let path = found.hasPrefix("/") ? found : FileManager.default.currentDirectoryPath + "/" + found
        print("Reading \(path)")
        return try Failures.inOneLine { try MPDInstallation(settingsFile: path, environment: environment) }
    }

    private func takeOver(_ mpd: MPDInstallation, _ configuration: Configuration) async throws -> ImportReport {
        StandardErrorLog.bootstrap(level: .warning)
        let state = try StateDirectory(creating: configuration.server.stateDirectory)
        guard try state.takeLock() else {
            throw CommandFailure("a server runs on \(state.path). Stop it first.")
        }
        let log = Logger(label: "segue")
        let sources = try Failures.inOneLine { try Sources(configuration, state: state, log: log) }
        do {
            try await fill(sources, log)
            var takeover = try await MPDTakeover(
                mpd, into: sources.library, missingFolder: state.path + "/mpd-import", uploadsRatings: upload)
            let report = try await takeover.run(isDryRun: dryRun)
            await sources.close()
            return report
        } catch {
            await sources.close()
            throw Failures.failure(error)
        }
    }

    /// Brings the library up to date, so that there is something to find songs in.
    private func fill(_ sources: Sources, _ log: Logger) async throws {
        let bar = ProgressBar()
        let sync = sources.makeSync(
            observer: SyncObserver(progress: { bar.show(done: $0, total: $1) }), interval: nil, log: log)
        do {
            _ = try await sync.syncOnce()
            bar.finish()
        } catch {
            bar.finish()
            throw CommandFailure("the library can't be read, so nothing can be found in it: \(error)")
        }
    }
}
