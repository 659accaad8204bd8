import MPDProtocol
import MusicModel
import Playback
import ServerLoop

extension CommandContext {
    /// The song in a file outside of the library that a client of this machine names.
    ///
    /// - Parameter missing: what a client is told where there is no sound in it.
    /// - Throws: `AckError` 52 where there is no file, 50 for one without sound, 4 where the client's user may not read
    ///   it.
    @ServerActor
    func outsideSong(_ path: String, orElse missing: String = "No such song") async throws -> Song {
        try await telling(missing) { try await outsideSongs().song(file: path, for: client.localUser) }
    }

    /// The picture in such a file; nil where it has none.
    ///
    /// - Throws: as `outsideSong`.
    @ServerActor
    func outsidePicture(_ path: String) async throws -> (bytes: [UInt8], mimeType: String?)? {
        try await telling("Failed to load file") {
            try await outsideSongs().picture(file: path, for: client.localUser)
        }
    }

    /// Checks whether a client of this machine may read a file or a folder.
    ///
    /// - Throws: `missing` where there is none, `AckError` 4 where the client's user may not read it.
    @ServerActor
    func allowOutside(_ path: String, orElse missing: AckError) async throws {
        do {
            try await outsideSongs().allow(path: path, for: client.localUser)
        } catch let error as AckError where error.code == .system {
            throw missing
        }
    }

    @ServerActor
    private func outsideSongs() throws(AckError) -> any OutsideSongReading {
        guard let reader = server.parts.outsideSongs else { throw AckError(.noExist, "No such song") }
        return reader
    }

    @ServerActor
    private func telling<Value>(_ missing: String, _ body: () async throws -> Value) async throws -> Value {
        do { return try await body() } catch let error as AckError where error.code == .noExist {
            throw AckError(.noExist, missing)
        }
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
