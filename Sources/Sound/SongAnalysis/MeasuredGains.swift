import Coordination
package import MusicModel
import Synchronization
package import UserLibrary

/// The measured loudness of songs, in memory, for players that need it at once.
package final class MeasuredGains: Sendable {
    private struct State {
        var gains: [SongID: ReplayGain] = [:]
        var waiting: Set<SongID> = []
        var due = ContinuousClock.now
    }

    /// Songs that wait are read together; after that none are for so many times as long as the last one took. A title
    /// of an album that all songs of a library have would be read behind each of them else.
    private static let share = 50

    private let state = Mutex(State())
    private let reading = CoalescedTask()

    /// Knows nothing before `load`.
    package init() {}
    /// The values of a song; nil when it was not measured.
    package func gain(of song: SongID) -> ReplayGain? { state.withLock { $0.gains[song] } }

    /// Reads the values of all songs, or those of one song at once and of its album soon.
    package func load(_ library: Library, _ song: SongID? = nil) async throws {
        guard let song else {
            let read = try await library.measuredGains()
            return state.withLock { ($0.gains, $0.waiting) = (read, []) }
        }
        let isDue = state.withLock { state in
            state.waiting.insert(song)
            return state.due <= .now
        }
        if isDue { return try await readAlbums(library) }
        if let own = try await library.measuredGain(ofSongAlone: song) {
            state.withLock { state in
                let known = state.gains[song]
                state.gains[song] = ReplayGain(
                    trackGain: own.trackGain, trackPeak: own.trackPeak, albumGain: known?.albumGain,
                    albumPeak: known?.albumPeak)
            }
        }
        planReading(library)
    }

    private func planReading(_ library: Library) {
        reading.plan(after: state.withLock { $0.due } - .now, for: self) { [weak library] gains in
            // A library that was closed meanwhile has no players either. Otherwise the song waits for the next one.
            if let library { try? await gains.readAlbums(library) }
        }
    }

    private func readAlbums(_ library: Library) async throws {
        while let song = state.withLock({ $0.waiting.popFirst() }) {
            let start = ContinuousClock.now
            let read: [SongID: ReplayGain]
            do { read = try await library.measuredGains(of: song) } catch {
                _ = state.withLock { $0.waiting.insert(song) }
                throw error
            }
            state.withLock { state in
                state.gains.merge(read) { $1 }
                state.waiting.subtract(read.keys)
                let now = ContinuousClock.now
                state.due = now + (now - start) * Self.share
            }
        }
    }
}
