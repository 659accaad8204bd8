public import MusicModel

extension SavedQueue {
    /// A queue's entries as they must be saved.
    ///
    /// - Isolation: any; looks at every entry, so not for the event loop.
    public init(_ entries: QueueEntries, version: UInt32) {
        self.init(entries: entries.map(Entry.init), version: version)
    }
}

extension SavedQueue.Entry {
    init(_ entry: QueueEntry) {
        self.init(id: entry.id, item: entry.item, priority: entry.priority, range: entry.range)
    }
}

extension QueueEntries {
    /// What must be written so that the saved `earlier` becomes these entries.
    ///
    /// Chunks that both share hold the same and are not looked into, so that a small edit of a long queue is found at
    /// once. Where entries only changed places nothing but the order differs.
    /// - Isolation: any; puts the order of all entries together, so not for the event loop.
    public func changes(since earlier: QueueEntries, version: UInt32) -> SavedQueueChanges {
        let shared = storages.intersection(earlier.storages)
        var former: [QueueEntryID: SavedQueue.Entry] = [:]
        for entry in earlier.saved(without: shared) { former[entry.id] = entry }
        let changed = saved(without: shared).filter { former.removeValue(forKey: $0.id) != $0 }
        var order: [QueueEntryID] = []
        order.reserveCapacity(count)
        forEach(in: 0..<count) { _, id, _, _ in order.append(id) }
        return SavedQueueChanges(changed: changed, gone: Array(former.keys), order: order, version: version)
    }
}
