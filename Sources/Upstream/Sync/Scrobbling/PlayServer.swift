import MusicModel
import Subsonic

struct PlayServer: Sendable {
    /// A report of what plays, which is shown there, and not counted.
    enum Report: Hashable, Sendable {
        case playing(id: String)
        case moved(id: String, place: Duration, isPaused: Bool)
        case stopped(id: String)
    }

    var submit: @Sendable (_ plays: [SubsonicPlay]) async throws -> Void
    /// When the server had a song played last, in Unix milliseconds; nil where it doesn't say.
    var lastPlay: @Sendable (_ songID: String) async throws -> Int64? = { _ in nil }
    /// The plays that the server counted in a time, in Unix seconds; empty where it doesn't list them.
    var plays: @Sendable (_ time: ClosedRange<Int64>) async throws -> [NavidromePlay] = { _ in [] }
    var noteWaiting: @Sendable (_ waits: Bool) -> Void = { _ in }
    /// Tells what plays in a room, the partition, from 1; the server shows a song for each.
    var tell: @Sendable (_ report: Report, _ room: Int) async throws -> Void = { _, _ in }

    private static let maxPlays = 1000

    init(_ client: SubsonicClient, _ session: NavidromeSession?) {
        if let session, session.canSignIn {
            plays = { try await session.plays($0, count: Self.maxPlays).items }
        }
        submit = { try await client.scrobble($0) }
        lastPlay = { try await client.song(id: $0)?.played.flatMap { TimeText.milliseconds($0) } }
        noteWaiting = { client.reachability.note("plays", waits: $0) }
        tell = { try await client.tell($0, of: $1) }
    }

    init(submit: @escaping @Sendable (_ plays: [SubsonicPlay]) async throws -> Void) { self.submit = submit }
}

extension SubsonicClient {
    fileprivate func tell(_ report: PlayServer.Report, of room: Int) async throws {
        if case .playing(let id) = report { return try await nowPlaying(id: id, room: room) }
        // Without such reports the server waits until the song would have ended.
        guard try await has("playbackReport") else { return }
        switch report {
        case .playing: break
        case .moved(let id, let place, let isPaused):
            let milliseconds = Int64((place / .milliseconds(1)).clamped(to: 0...1e12))
            try await reportPlayback(of: id, state: isPaused ? .paused : .playing, position: milliseconds, room: room)
        // The start is nothing that a server could count, even if it did not know that it is not to.
        case .stopped(let id): try await reportPlayback(of: id, state: .stopped, position: 0, room: room)
        }
    }
}

/// How plays that were reported to the server ended, for monitoring.
package struct PlayFigures: Sendable, Equatable {
    /// Plays that the server has counted, and that it refused for good.
    package var sent = 0, givenUp = 0
}
