import Coordination
package import Playback
package import ServerLoop

/// Gathers the songs of several commands that add to a queue, so that they can be one edit.
@ServerActor
package final class SongCollector {
    /// The songs of each addition: to put a million behind each other takes 50 ms.
    private var additions: [[QueueCandidate]] = []
    /// How many songs were added in all.
    package private(set) var count = 0
    private let limit: Int
    /// The memory that is set aside for them, until they are an edit.
    private var rooms: [MemoryBudget.Reservation] = []
    private(set) var unreserved = 0

    /// Gathers at most `limit` songs.
    package init(limit: Int) { self.limit = limit }

    deinit { ServerActor.releaseOffLoop(Self.moved(&additions)) }

    func add(_ more: [QueueCandidate]) throws(PlayerError) {
        guard more.count <= limit - count else { throw PlayerError(.queueFull) }
        unreserved += more.count
        count += more.count
        additions.append(more)
    }

    func keep(_ room: MemoryBudget.Reservation) {
        rooms.append(room)
        unreserved = 0
    }

    /// Hands all songs over, in their order.
    package func takeSongs() async -> [QueueCandidate] {
        let additions = Self.moved(&additions)
        return await LongList.join(consume additions)
    }

    private nonisolated static func moved(_ additions: inout [[QueueCandidate]]) -> [[QueueCandidate]] {
        var moved: [[QueueCandidate]] = []
        swap(&moved, &additions)
        return moved
    }
}
