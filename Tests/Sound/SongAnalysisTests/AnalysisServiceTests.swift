import Coordination
import Foundation
import LibraryIndex
import LibrarySamples
import Logging
import MusicModel
import Playback
import Synchronization
import TestSupport
import Testing
import UserLibrary

@testable import SongAnalysis

@Suite("Measuring in the background", .timeLimit(.minutes(20)))
struct AnalysisServiceTests {
    /// Songs that are there, or can't be had.
    private final class Tracks: TrackProvider {
        private let files = Mutex<[SongID: TrackFile]>([:])
        private let away = Mutex(false)
        /// The songs that a disk never gives, however long it is asked.
        private let stuck = Mutex<Set<SongID>>([])
        private let opened = Mutex<[SongID]>([])

        /// Whether the server is away.
        var isAway: Bool {
            get { away.withLock { $0 } }
            set { away.withLock { $0 = newValue } }
        }

        /// What was asked for, in order.
        var asked: [SongID] { opened.withLock { $0 } }

        func set(_ song: SongID, _ file: TrackFile) { files.withLock { $0[song] = file } }

        func hang(_ song: SongID) { stuck.withLock { _ = $0.insert(song) } }

        func open(_ song: SongID) async throws -> TrackFile {
            opened.withLock { $0.append(song) }
            if stuck.withLock({ $0.contains(song) }) { try await Task.sleep(for: .seconds(1_000_000)) }
            if isAway { throw TrackError("The server can't be reached.") }
            guard let file = files.withLock({ $0[song] }) else { throw TrackError("The disk is nearly full.") }
            return file
        }

        func prefetch(_ songs: [SongID]) {}
    }

    /// A library of some songs whose files are half a second of a tone, and what measures it.
    private final class Stage: Sendable {
        let folder: URL
        let library: Library
        let tracks = Tracks()
        let done = Mutex<[SongID]>([])
        let songs: [SongID]

        init(_ count: Int) async throws {
            folder = FileManager.default.temporaryDirectory.appending(path: "analysis-\(UUID().uuidString)")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            library = try Library(path: folder.appending(path: "segue.db").path)
            let paths = (1...count).map { "A/\($0).wav" }
            _ = try await library.index.apply(LibraryChanges(mount: "", upserts: paths.map { song($0) }))
            let numbers = try await library.index.numbers()
            songs = paths.compactMap { numbers[$0] }
            for song in songs { try tracks.set(song, file(ToneFile.wave(milliseconds: 500))) }
        }

        deinit {
            try? library.close()
            try? FileManager.default.removeItem(at: folder)
        }

        func file(_ data: Data) throws -> TrackFile {
            let path = folder.appending(path: "\(UUID().uuidString).wav").path
            try data.write(to: URL(filePath: path))
            return TrackFile(completePath: path, suffix: "wav", size: Int64(data.count))
        }

        func service(
            opens: Bool = false, needsBeats: Bool = false, clock: any ServiceClock = ContinuousClock()
        ) -> AnalysisService {
            let tracks = tracks
            let opening: AnalysisService.Opening = { song, measure in try await measure(try await tracks.open(song)) }
            return AnalysisService(
                library, tracks: tracks, opening: opens ? opening : nil, needsBeats: needsBeats, clock: clock,
                log: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() },
                done: { [weak self] song in self?.done.withLock { $0.append(song) } })
        }

