package import ArgumentParser
import Extensions
import Foundation
import LibraryIndex
import Logging
import MPDSessions
import MusicModel
import SegueConfiguration
import Supervision
import Sync
import UserLibrary

/// Moving in from MPD.
package enum MPDImportExtension: Extension {
    package static var commands: [any ParsableCommand.Type] { [ImportCommand.self] }
}

struct ImportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import", abstract: "Import from another music server.", subcommands: [ImportMPDCommand.self])
}

struct ImportMPDCommand: ExtensionCommand {
    static let configuration = CommandConfiguration(
        commandName: "mpd",
        abstract: "Import MPD's settings, queue, options, outputs, playlists, stickers and mounts.",
        discussion: """
            Reads mpd.conf and the files it names; MPD and its files stay unchanged. Writes a configuration for \
            Segue if there is none, or if it sets nothing; next to one with settings it writes \
            segue.toml.mpd. Then it fills the library, and finds MPD's songs in it: by path, by MusicBrainz id, by \
            tags, by file name and length. Songs that were not found are listed in mpd-import in the state directory. \
            It never changes what Segue has already: a second run adds only what the first one did not find.

            Stop Segue first: sudo systemctl stop segue, or systemctl --user stop segue.
            """)

    @Argument(
        help: ArgumentHelp(
            "MPD's configuration file; without it, where MPD looks for it: ~/.config/mpd/mpd.conf and so on.",
            valueName: "mpd.conf"), completion: .file())
    var file: String?
    @Flag(name: .long, help: "Only say what would be done; update nothing but the library's index.")
    var dryRun = false
    @Flag(name: .long, help: "Also import ratings and stars of Navidrome's songs, and send them there.") var upload =
        false
    @Option(name: .shortAndLong, help: "Segue's configuration file, read if it exists, else written.") var config:
        String?

    func run(_ program: any ProgramAccess) async throws {
        let environment = ProcessInfo.processInfo.environment
        // Root may read MPD's files and write the configuration; all else belongs to the service's user.
        let mpd = try Self.installation(file, environment)
        let loader = ConfigurationLoader(path: config, environment: environment, extensions: program.sections)
        let plan = try ImportedConfiguration(
            mpd, loader, isDryRun: dryRun, hash: { try ScryptKey(password: $0).text }, say: { print($0) }
        ).plan()
        let folder = plan.configuration.server.stateDirectory
        let state = try StateDirectory(creating: folder)
        // It holds the lock.
        defer { withExtendedLifetime(state) {} }
        try lock(state)
        try plan.write()
        try FolderOwner.become(of: folder)
        let report = try await takeOver(mpd, plan.configuration, plan.file, state, program)
        for line in report.lines + mpd.problems { print(line) }
        if dryRun {
            print("Only the library's index was updated. Run this without --dry-run to do the rest.")
        } else {
            print(
                "Stop MPD (systemctl disable --now mpd.socket mpd.service), then start Segue: systemctl start segue, or "
                    + "segue serve")
        }
    }

    /// Keeps a server from starting on the state, before anything is written.
    private func lock(_ state: StateDirectory) throws {
        // Root's file would lie in the service's way.
        guard try FolderOwner.acting(for: state.path, { try state.takeLock() }) else {
            throw MPDImportError(
                "a server runs on \(state.path), and nothing was changed. Stop it first: sudo systemctl stop segue, or "
                    + "systemctl --user stop segue")
        }
    }

    private static func installation(_ file: String?, _ environment: [String: String]) throws -> MPDInstallation {
        let places = file.map { [$0] } ?? MPDInstallation.settingsFiles(environment: environment)
        guard let found = places.first(where: { FileManager.default.fileExists(atPath: $0) }) else {
            throw MPDImportError("no mpd.conf: tried \(places.joined(separator: ", ")). Name it.")
        }
        let path = found.isAbsolutePath ? found : FileManager.default.currentDirectoryPath + "/" + found
        print("Reading \(path)")
        return try MPDInstallation(settingsFile: path, environment: environment)
    }

    private func takeOver(
        _ mpd: MPDInstallation, _ configuration: Configuration, _ file: String, _ state: StateDirectory,
        _ program: any ProgramAccess
    ) async throws -> ImportReport {
        StandardErrorLog.bootstrap(level: .warning)
        let log = Logger(label: "segue")
        let storages = program.storages(in: state.storages)
        let mounts = MPDMounts(mpd.state) { storages?.storage(at: $0) != nil }
        let sources = try await program.open(configuration, state, mounting: mounts.folders, log)
        do {
            try requireMusic(sources, configuration, file)
            // Before the library is filled, so that an end in between leaves no songs of a folder that is not mounted.
            if !dryRun {
                for mount in sources.mounts.new {
                    try await sources.library.addMount(mount.name, uri: mount.uri)
                }
            }
            let sync = try await fill(sources, log)
            var takeover = try await MPDTakeover(
                mpd, into: sources.library, folder: state.path + "/mpd-import", uploadsRatings: upload)
            var report = try await takeover.run(isDryRun: dryRun)
            report.newMounts = sources.mounts.new.count
            report.notes = mounts.notes + report.notes
            if dryRun {
                for mount in sources.mounts.new {
                    _ = try await sync.unmount(mount.name)
                    await sources.storages?.detach(mount.name)
                }
            }
            await sources.close()
            return report
        } catch {
            await sources.close()
            throw error
        }
    }

