package import MusicModel

extension SavedQueue {
    /// A queue's entries as they must be saved.
    /// - Isolation: any; reads every entry, so not for the event loop.
    package init(_ entries: QueueEntries, version: UInt32) {
        self.init(entries: entries.map(Entry.init), version: version)
    }
}

extension SavedQueue.Entry {
    init(_ entry: QueueEntry) {
        self.init(
            id: entry.id, item: entry.item, priority: entry.priority, range: entry.range, sheetTags: entry.sheetTags)
    }
}

extension QueueEntries {
    /// The changes that make these entries of the saved `earlier`. Chunks that both share are not read, so that a small
    /// edit of a long queue is found at once. Where entries only changed positions nothing but the order differs.
    /// - Isolation: any; puts the order of all entries together, so not for the event loop.
    package func changes(since earlier: QueueEntries, version: UInt32) -> SavedQueueChanges {
        let shared = storages.intersection(earlier.storages)
        // Slots, which are small: after a shuffle these are all entries.
        var former: [UInt32: QueueSlot] = [:]
        earlier.forEachSlot(without: shared) { former[$0.id] = $0 }
        var changed: [SavedQueue.Entry] = []
        forEachSlot(without: shared) { slot in
            let entry = { SavedQueue.Entry(self.entry(slot)) }
            if let old = former.removeValue(forKey: slot.id) {
                let isSame =
                    slot.songID.map { $0 == old.songID && slot.priority == old.priority }
                    ?? (entry() == SavedQueue.Entry(earlier.entry(old)))
                if isSame { return }
            }
            changed.append(entry())
        }
        var order: [QueueEntryID] = []
        order.reserveCapacity(count)
        forEach(in: 0..<count) { _, id, _, _ in order.append(id) }
        return SavedQueueChanges(
            changed: changed, gone: former.keys.map { QueueEntryID(rawValue: $0) }, order: order, version: version)
    }
}
