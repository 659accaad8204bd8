import MPDProtocol
import MusicModel
import Playback
import ServerLoop

extension CommandContext {
    /// The song in a file outside of the library that a client of this machine names.
    ///
    /// - Throws: `AckError` 50 where there is no file, or no sound in it, 4 where the client's user may not read it.
    @ServerActor
    func outsideSong(_ path: String) async throws -> Song {
        guard let reader = server.parts.outsideSongs else { throw AckError(.noExist, "No such file") }
        return try await reader.song(file: path, for: client.localUser)
    }

    /// The same on its way into the queue.
    ///
    /// - Throws: as `outsideSong`.
    @ServerActor
    func outsideCandidate(_ path: String) async throws -> QueueCandidate {
        let song = try await outsideSong(path)
        return QueueCandidate(
            .stream(url: path, tags: song.tags), duration: song.duration, replayGain: song.replayGain)
    }
}

extension ClientState {
    /// The user of a client on the Unix socket; nil where the system doesn't tell.
    var localUser: UInt32? {
        if case .localUser(let user) = peer { user } else { nil }
    }
}
