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

    /// Puts songs into the queue, at its end without a `position`.
    ///
    /// - Returns: the entries' ids.
    /// - Isolation: ServerActor; does not suspend. The place is looked up now, because the queue may have changed
    ///   while the songs were looked up.
    @ServerActor
    @discardableResult
    func insert(_ songs: [QueueCandidate], at position: ArgumentPosition?) throws -> [QueueEntryID] {
        guard !songs.isEmpty else { return [] }
        return try player.insert(songs, at: try position.map { .absolute(try $0.insertion(in: player)) })
    }
}