    /// Refuses a library without a source, in which each playlist would be empty for good.
    private func requireMusic(_ sources: any LibrarySources, _ configuration: Configuration, _ file: String) throws {
        guard configuration.navidrome == nil, configuration.local == nil, sources.mounts.shown.isEmpty else { return }
        throw MPDImportError(
            "there is no music to find MPD's songs in. Name its folder in \(file), as music_directory "
                + "in the section [local], or run `segue login` for a Navidrome; then run this again.")
    }

    private func fill(_ sources: any LibrarySources, _ log: Logger) async throws -> LibrarySync {
        let bar = ProgressBar()
        let sync = sources.makeSync(observer: SyncObserver(progress: { bar.show(done: $0, total: $1) }), log: log)
        do {
            // A look leaves nothing mounted.
            if !dryRun { await sources.storages?.attachDue() }
            _ = try await sync.syncOnce()
            bar.finish()
            return sync
        } catch {
            bar.finish()
            throw MPDImportError("the library can't be read, so nothing can be found in it: \(error)")
        }
    }
}

/// The results of an import, and the things that it could not take over.
struct ImportReport: Sendable {
    var queue = ""
    var newPlaylists = 0
    /// Playlists that were there already, with the same entries or others.
    var samePlaylists = 0
    var newStickers = 0
    /// Stickers that were there already, with the same value or another.
    var sameStickers = 0
    /// Ratings and stars of the server's songs that wait for `--upload`.
    var heldBack = 0
    var newMounts = 0
    /// How many of MPD's songs were found in each way.
    var ways: [RecognitionWay: Int] = [:]
    var missing: Set<String> = []
    var notes: [String] = []

    var lines: [String] {
        var lines = [
            "Queue: \(queue)", "Playlists: \(newPlaylists) new, \(samePlaylists) already here.",
            "Stickers: \(newStickers) new, \(sameStickers) already here.",
        ]
        if heldBack > 0 {
            lines.append("\(heldBack) ratings and stars of Navidrome's songs were skipped; --upload sends them.")
        }
        if newMounts > 0 { lines.append("Mounts: \(newMounts) new.") }
        for way in RecognitionWay.allCases {
            if let count = ways[way] { lines.append("\(count) songs were found \(way.rawValue).") }
        }
        if !missing.isEmpty { lines.append("\(missing.count) songs were not found.") }
        return lines + notes
    }
}

/// The folder in which an import keeps what it could not take over, and that it took the queue over.
struct ImportFolder {
    enum List {
        case queue, stickers
        case playlist(String)
    }

    private let path: String
    /// The files of this import, so that two lists never share one.
    private var written: Set<String> = []

    init(_ path: String) { self.path = path }

    /// Writes down what was not found, so that nothing is lost; a sentence where that failed.
    mutating func keep(_ lines: [String], of list: List) -> String? {
        guard !lines.isEmpty else { return nil }
        let file = file(of: list)
        written.insert(file)
        do {
            try make((file as NSString).deletingLastPathComponent)
            // Byte for byte as MPD has them.
            try Data(LosslessText.bytes(lines.joined(separator: "\n") + "\n")).write(to: URL(fileURLWithPath: file))
            return nil
        } catch { return "\(lines.count) missing things can't be listed in \(file): \(error.localizedDescription)" }
    }

    /// Playlists have a folder of their own, where their names are in no other list's way.
    private func file(of list: List) -> String {
        let ending = ".missing.m3u"
        switch list {
        case .queue: return "\(path)/queue\(ending)"
        case .stickers: return "\(path)/stickers\(ending)"
        case .playlist(let name):
            let beginning = "\(path)/playlists/" + Self.short(name.replacingOccurrences(of: "/", with: "_"))
            var (file, number) = (beginning + ending, 2)
            while written.contains(file) {
                file = "\(beginning) \(number)\(ending)"
                number += 1
            }
            return file
        }
    }

    /// Bytes of a name that leave room for an ending: file systems take 255.
    private static let maxNameLength = 230

    private static func short(_ name: String) -> String {
        var (short, length) = (String.UnicodeScalarView(), 0)
        for scalar in name.unicodeScalars {
            length += UTF8.width(scalar)
            if length > maxNameLength { break }
            short.append(scalar)
        }
        return String(short)
    }

    private var mark: String { path + "/queue-and-options-are-taken-over" }

    /// True if an import has taken over the queue and the options, which are Segue's from then on.
    var hasTakenQueue: Bool { FileManager.default.fileExists(atPath: mark) }

    func noteQueueTaken() throws(MPDImportError) {
        do {
            try make(path)
            try Data("Without this file the next `segue import mpd` imports them again.\n".utf8)
                .write(to: URL(fileURLWithPath: mark))
        } catch { throw MPDImportError("can't write \(mark): \(error.localizedDescription)", cause: error) }
    }

    private func make(_ folder: String) throws {
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    }
}
