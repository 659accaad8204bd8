import Discovery
import MusicModel
import Synchronization
import UserLibrary

/// The newest actions in a partition that the listener may take back, by `undo` or by taking a wish back.
struct ActionHistory {
    enum Action {
        case added([QueueEntryID])
        case skipped(SavedPick, before: SavedDJ)
        case changed(before: SavedDJ)
        case wished(before: SavedDJ, PickWish?)
        case liked(SongID, EarlierSticker)
    }

    /// A sticker's value before the auto-DJ wrote it, once that is done.
    final class EarlierSticker: Sendable {
        private let value = Mutex<String?>(nil)

        func keep(_ text: String?) { value.withLock { $0 = text } }
        var text: String? { value.withLock { $0 } }
    }

    private static let maxActions = 20

    private var actions: [Action] = []

    mutating func note(_ action: Action) {
        actions.append(action)
        if actions.count > Self.maxActions { actions.removeFirst() }
    }

    mutating func takeLast() -> Action? { actions.popLast() }

    /// Takes out all since the last wish: how it was before that, and what was added; nil without a wish.
    mutating func takeLastWish() -> (before: SavedDJ, wish: PickWish?, added: [QueueEntryID])? {
        for (index, action) in actions.enumerated().reversed() {
            guard case .wished(let before, let wish) = action else { continue }
            var added: [QueueEntryID] = []
            for case .added(let entries) in actions[index...] { added += entries }
            actions.removeSubrange(index...)
            return (before, wish, added)
        }
        return nil
    }
}
