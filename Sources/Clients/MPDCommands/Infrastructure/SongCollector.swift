package import Playback
package import ServerLoop

/// Gathers the songs of several commands that add to a queue, so that they can take the place of all that is in it as
/// one edit.
///
/// - Isolation: ServerActor.
@ServerActor
package final class SongCollector {
    /// The songs in their order.
    package private(set) var songs: [QueueCandidate] = []
    private let limit: Int

    /// Gathers at most `limit` songs.
    package init(limit: Int) { self.limit = limit }

    /// Adds songs behind the others.
    ///
    /// - Throws: `PlayerError` where they are more than the limit.
    func add(_ more: consuming [QueueCandidate]) throws(PlayerError) {
        guard more.count <= limit - songs.count else { throw PlayerError(.queueFull) }
        songs += more
    }
}
