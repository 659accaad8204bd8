import MusicModel
import Synchronization

/// The memory of all queues for what their entries carry beyond songs of the library: URLs, tags and parts of songs.
/// - Isolation: any; an edit of one queue that is made off the event loop is checked again before it takes effect.
package final class QueueRoom: Sendable {
    /// In bytes.
    package let limit: Int
    private let used = Atomic(0)

    /// Makes room for queues that are empty.
    package init(limit: Int = .max) { self.limit = limit }
    /// How many bytes a queue may take that takes `own` of them now.
    func share(of own: Int) -> Int { max(0, limit - (used.load(ordering: .relaxed) - own)) }
    func note(_ bytes: Int, insteadOf former: Int) { used.add(bytes - former, ordering: .relaxed) }
}

extension QueueCandidate {
    /// An entry's size without its texts, with its part of the hash table that is empty.
    private static let usualSize = 256
    /// A text's size besides its bytes.
    private static let textSize = 64

    var extraSize: Int {
        switch item {
        case .song: range == nil && sheetTags.isEmpty ? 0 : Self.usualSize + Self.size(of: sheetTags)
        case .stream(let url, let tags): Self.usualSize + url.utf8.count + Self.size(of: tags)
        }
    }

    private static func size(of tags: [TagValue]) -> Int { tags.reduce(0) { $0 + textSize + $1.value.utf8.count } }
}

extension Queue {
    func hasRoom(for songs: [QueueCandidate], inPlaceOf freed: Int = 0) -> Bool {
        var room = sizeLimit - (extraSize - freed)
        for song in songs {
            // Nearly all songs are of the library, and whole.
            if case .song = song.item, song.range == nil, song.sheetTags.isEmpty { continue }
            let size = song.extraSize
            guard size <= room else { return false }
            room -= size
        }
        return true
    }

    /// True if an entry may become another one: it may always become smaller.
    func hasRoom(for entry: QueueEntry, at position: Int) -> Bool {
        let (former, size) = (QueueCandidate(self[position]).extraSize, QueueCandidate(entry).extraSize)
        return size <= former || size <= sizeLimit - (extraSize - former)
    }
}
