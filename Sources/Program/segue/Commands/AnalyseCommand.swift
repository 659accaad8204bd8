import ArgumentParser
import Discovery
import Foundation
import Logging
import MusicModel
import ProcessControl
import SegueConfiguration
import ServiceLog
import SongAnalysis
import StateFiles
import Synchronization
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
        let configuration = try Failures.inOneLine { try options.load() }
        configuration.useFileNames()
        if !report && !json { try await Self.measure(configuration) }
        let path = configuration.server.stateDirectory + "/segue.db"
        guard FileManager.default.fileExists(atPath: path) else {
            throw CommandFailure(
                "there is no library in \(configuration.server.stateDirectory). Run `segue sync` first, or name the "
                    + "configuration of your server with --config.")
        }
        let oldest = SongAnalyser.oldestUsable(needsBeats: configuration.playback.matchesBeats)
        let found = try Failures.inOneLine {
            try AnalysisReport.read(path: path, version: oldest, tries: AnalysisService.tries)
        }
        let quality = try Failures.inOneLine { report || json ? try SoundQuality.read(path: path) : nil }
        guard json else { return print(([found.text] + (quality?.sentences ?? [])).joined(separator: "\n")) }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        print(String(decoding: try encoder.encode(FullReport(measuring: found, quality: quality)), as: UTF8.self))
    }

    private static func measure(_ configuration: Configuration) async throws {
        StandardErrorLog.bootstrap(level: .error)
        try FolderOwner.become(of: configuration.server.stateDirectory)
        let state = try StateDirectory(creating: configuration.server.stateDirectory)
        guard try state.takeLock() else {
            throw CommandFailure(
                "a server runs on \(state.path) and measures songs itself if [discovery] analyse = \"library\". See "
                    + "its progress with `segue analyse --report`, or stop it.")
        }
        let log = Logger(label: "segue")
        let sources = try await Failures.inOneLine(
            awaiting: { try await Sources(configuration, state: state, log: log) })
        let needsBeats = configuration.playback.matchesBeats
        let oldest = SongAnalyser.oldestUsable(needsBeats: needsBeats)
        let before = try Failures.inOneLine {
            try AnalysisReport.read(path: state.database, version: oldest, tries: AnalysisService.tries)
        }
        let (bar, count) = (ProgressBar(), SongCount(before.measured + before.failed))
        let passing = try Failures.inOneLine { try sources.passingTracks(configuration) }
        let service = AnalysisService(
            sources.library, tracks: sources.tracks, opening: passing.opening, needsBeats: needsBeats,
            pause: .zero, log: log
        ) { _ in
            bar.show(done: min(count.next(), before.songs), total: before.songs)
        }
        do {
            try await measureAll(service)
        } catch let error as AnalysisSourceAway {
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
            do { return try await service.measureAll() } catch let error as AnalysisSourceAway {
                let now = await service.passedOver
                guard now > passedOver else { throw error }
                passedOver = now
            }
        }
    }
}

/// The report for scripts: one object with the fields of the first part.
private struct FullReport: Encodable {
    var measuring: AnalysisReport
    /// Missing where too few songs were measured.
    var quality: SoundQuality?

    private enum Keys: CodingKey { case quality }

    func encode(to encoder: any Encoder) throws {
        try measuring.encode(to: encoder)
        var fields = encoder.container(keyedBy: Keys.self)
        try fields.encodeIfPresent(quality, forKey: .quality)
    }
}

/// Counts songs, from any thread.
private final class SongCount: Sendable {
    private let count: Mutex<Int>

    init(_ first: Int) { count = Mutex(first) }

    func next() -> Int {
        count.withLock { count in
            count += 1
            return count
        }
    }
}

extension SoundQuality {
    /// How well the sound tells what belongs together, for people.
    fileprivate var sentences: [String] {
        func percent(_ share: Double) -> String { String(format: share < 0.0995 ? "%.1f %%" : "%.0f %%", share * 100) }
        func line(_ share: Share, _ what: String) -> String? {
            guard share.songs > 0 else { return nil }
            return "- \(percent(share.sound)) \(what) (nearest by tags \(percent(share.tags)), by chance "
                + "\(percent(share.chance)))"
        }
        let lines = [
            line(album, "are of the same album"), line(artist, "of other albums are by the same artist"),
            line(genre, "by other artists share a genre"),
        ].compactMap { $0 }
        return [
            "Of the five songs that sound most like one, for \(max(album.songs, artist.songs, genre.songs)) of yours:"
        ]
            + lines + [
                hubs <= 1.5
                    ? "No songs are near to far more others than the rest."
                    : "Some songs are near to far more others than the rest, so they come more often."
            ]
    }
}

extension AnalysisReport {
    /// The report for people; control characters of paths don't reach the terminal.
    fileprivate var text: String {
        var lines = ["\(measured) of \(songs) songs are measured" + (failed > 0 ? ", \(failed) can't be" : "") + "."]
        let left = max(songs - measured - failed, 0)
        if left > 0, let perHour, let hoursLeft {
            let time =
                hoursLeft < 1
                ? "\(Int((hoursLeft * 60).rounded(.up))) minutes" : String(format: "%.1f hours", hoursLeft)
            lines.append("At \(Int(perHour)) songs an hour, the other \(left) take \(time).")
        }
        for failure in failures {
            lines.append("\(failure.path): \(failure.reason) (tried \(failure.tries) times)")
        }
        return lines.map { line in
            String(
                line.map { $0.isNewline || $0.unicodeScalars.contains { $0.value < 32 || $0.value == 127 } ? " " : $0 })
        }.joined(separator: "\n")
    }
}
