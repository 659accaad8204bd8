import Coordination
import Glibc
package import Logging
package import MusicModel
package import Playback
import Synchronization
package import UserLibrary

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

    private struct Wishes {
        var songs: [SongID] = []
    }

    private let library: Library
    private let tracks: any TrackProvider
    private let measuresLibrary: Bool
    private let log: Logger
    private let done: @Sendable (SongID) async -> Void
    private nonisolated let alarm = Alarm()
    private nonisolated let wishes = Mutex(Wishes())
    private var known: Set<SongID> = []

    /// Makes the service; nothing is measured before `run`.
    ///
    /// - Parameters:
    ///   - measuresLibrary: whether the music folder's songs are measured although they are not played.
    ///   - done: called for every song that was measured.
    package init(
        _ library: Library, tracks: any TrackProvider, measuresLibrary: Bool, log: Logger,
        done: @escaping @Sendable (SongID) async -> Void
    ) {
        self.library = library
        self.tracks = tracks
        self.measuresLibrary = measuresLibrary
        self.log = log
        self.done = done
    }

    /// Has these songs measured before others, in this order.
    ///
    /// - Isolation: any; returns at once.
    package nonisolated func want(_ songs: [SongID]) {
        wishes.withLock { $0.songs = songs }
        alarm.ring()
    }

    /// Takes in that the library changed.
    ///
    /// - Isolation: any; returns at once.
    package nonisolated func libraryChanged() { if measuresLibrary { alarm.ring() } }

    /// Measures songs until the task is cancelled.
    package func run() async {
        while !Task.isCancelled {
            do {
                while let song = try await next(), !Task.isCancelled { await measure(song) }
            } catch {
                log.error("songs can't be measured: \(error)")
            }
            await alarm.wait()
        }
    }

    private func next() async throws -> SongID? {
        while let song = wishes.withLock({ $0.songs.isEmpty ? nil : $0.songs.removeFirst() }) {
            if known.contains(song) { continue }
            if try await library.needsAnalysis(song, version: SongAnalyser.version, tries: Self.tries) { return song }
            known.insert(song)
        }
        guard measuresLibrary else { return nil }
        try? await Task.sleep(for: Self.pause)
        return try await library.nextForAnalysis(version: SongAnalyser.version, tries: Self.tries)
    }

    private func measure(_ song: SongID) async {
        do {
            let file = try await tracks.open(song)
            let features = try await features(of: file)
            guard let features else { return }
            try await library.keepAnalysis(features, of: song, version: SongAnalyser.version)
            known.insert(song)
            await done(song)
        } catch {
            if Task.isCancelled { return }
            let path = await tracks.path(of: song) ?? "a song"
            log.notice("\(path) can't be measured: \(error)")
            do { try await library.noteFailedAnalysis(of: song, version: SongAnalyser.version) } catch {
                log.error("what can't be measured can't be noted: \(error)")
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
        return try SongAnalyser.analyse(path: file.path) { cancellation.flag.load(ordering: .relaxed) }
    }
}
