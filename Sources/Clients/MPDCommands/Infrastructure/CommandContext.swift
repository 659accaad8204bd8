import Coordination
import LibraryIndex
import MPDProtocol
import MusicModel
import Playback
import ServerLoop

/// The surroundings of one run of a command.
package struct CommandContext: Sendable {
    /// The state that all clients share.
    package let server: ServerContext
    /// The client that sent it.
    package let client: ClientState
    /// The place in a command list, 0 outside of one.
    package let index: Int
    /// Takes the songs that commands add, in place of the queue; nil lets them into the queue.
    package let collector: SongCollector?

    /// Pairs the server with a client.
    package init(server: ServerContext, client: ClientState, index: Int = 0, collector: SongCollector? = nil) {
        self.server = server
        self.client = client
        self.index = index
        self.collector = collector
    }

    @ServerActor var player: Player { client.partition.player }
}

extension CommandContext {
    /// Checks a place in the queue before anything is looked up, so that its error comes first, as in MPD.
    @ServerActor
    func check(_ position: ArgumentPosition?) throws(AckError) { _ = try position?.insertion(in: player) }

    /// Sets memory aside for an edit of many entries; nil for small ones.
    func roomForEdit(of entries: Int, _ work: String) async throws -> MemoryBudget.Reservation? {
        guard entries >= Player.manyEntries else { return nil }
        return try await server.memoryBudget.reserve(entries.multipliedClamped(by: 256), for: work)
    }

    /// Puts songs into the queue, at its end without a `position`, and returns their ids; none where they are
    /// collected. The place is looked up now, because the queue may have changed while the songs were looked up.
    @ServerActor
    @discardableResult
    func insert(_ songs: consuming [QueueCandidate], at position: ArgumentPosition?) async throws -> [QueueEntryID] {
        guard songs.count >= Player.manyEntries else { return try await put(songs, at: position) }
        // Whatever the outcome, a large list isn't freed on the loop.
        let held = ReleasedOffLoop(consume songs)
        defer { withExtendedLifetime(held) {} }
        return try await put(held.value, at: position)
    }

    @ServerActor
    private func put(_ songs: [QueueCandidate], at position: ArgumentPosition?) async throws -> [QueueEntryID] {
        guard !songs.isEmpty else { return [] }
        // The last point at which to cancel: the client may be gone.
        try Task.checkCancellation()
        if let collector {
            try collector.add(songs)
            let room = try await roomForEdit(of: collector.unreserved, "an addition to the queue")
            if let room { collector.keep(room) }
            return []
        }
        let room = try await roomForEdit(of: songs.count, "an addition to the queue")
        defer { room?.release() }
        let target = try position.map { QueuePosition.absolute(try $0.insertion(in: player)) }
        return try await player.edit(.entries(songs.count)) { try $0.insert(songs, at: target) }
    }
}

extension CommandContext {
    /// A stream on its way into the queue; for an audio CD its tracks, or the one that is named.
    @ServerActor
    func candidates(stream url: String) async throws -> [QueueCandidate] {
        guard let disc = DiscAddress(url), let device = disc.device else {
            return [QueueCandidate(.stream(url: url, tags: []))]
        }
        guard let reader = server.parts.discs else { throw AckError(.noExist, "Audio CDs can't be played here") }
        let tracks = try await reader.tracks(device: device).filter { disc.track == nil || $0.uri == url }
        guard !tracks.isEmpty else { throw AckError(.noExist, "No such track on the disc") }
        return tracks.map { QueueCandidate(.stream(url: $0.uri, tags: $0.tags), duration: $0.duration) }
    }
}

extension CommandContext {
    /// The song in a file outside of the library that a client of this machine names, or the error `missing`.
    @ServerActor
    func outsideSong(_ path: String, orElse missing: String = "No such song") async throws -> Song {
        try await telling(missing) { try await outsideSongs().song(file: path, for: client.localUser) }
    }

    /// The picture in such a file; nil where it has none.
    @ServerActor
    func outsidePicture(_ path: String) async throws -> (bytes: [UInt8], mimeType: String?)? {
        try await telling("Failed to load file") {
            try await outsideSongs().picture(file: path, for: client.localUser)
        }
    }

    /// Checks whether a client of this machine may read a file or a folder; throws `missing` where there is none.
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
    @ServerActor
    func outsideCandidate(_ path: String) async throws -> QueueCandidate {
        let song = try await outsideSong(path)
        return QueueCandidate(.stream(url: path, tags: song.tags), duration: song.duration, replayGain: song.replayGain)
    }
}

extension ClientState {
    /// The user of a client on the Unix socket; nil where the system doesn't tell.
    var localUser: UInt32? { if case .localUser(let user) = peer { user } else { nil } }
}
