import AudioFiles
package import Coordination
import Glibc
package import Logging
package import MusicModel
package import Playback
import Synchronization
package import UserLibrary

/// Measures songs in the background, one at a time, on a thread that runs only where nothing else wants to. The songs
/// that play and come next go first. What was measured is kept; a file that can't be decoded is tried three times. A
/// song that can't be had, as its server or its disk is away, is tried again later.
package actor AnalysisService {
    /// How often a file is tried.
    package static let tries = 3
    /// Between two songs of the library.
    package static let pause = Duration.milliseconds(200)
    /// `SCHED_IDLE`, which Swift doesn't see in the C library.
    private static let idlePolicy: Int32 = 5
    private static let batch = 200
    /// How long to wait for a server that is away.
    private static let absence = Duration.seconds(600)
    /// When a song of the library that could not be had is tried again.
    private static let rest = Duration.seconds(3600)
    /// After this many such songs in a row the rest of the library isn't asked for either: a disk is away.
    private static let maxMissing = 20

    /// Opens a song of the library for the time of `body`: past the caches where it has to be fetched. Throws
    /// `TrackAway` where it can't be had now, or else what `body` throws, or why there is no such song.
    package typealias Opening =
        @Sendable (SongID, @Sendable (TrackFile) async throws -> SongFeatures?) async throws -> SongFeatures?

    private let library: Library
    private let tracks: any TrackProvider
    private let opening: Opening?
    private let pause: Duration
    private let clock: any ServiceClock
    /// The version of what is measured here; older measurements are made again.
    private let version: Int64
    private let findsBeats: Bool
    private let log: Logger
    private let done: @Sendable (SongID) async -> Void
    private let renewed: @Sendable () async -> Void
    private nonisolated let hasNewLibrary = Atomic(false)
    private nonisolated let alarm = Alarm()
    private nonisolated let wishes = Mutex<[SongID]>([])
    private var known: Set<SongID> = []
    /// The songs of the library that come next, the last one first.
    private var ahead: [SongID] = []
    /// Songs of the library with good files that were not measured, and until when they are passed over.
    private var resting: [SongID: ContinuousClock.Instant] = [:]
    private var missing = 0

    /// Makes the service; nothing is measured before `run`. `opening` opens the library's songs, which are measured
    /// although not played; nil measures what is wanted. `needsBeats` measures songs again of which only these are not
    /// known. `renewed` is called when the library changed, and measurements may be of files that were replaced.
    package init(
        _ library: Library, tracks: any TrackProvider, opening: Opening?, needsBeats: Bool,
        pause: Duration = AnalysisService.pause, clock: any ServiceClock = ContinuousClock(), log: Logger,
        done: @escaping @Sendable (SongID) async -> Void, renewed: @escaping @Sendable () async -> Void = {}
    ) {
        (self.renewed, self.library, self.tracks, self.opening) = (renewed, library, tracks, opening)
        (self.pause, self.clock) = (pause, clock)
        version = SongAnalyser.oldestUsable(needsBeats: needsBeats)
        findsBeats = needsBeats
        (self.log, self.done) = (log, done)
    }

    /// Has these songs measured before others, in this order.
    package nonisolated func want(_ songs: [SongID]) {
        wishes.withLock { $0 = songs }
        alarm.ring()
    }

    /// Takes in that the library changed: a file that was replaced is measured again.
    package nonisolated func libraryChanged() {
        hasNewLibrary.store(true, ordering: .relaxed)
        alarm.ring()
    }

    /// Measures songs until the task is cancelled.
    package func run() async {
        while !Task.isCancelled {
            var isAway = false
            do { try await measureAll() } catch is TrackAway {
                isAway = true
            } catch {
                log.error("songs can't be measured: \(chain: error)")
            }
            ahead = []
            if isAway {
                await alarm.wait(atMost: Self.absence)
            } else {
                await alarm.wait(until: resting.values.min())
            }
        }
    }

    /// How many songs of the library were passed over, as they could not be had.
    package var passedOver: Int { resting.count }

    /// Measures what is wanted and the library's songs, until there are no more but those that can't be had now.
    /// - Throws: `TrackAway` when songs can't be had now, and what the database throws.
    package func measureAll() async throws {
        missing = 0
        while !Task.isCancelled {
            if hasNewLibrary.exchange(false, ordering: .relaxed) {
                (known, ahead, resting) = ([], [], [:])
                await renewed()
            }
            if let song = try await nextWish() {
                // One that can't be had is tried again when it is wanted again.
                _ = await measure(song) { [tracks, clock, findsBeats] in
                    let file = try await Advance().wait(by: clock) { try await tracks.open(song) }
                    return try await Self.features(of: file, findsBeats, clock)
                }
                continue
            }
            guard let opening, let song = try await nextOfLibrary() else { return }
            let outcome = await measure(song) { [clock, findsBeats] in
                try await opening(song) { try await Self.features(of: $0, findsBeats, clock) }
            }
            try takeIn(outcome, of: song)
            if pause > .zero { try? await Task.sleep(for: pause) }
        }
    }

    private func takeIn(_ outcome: Outcome, of song: SongID) throws {
        switch outcome {
        case .measured, .cancelled: missing = 0
        case .broken(let isNoted):
            missing = 0
            if !isNoted { resting[song] = .now + Self.rest }
        case .away(let reason): throw reason
        case .missing(let reason):
            resting[song] = .now + Self.rest
            missing += 1
            if missing >= Self.maxMissing { throw TrackAway("\(reason)", cause: reason) }
        }
    }

    private func nextWish() async throws -> SongID? {
        while let song = wishes.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) {
            if known.contains(song) { continue }
            if try await library.needsAnalysis(song, version: version, tries: Self.tries) { return song }
            known.insert(song)
        }
        return nil
    }

    private func nextOfLibrary() async throws -> SongID? {
        if ahead.isEmpty {
            resting = resting.filter { $0.value > .now }
            ahead = try await library.songsForAnalysis(
                version: version, tries: Self.tries, count: Self.batch + resting.count
            ).reversed()
        }
        while let song = ahead.popLast() {
            if known.contains(song) || resting[song] != nil { continue }
            // It may have been played since it was looked up.
            if try await library.needsAnalysis(song, version: version, tries: Self.tries) { return song }
        }
        return nil
    }

    private enum Outcome {
        case measured
        /// The file can't be decoded; not noted where that can't be, or would take a good measurement's place.
        case broken(isNoted: Bool)
        case missing(any Error)
        /// No song of its source can be had now.
        case away(TrackAway)
        case cancelled
    }

    private func measure(_ song: SongID, _ measuring: () async throws -> SongFeatures?) async -> Outcome {
        do {
            guard let features = try await measuring() else { return .cancelled }
            try await library.keepAnalysis(features, of: song, version: version)
            known.insert(song)
            await done(song)
            return .measured
        } catch let error as TrackAway {
            return .away(error)
        } catch let error as AudioFileError {
            return Task.isCancelled ? .cancelled : await note(error, of: song)
        } catch {
            if Task.isCancelled { return .cancelled }
            let path = await tracks.path(of: song) ?? "a song"
            log.info("\(path) can't be measured now: \(chain: error)")
            return .missing(error)
        }
    }

    private func note(_ error: AudioFileError, of song: SongID) async -> Outcome {
        let path = await tracks.path(of: song) ?? "a song"
        log.notice("\(path) can't be measured: \(chain: error)")
        var isNoted = false
        do {
            isNoted = try await library.noteFailedAnalysis(of: song, version: version, because: "\(error)")
        } catch {
            log.error("a song that can't be measured can't be noted: \(chain: error)")
        }
        if !isNoted { known.insert(song) }
        return .broken(isNoted: isNoted)
    }

    /// Measures a file on a thread of its own, which is left behind where its disk hangs.
    @concurrent
    private static func features(
        of file: TrackFile, _ findsBeats: Bool, _ clock: any ServiceClock
    ) async throws -> SongFeatures? {
        let advance = Advance()
        return try await withTaskCancellationHandler {
            try await advance.wait(by: clock) {
                try await onThread(reading: file.path) { isAbandoned in
                    try onIdleThread {
                        try measure(file, findsBeats) {
                            advance.note()
                            return isAbandoned()
                        }
                    }
                }
            }
        } onCancel: {
            file.wake()
        }
    }

    private static func onIdleThread<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) throws -> Value {
        let outcome = Monitor<Result<Value, any Error>?>(nil)
        let isStarted = BlockingThread.start("analysis") {
            let result = Result { try work() }
            outcome.update { $0 = result }
        }
        guard isStarted else { throw TrackAway(BlockingThread.missing) }
        while true { if let result = outcome.wait(milliseconds: 60_000, { $0 }) { return try result.get() } }
    }

    private static func measure(
        _ file: TrackFile, _ findsBeats: Bool, _ isCancelled: @Sendable () -> Bool
    ) throws -> SongFeatures? {
        guard try file.awaitAll(isCancelled: isCancelled) else { return nil }
        return try SongAnalyser.analyse(
            path: file.path, part: file.part, findsBeats: findsBeats, isCancelled: isCancelled, whenStarted: becomeIdle)
    }

    /// Has the calling thread run only where nothing else wants to; the decoder waits for it, so that all of it does.
    static func becomeIdle() {
        var parameters = sched_param()
        sched_setscheduler(0, idlePolicy, &parameters)
    }
}
