import Coordination
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
    /// The memory that is set aside for them, until they are an edit.
    private var rooms: [MemoryBudget.Reservation] = []
    /// How many of them have none yet.
    private(set) var unreserved = 0

    /// Gathers at most `limit` songs.
    package init(limit: Int) { self.limit = limit }

    /// Adds songs behind the others.
    ///
    /// - Throws: `PlayerError` where they are more than the limit.
    func add(_ more: consuming [QueueCandidate]) throws(PlayerError) {
        guard more.count <= limit - songs.count else { throw PlayerError(.queueFull) }
        unreserved += more.count
        songs += more
    }

    /// Keeps the memory that was set aside for all songs so far.
    func keep(_ room: MemoryBudget.Reservation) {
        rooms.append(room)
        unreserved = 0
    }
}
