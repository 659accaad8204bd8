import Coordination
import Glibc
package import Logging
package import MusicModel
package import Playback
import Synchronization
package import UserLibrary

/// Says that a song can't be had now, as its server is away; it is tried again later.
package struct AnalysisSourceAway: ChainedError {
    /// Why it can't be had.
    package let message: String
    package let origin: ErrorOrigin

    /// Names the reason.
    package init(
        _ message: String, cause: (any Error)? = nil, file: StaticString = #fileID, line: UInt = #line
    ) {
        self.message = message
        origin = ErrorOrigin(cause, file: file, line: line)
    }

    /// The message.
    package var description: String { message }
}

/// Measures songs in the background, one at a time, on a thread that runs only where nothing else wants to.
///
/// The songs that play and come next go first, so that their loudness is known before they are heard. What was measured
/// is kept and never measured again; a file that can't be decoded is tried three times.
/// - Isolation: its own actor.
package actor AnalysisService {
    /// How often a file is tried.
    package static let tries = 3
    /// Between two songs of the library.
    private static let pause = Duration.milliseconds(200)
    /// `SCHED_IDLE`, which Swift doesn't see in the C library.
    private static let idlePolicy: Int32 = 5
    /// For so long nothing of a song may arrive, in seconds.
    private static let patience = 60
    /// How many songs of the library are looked up at a time.
    private static let batch = 200
    /// How long to wait for a server that is away.
    private static let absence = Duration.seconds(600)

    /// Opens a song of the library for the time of `body`: past the caches where it has to be fetched.
    ///
    /// Throws `AnalysisSourceAway` where it can't be had now, or else what `body` throws, or why there is no such
    /// song.
    package typealias Opening =
        @Sendable (SongID, @Sendable (TrackFile) async throws -> SongFeatures?) async throws -> SongFeatures?

    private let library: Library
    private let tracks: any TrackProvider
    private let opening: Opening?
    private let oldest: Int64
    private let log: Logger
    private let done: @Sendable (SongID) async -> Void
    private let renewed: @Sendable () async -> Void
    private nonisolated let hasNewLibrary = Atomic(false)
    private nonisolated let alarm = Alarm()
    private nonisolated let wishes = Mutex<[SongID]>([])
    private var known: Set<SongID> = []
    /// The songs of the library that come next, the last one first.
    private var ahead: [SongID] = []

    /// Makes the service; nothing is measured before `run`.
    ///
    /// - Parameters:
    ///   - opening: opens the library's songs, which are then measured although they are not played; nil measures only
    ///     what is wanted.
    ///   - needsBeats: whether songs are measured anew of which only the beats are not known.
    ///   - done: called for every song that was measured.
    ///   - renewed: called when the library changed, after which measurements may be of files that were replaced.
    package init(
        _ library: Library, tracks: any TrackProvider, opening: Opening?, needsBeats: Bool, log: Logger,
        done: @escaping @Sendable (SongID) async -> Void, renewed: @escaping @Sendable () async -> Void = {}
    ) {
        self.renewed = renewed
        self.library = library
        self.tracks = tracks
        self.opening = opening
        oldest = SongAnalyser.oldestUsable(needsBeats: needsBeats)
        self.log = log
        self.done = done
    }

    /// Has these songs measured before others, in this order.
    ///
    /// - Isolation: any; returns at once.
    package nonisolated func want(_ songs: [SongID]) {
        wishes.withLock { $0 = songs }
        alarm.ring()
    }

    /// Takes in that the library changed: a file that was replaced is measured anew.
    ///
    /// - Isolation: any; returns at once.
    package nonisolated func libraryChanged() {
        hasNewLibrary.store(true, ordering: .relaxed)
        alarm.ring()
    }

    /// Measures songs until the task is cancelled.
    package func run() async {
        while !Task.isCancelled {
            var isAway = false
            do { try await measureAll() } catch is AnalysisSourceAway {
                isAway = true
            } catch {
                log.error("songs can't be measured: \(chain: error)")
            }
            ahead = []
            if isAway { await alarm.wait(atMost: Self.absence) } else { await alarm.wait() }
        }
    }

    /// Measures what is wanted and the library's songs, until there are no more.
    ///
    /// - Throws: `AnalysisSourceAway` when the server can't be reached, and what the database throws.
    package func measureAll() async throws {
        while !Task.isCancelled {
            if hasNewLibrary.exchange(false, ordering: .relaxed) {
                (known, ahead) = ([], [])
                await renewed()
            }
            if let song = try await nextWish() {
                await measure(song) { try await self.features(of: try await self.tracks.open(song)) }
                continue
            }
            guard let opening, let song = try await nextOfLibrary() else { return }
            var away: AnalysisSourceAway?
            await measure(song) {
                do { return try await opening(song) { try await self.features(of: $0) } } catch {
                    away = error as? AnalysisSourceAway
                    throw error
                }
            }
            if let away { throw away }
            try? await Task.sleep(for: Self.pause)
        }
    }

    private func nextWish() async throws -> SongID? {
        while let song = wishes.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) {
            if known.contains(song) { continue }
            if try await library.needsAnalysis(song, version: oldest, tries: Self.tries) { return song }
            known.insert(song)
        }
        return nil
    }

    private func nextOfLibrary() async throws -> SongID? {
        if ahead.isEmpty {
            ahead = try await library.songsForAnalysis(
                version: oldest, tries: Self.tries, count: Self.batch
            ).reversed()
        }
        while let song = ahead.popLast() {
            if known.contains(song) { continue }
            // It may have been played since it was looked up.
            if try await library.needsAnalysis(song, version: oldest, tries: Self.tries) { return song }
        }
        return nil
    }

    private func measure(_ song: SongID, _ measuring: () async throws -> SongFeatures?) async {
        do {
            guard let features = try await measuring() else {
                // There is nothing to be said of it.
                if !Task.isCancelled { known.insert(song) }
                return
            }
            try await library.keepAnalysis(features, of: song, version: SongAnalyser.version)
            known.insert(song)
            await done(song)
        } catch is AnalysisSourceAway {
            return
        } catch {
            if Task.isCancelled { return }
            let path = await tracks.path(of: song) ?? "a song"
            log.notice("\(path) can't be measured: \(chain: error)")
            do {
                try await library.noteFailedAnalysis(of: song, version: SongAnalyser.version, because: "\(error)")
            } catch {
                log.error("what can't be measured can't be noted: \(chain: error)")
                known.insert(song)
            }
        }
    }

    /// Measures a file on a thread of its own.
    private func features(of file: TrackFile) async throws -> SongFeatures? {
        let isCancelled = Cancellation()
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let isStarted = BlockingThread.start("analysis") {
                    continuation.resume(with: Result { try Self.measure(file, isCancelled) })
                }
                if !isStarted { continuation.resume(throwing: TrackError(BlockingThread.missing)) }
            }
        } onCancel: {
            isCancelled.flag.store(true, ordering: .relaxed)
            file.wake()
        }
    }

    private final class Cancellation: Sendable {
        let flag = Atomic(false)
    }

    private static func measure(_ file: TrackFile, _ cancellation: Cancellation) throws -> SongFeatures? {
        // The decoder waits for this thread, so that all of it runs when nothing else does.
        var parameters = sched_param()
        sched_setscheduler(0, idlePolicy, &parameters)
        var silentSeconds = 0
        while !file.current.isComplete {
            let available = file.current.available
            let result = file.wait(for: available, milliseconds: 1000)
            if cancellation.flag.load(ordering: .relaxed) { return nil }
            if case .failed(let message) = result { throw TrackError(message) }
            silentSeconds = file.current.available > available ? 0 : silentSeconds + 1
            guard silentSeconds < patience else { return nil }
        }
        return try SongAnalyser.analyse(path: file.path, part: file.part) { cancellation.flag.load(ordering: .relaxed) }
    }
}
