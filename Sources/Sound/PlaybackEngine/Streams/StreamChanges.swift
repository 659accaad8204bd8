import Coordination
import MusicModel

/// Something about a play's sound, to be told when that is heard.
struct StreamChange {
    enum Item: Equatable {
        case tags([TagValue])
        case format(AudioFormat)
        case replayGain(ReplayGain)
    }

    var due: Nanoseconds
    var play: UInt64
    var item: Item

    var isTags: Bool { if case .tags = item { true } else { false } }
}

/// News of sound that isn't heard yet, in the order in which they came.
struct StreamChanges {
    private var changes: [StreamChange] = []

    mutating func add(_ added: StreamChange) { changes.append(added) }
    /// Forgets texts: a newer one is told at once.
    mutating func discardTags() { changes.removeAll(where: \.isTags) }
    mutating func discardAll() { changes = [] }

    /// Takes out what is to be told of a play now; changes of other plays that stand before it are discarded.
    mutating func takeDue(of play: UInt64, at now: Nanoseconds, isEnded: Bool) -> [StreamChange.Item] {
        let count = changes.prefix { $0.due <= now || isEnded || $0.play != play }.count
        defer { changes.removeFirst(count) }
        return changes.prefix(count).filter { $0.play == play }.map(\.item)
    }
}
