import ArgumentParser
import Diagnosis
import Discovery
import Foundation
import Logging
import MusicModel
import Playback
import SegueConfiguration
import SongAnalysis
import Supervision
import UserLibrary

/// `segue analyse`: measures the songs that were not measured yet, or says how far that is.
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
        let oldest = SongAnalyser.oldestUsable(needsBeats: configuration.playback.fades.matchesBeats)
        let found = try AnalysisReport.read(path: path, version: oldest, tries: AnalysisService.tries)
        let quality = report || json ? try SoundQuality.read(path: path) : nil
        let measuring = MeasuringReport(measuring: found, quality: quality)
        print(json ? try measuring.json : measuring.text)
    }

    private static func measure(_ configuration: Configuration) async throws {
        let sources = try await Sources.alone(
            configuration, logging: .error,
            "and measures songs itself if [discovery] analyse = \"library\". See its progress with `segue analyse "
                + "--report`, or stop it.")
        let needsBeats = configuration.playback.fades.matchesBeats
        let oldest = SongAnalyser.oldestUsable(needsBeats: needsBeats)
        let before = try AnalysisReport.read(
            path: configuration.server.stateDirectory + "/segue.db", version: oldest, tries: AnalysisService.tries)
        let bar = ProgressBar(done: before.measured + before.failed)
        let passing = try sources.passingTracks(configuration)
        let service = AnalysisService(
            sources.library, tracks: sources.tracks, opening: passing.opening, needsBeats: needsBeats,
            pause: .zero, log: Logger(label: "segue")
        ) { _ in bar.advance(of: before.songs) }
        do {
            try await measureAll(service)
        } catch let error as TrackAway {
            bar.finish()
            await sources.close()
            throw CommandFailure(
                "songs can't be fetched now: \(error.message) Resume later with `segue analyse`.")
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
