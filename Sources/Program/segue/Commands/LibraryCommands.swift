import ArgumentParser
import Diagnosis
import Discovery
import Extensions
import Foundation
import Logging
import MusicModel
import Playback
import SegueConfiguration
import SongAnalysis
import Supervision
import Sync
import UserLibrary

struct SyncCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sync", abstract: "Update the library once, with a progress bar.",
        discussion: "A server running on the same state directory does this automatically; ask it with `mpc update`.")

    @OptionGroup var options: ConfigurationOptions

    /// Begins on the main thread, while there is no other.
    @MainActor
    func run() async throws {
        let configuration = try options.load()
        configuration.setEnvironment()
        try await Self.sync(configuration)
    }

    private static func sync(_ configuration: Configuration) async throws {
        let sources = try await Sources.alone(
            configuration, logging: .warning,
            "and keeps the library up to date itself. Ask it with `mpc update`, or stop it.")
        let bar = ProgressBar()
        let sync = sources.makeSync(
            observer: SyncObserver(progress: { bar.show(done: $0, total: $1) }), log: Logger(label: "segue"))
        let start = ContinuousClock.now
        do {
            await sources.storages?.attachDue()
            let summary = try await sync.syncOnce()
            bar.finish()
            await sources.close()
            let seconds = String(format: "%.1f", (ContinuousClock.now - start) / .seconds(1))
            print(
                summary.wasUnchanged
                    ? "Nothing has changed (\(seconds) s)."
                    : "\(summary.songs) songs: \(summary.added) new, \(summary.updated) changed, \(summary.removed) gone, "
                        + "\(summary.skipped) skipped (\(seconds) s).")
        } catch {
            bar.finish()
            await sources.close()
            throw CommandFailure("the sync failed; the library is as it was before: \(error)")
        }
    }
}

struct AnalyseCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "analyse",
        abstract: "Measure the loudness, tempo, key and energy of all songs, or report the progress.",
        discussion: """
            Resumes where it stopped; you can interrupt it at any time. A running server measures songs itself, as \
            [discovery] analyse says; --report works then, too. Songs are fetched from a server at up to \
            [discovery] analyse_bandwidth per second.
            """)

    @Flag(
        help: """
            Only report what was measured, how well it finds songs that belong together, what failed and why, and \
            how long the rest will take.
            """)
    var report = false
    @Flag(help: "Print the report as JSON.")
    var json = false
    @OptionGroup var options: ConfigurationOptions

    func run() async throws {
        let configuration = try options.load()
        configuration.useFileNames()
        if !report && !json { try await Self.measure(configuration) }
        let path = configuration.server.stateDirectory + "/segue.db"
        guard FileManager.default.fileExists(atPath: path) else {
            throw CommandFailure(
                "there is no library in \(configuration.server.stateDirectory). Run `segue sync` first, or name the "
                    + "configuration of your server with --config.")
        }
        let quality = report || json ? try SoundQuality.read(path: path) : nil
        let measuring = MeasuringReport(measuring: try Self.found(configuration), quality: quality)
        print(json ? try measuring.json : measuring.text)
    }

    private static func found(_ configuration: Configuration) throws -> AnalysisReport {
        try AnalysisReport.read(
            path: configuration.server.stateDirectory + "/segue.db",
            version: SongAnalyser.oldestUsable(needsBeats: configuration.playback.fades.matchesBeats),
            tries: AnalysisService.tries)
    }

    private static func measure(_ configuration: Configuration) async throws {
        let sources = try await Sources.alone(
            configuration, logging: .error,
            "and measures songs itself if [discovery] analyse = \"library\". See its progress with `segue analyse "
                + "--report`, or stop it.")
        let before = try found(configuration)
        let bar = ProgressBar(done: before.measured + before.failed)
        let passing = try sources.passingTracks(configuration)
        let service = AnalysisService(
            sources.library, tracks: sources.tracks, opening: passing.opening,
            needsBeats: configuration.playback.fades.matchesBeats, pause: .zero, log: Logger(label: "segue")
        ) { _ in bar.advance(of: before.songs) }
        do {
            try await measureAll(service)
        } catch let error as TrackAway {
            bar.finish()
            await sources.close()
            throw CommandFailure("songs can't be fetched now: \(error.message) Resume later with `segue analyse`.")
        }
        bar.finish()
        let passedOver = await service.passedOver
        await sources.close()
        if passedOver > 0 { print("\(passedOver) songs could not be fetched. Resume later with `segue analyse`.") }
    }

    /// Goes on behind songs that can't be had, as long as there are others.
    private static func measureAll(_ service: AnalysisService) async throws {
        var passedOver = 0
        while true {
            do { return try await service.measureAll() } catch let error as TrackAway {
                let now = await service.passedOver
                guard now > passedOver else { throw error }
                passedOver = now
            }
        }
    }
}
