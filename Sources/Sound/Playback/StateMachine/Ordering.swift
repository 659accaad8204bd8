import MusicModel

struct Ordering: Sendable {
    var order = PlayOrder()
    /// The entry that a new random order will start with, once the present one is played through.
    var firstOfNext: QueueEntryID?
    var generator: OrderGenerator
    /// True if the random order of a huge queue is still the former one, and a new one is to be made off the loop.
    var isOutdated = false
    /// This is a copy off the event loop, where work may take long.
    private(set) var isBesideLoop = false

    init(seed: UInt64?) { generator = OrderGenerator(seed: seed) }

    var besideLoop: Ordering {
        var copy = self
        copy.isBesideLoop = true
        return copy
    }

    mutating func adopt(_ edited: Ordering) {
        let isBesideLoop = isBesideLoop
        self = edited
        self.isBesideLoop = isBesideLoop
    }
}
