import Coordination
import MusicModel

/// Something about a play's sound, to be told when that is heard.
struct StreamNews {
    enum Item: Equatable {
        /// The tags of the piece that a stream plays.
        case tags([TagValue])
        /// The decoder's format.
        case format(AudioFormat)
        /// How loud it is.
        case replayGain(ReplayGain)
    }

    /// The moment on the engine's clock.
    var due: Nanoseconds
    var play: UInt64
    var item: Item

    /// True if it is a stream's text.
    var isTags: Bool { if case .tags = item { true } else { false } }
}

/// News of sound that isn't heard yet, in the order in which they came.
struct PendingNews {
    private var news: [StreamNews] = []

    mutating func add(_ added: StreamNews) { news.append(added) }

    /// Forgets texts: a newer one is told at once.
    mutating func discardTags() { news.removeAll(where: \.isTags) }

    mutating func discardAll() { news = [] }

    /// Takes out what is to be told of a play now; news of other plays that stand before it are discarded.
    ///
    /// - Parameter isEnded: whether its sound is all mixed, so that nothing is waited for.
    mutating func takeDue(of play: UInt64, at now: Nanoseconds, isEnded: Bool) -> [StreamNews.Item] {
        let count = news.prefix { $0.due <= now || isEnded || $0.play != play }.count
        defer { news.removeFirst(count) }
        return news.prefix(count).filter { $0.play == play }.map(\.item)
    }
}