        func needs(_ song: SongID) async throws -> Bool {
            try await library.needsAnalysis(song, version: SongAnalyser.oldestUsable(needsBeats: false), tries: 3)
        }
    }

    @Test("a song that plays while the server is away is measured once it is back, however often that was")
    func outages() async throws {
        let stage = try await Stage(1)
        let service = stage.service()
        stage.tracks.isAway = true
        for _ in 0..<5 {
            service.want(stage.songs)
            try await service.measureAll()
        }
        #expect(stage.tracks.asked.count == 5)
        let needs = try await stage.needs(stage.songs[0])
        #expect(needs, "the file is not to blame")
        stage.tracks.isAway = false
        service.want(stage.songs)
        try await service.measureAll()
        #expect(stage.done.withLock { $0 } == stage.songs)
        #expect(try await stage.library.measuredGains()[stage.songs[0]]?.trackGain != nil)
    }

    @Test("a download that fails is not the file's fault either")
    func failedDownload() async throws {
        let stage = try await Stage(1)
        let service = stage.service()
        for _ in 0..<4 {
            let file = TrackFile(path: "/nowhere", suffix: "wav")
            file.fail("The server sends nothing more.")
            stage.tracks.set(stage.songs[0], file)
            service.want(stage.songs)
            try await service.measureAll()
        }
        #expect(try await stage.needs(stage.songs[0]))
    }

    @Test(
        "a song whose disk hangs is given up after a minute, and the next one is measured",
        .enabled(if: testsEverything))
    func hangingDisk() async throws {
        let (stage, clock) = (try await Stage(3), VirtualClock())
        let service = stage.service(clock: clock)
        stage.tracks.hang(stage.songs[0])
        // The second one's file is opened, and then nothing is read of it: a pipe that has no end.
        let pipe = stage.folder.appending(path: "pipe.wav").path
        #expect(mkfifo(pipe, 0o600) == 0)
        let held = open(pipe, O_RDWR)
        defer { close(held) }
        stage.tracks.set(stage.songs[1], TrackFile(completePath: pipe, suffix: "wav", size: 1000))
        service.want(stage.songs)
        let measuring = Task { try await service.measureAll() }
        for asked in [2, 3] {
            // The thread that measures has its turn when no other test computes.
            try await eventually("the song behind one that hangs", within: .seconds(600)) {
                // Each wait is for a song that gives nothing.
                if clock.sleeperCount > 0, stage.tracks.asked.count < asked { clock.pass(.seconds(61)) }
                return stage.tracks.asked.count == asked
            }
        }
        try await measuring.value
        #expect(stage.done.withLock { $0 } == [stage.songs[2]])
        for song in stage.songs[..<2] {
            let needs = try await stage.needs(song)
            #expect(needs, "the file is not to blame")
        }
    }

    @Test("a machine that stood still says nothing of a disk")
    func stillMachine() async throws {
        let clock = VirtualClock()
        let (stream, continuation) = AsyncStream<Int>.makeStream()
        let waiting = Task { try await Advance().wait(by: clock) { await stream.first { _ in true } } }
        for _ in 0..<2 {
            try await eventually("a look") { clock.sleeperCount == 1 }
            clock.pass(.seconds(600))
        }
        continuation.yield(7)
        #expect(try await waiting.value == 7)
    }

    @Test("a file that can't be decoded is tried three times")
    func brokenFile() async throws {
        let stage = try await Stage(1)
        let service = stage.service()
        try stage.tracks.set(stage.songs[0], stage.file(Data(repeating: 7, count: 10_000)))
        for _ in 0..<5 {
            service.want(stage.songs)
            try await service.measureAll()
        }
        #expect(stage.tracks.asked.count == 3)
        #expect(try await !stage.needs(stage.songs[0]))
    }

    @Test("what was measured stays where measuring anew for beats fails")
    func remeasuring() async throws {
        let stage = try await Stage(2)
        var features = SongFeatures()
        (features.loudness, features.peak) = (-10, 0.5)
        features.ramps = MixRampTags(start: "-64.00 0.00;", end: "-20.00 0.50;")
        let song = stage.songs[0]
        try await stage.library.keepAnalysis(
            features, of: song, version: SongAnalyser.oldestUsable(needsBeats: false))
        try stage.tracks.set(song, stage.file(Data(repeating: 7, count: 10_000)))
        let service = stage.service(opens: true, needsBeats: true)
        try await service.measureAll()
        #expect(try await stage.library.measuredGains()[song] == ReplayGain(trackGain: -8, trackPeak: 0.5))
        #expect(stage.library.measuredRamps(of: song) == features.ramps)
        #expect(stage.done.withLock { $0 } == [stage.songs[1]])
        #expect(stage.tracks.asked.count { $0 == song } == 1)
    }

    @Test("songs that can't be had don't keep the rest of the library from being measured")
    func missing() async throws {
        let stage = try await Stage(3)
        let service = stage.service(opens: true)
        let file = TrackFile(path: "/nowhere", suffix: "wav")
        file.fail("The disk is full.")
        stage.tracks.set(stage.songs[0], file)
        do { try await service.measureAll() } catch is TrackAway {}
        try await eventually("the others") {
            do { try await service.measureAll() } catch is TrackAway {}
            return stage.done.withLock { Set($0) } == Set(stage.songs.dropFirst())
        }
        #expect(try await stage.needs(stage.songs[0]))
    }

    @Test("beats are looked for where they matter, and songs measured again once they do")
    func beats() async throws {
        let stage = try await Stage(1)
        let song = stage.songs[0]
        try await stage.service(opens: true).measureAll()
        #expect(try await !stage.needs(song))
        #expect(try await stage.library.needsAnalysis(song, version: SongAnalyser.version, tries: 3))
        try await stage.service(opens: true, needsBeats: true).measureAll()
        #expect(try await !stage.library.needsAnalysis(song, version: SongAnalyser.version, tries: 3))
        #expect(stage.done.withLock { $0 } == [song, song])
        // What was measured with beats is good without them as well.
        try await stage.service(opens: true).measureAll()
        #expect(stage.tracks.asked.count == 2)
    }

    @Test("what is wanted goes before the library, and nothing is measured twice")
    func order() async throws {
        let stage = try await Stage(3)
        let service = stage.service(opens: true)
        service.want([stage.songs[2]])
        try await service.measureAll()
        #expect(stage.done.withLock { $0 } == [stage.songs[2], stage.songs[0], stage.songs[1]])
        service.want(stage.songs)
        try await service.measureAll()
        #expect(stage.done.withLock { $0 }.count == 3)
    }
}
