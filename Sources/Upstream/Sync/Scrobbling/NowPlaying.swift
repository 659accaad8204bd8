import MusicModel
import Subsonic

/// Tells the server what plays and when nothing does any more; it is shown there, and not counted.
///
/// - Isolation: its own actor.
actor NowPlaying {
    /// A report to the server.
    enum Report: Hashable, Sendable {
        case playing(id: String)
        case moved(id: String, place: Duration, isPaused: Bool)
        case stopped(id: String)
    }

    private let client: SubsonicClient

    init(_ client: SubsonicClient) { self.client = client }

    /// Tells the server.
    ///
    /// - Parameter room: the partition, from 1; the server shows a song for each.
    func tell(_ report: Report, of room: Int) async throws {
        switch report {
        case .playing(let id): try await client.nowPlaying(id: id, room: room)
        case .moved(let id, let place, let isPaused):
            guard try await client.has("playbackReport") else { return }
            let milliseconds = Int64((place / .milliseconds(1)).clamped(to: 0...1e12))
            try await client.reportPlayback(
                of: id, state: isPaused ? .paused : .playing, position: milliseconds, room: room)
        case .stopped(let id):
            // Without such reports the server waits until the song would have ended.
            guard try await client.has("playbackReport") else { return }
            // The start is nothing that a server could count, even if it did not know that it is not to.
            try await client.reportPlayback(of: id, state: .stopped, position: 0, room: room)
        }
    }
}
