import Coordination
import LibraryIndex
import MPDProtocol
import MusicModel
import Playback
import ServerLoop

extension CommandContext {
    /// Checks a place in the queue before anything is looked up, so that its error comes first, as in MPD.
    ///
    /// - Throws: `AckError` 2 for a place beyond the queue, 55 for a relative one without a current song.
    @ServerActor
    func check(_ position: ArgumentPosition?) throws(AckError) {
        _ = try position?.insertion(in: player)
    }

    /// Sets memory aside for an edit of many entries; nil for small ones.
    ///
    /// - Throws: `MemoryShortage`.
    func roomForEdit(of entries: Int, _ work: String) async throws -> MemoryBudget.Reservation? {
        guard entries >= Player.manyEntries else { return nil }
        return try await server.memoryBudget.reserve(entries.multipliedClamped(by: 256), for: work)
    }

    /// Puts songs into the queue, at its end without a `position`.
    ///
    /// - Returns: the entries' ids; none where the songs are only collected.
    /// - Isolation: ServerActor; suspends where the queue is large. The place is looked up now, because the queue may
    ///   have changed while the songs were looked up.
    @ServerActor
    @discardableResult
    func insert(_ songs: consuming [QueueCandidate], at position: ArgumentPosition?) async throws -> [QueueEntryID] {
        guard songs.count >= Player.manyEntries else { return try await put(songs, at: position) }
        // However this ends, so many songs are not freed on the loop.
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
        let place = try position.map { QueuePosition.absolute(try $0.insertion(in: player)) }
        return try await player.edit(.entries(songs.count)) { try $0.insert(songs, at: place) }
    }
}
