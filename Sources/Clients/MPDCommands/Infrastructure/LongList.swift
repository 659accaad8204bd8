import Coordination
package import Playback
package import ServerLoop

/// Work on lists that may be too long for the event loop.
enum LongList {
    /// From this length on lists are processed off the loop: a million elements take 10 to 50 ms.
    private static let length = 1_000

    /// Transforms a list: at once, or off the event loop, where a long list is also freed if it is handed over with
    /// `consume`.
    @ServerActor
    static func handle<Element: Sendable, Result: Sendable>(
        _ list: consuming [Element], _ work: @Sendable ([Element]) -> Result
    ) async -> Result {
        if list.count < length { return work(list) }
        return await handleBeside(list, work)
    }

    /// Joins lists: at once, or off the event loop, where they are also freed.
    @ServerActor
    static func join<Element: Sendable>(_ lists: consuming [[Element]]) async -> [Element] {
        if lists.count == 1 { return lists.removeLast() }
        if lists.reduce(0, { $0 + $1.count }) < length { return Array(lists.joined()) }
        return await handleBeside(lists) { Array($0.joined()) }
    }

    /// Works beside the event loop.
    @concurrent
    static func beside<Result: Sendable>(_ work: @Sendable () -> Result) async -> Result { work() }

    @concurrent
    private static func handleBeside<Element: Sendable, Result: Sendable>(
        _ list: consuming [Element], _ work: @Sendable ([Element]) -> Result
    ) async -> Result {
        work(list)
    }
}

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
