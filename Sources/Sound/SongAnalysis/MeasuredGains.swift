package import MusicModel
import Synchronization
package import UserLibrary

/// The measured loudness of songs, in memory, for players that need it at once.
///
/// - Isolation: any.
package final class MeasuredGains: Sendable {
    private let gains = Mutex<[SongID: ReplayGain]>([:])

    /// Knows nothing before `load`.
    package init() {}

    /// The values of a song; nil when it was not measured.
    package func gain(of song: SongID) -> ReplayGain? { gains.withLock { $0[song] } }

    /// Reads the values of all songs, or those of one song and of its album.
    package func load(_ library: Library, _ song: SongID? = nil) async throws {
        let read = try await library.measuredGains(of: song)
        gains.withLock { gains in
            if song == nil { gains = read } else { gains.merge(read) { $1 } }
        }
    }
}
