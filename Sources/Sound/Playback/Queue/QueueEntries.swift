package import MusicModel

/// A queue's entries in order, as they were. Taking them is O(1): storage is shared until an edit; reading is O(log n).
package struct QueueEntries: RandomAccessCollection, Sendable {
    private let chunks: QueueChunks
    private let others: [UInt32: QueueCandidate]

    init(_ chunks: QueueChunks, _ others: [UInt32: QueueCandidate]) { (self.chunks, self.others) = (chunks, others) }
    /// The first position.
    package var startIndex: Int { 0 }
    /// The position behind the last entry.
    package var endIndex: Int { chunks.count }

    /// The entry at a position.
    package subscript(position: Int) -> QueueEntry {
        let place = chunks.locate(position)
        let chunk = chunks.chunks[place.chunk]
        return entry(chunk.slots[place.offset], version: chunk.version(place.offset))
    }

    /// The position must be below `count`.
    package func id(at position: Int) -> QueueEntryID { QueueEntryID(rawValue: chunks[position].id) }

    /// Calls `body` with position, id, item and priority of each entry of `range`.
    package func forEach(
        in range: Range<Int>, _ body: (_ position: Int, _ id: QueueEntryID, _ item: QueueItem, _ priority: Int) -> Void
    ) {
        chunks.forEachChunk(in: range) { index, offsets, first in
            let slots = chunks.chunks[index].slots
            for offset in offsets {
                let slot = slots[offset]
                body(
                    first + offset - offsets.lowerBound, QueueEntryID(rawValue: slot.id), item(of: slot), slot.priority)
            }
        }
    }

    /// Calls `body` with the id of each of these positions, which ascend.
    package func forEachID(at positions: ArraySlice<Int>, _ body: (_ position: Int, _ id: QueueEntryID) -> Void) {
        guard let first = positions.first else { return }
        var (chunk, _) = chunks.locate(first)
        for position in positions {
            while position >= chunks.starts[chunk] + chunks.chunks[chunk].slots.count { chunk += 1 }
            let slot = chunks.chunks[chunk].slots[position - chunks.starts[chunk]]
            body(position, QueueEntryID(rawValue: slot.id))
        }
    }

    /// The part of its song that the entry with an id plays; nil is all of it, which nearly every entry plays.
    package func range(of id: QueueEntryID) -> SongRange? { others.isEmpty ? nil : others[id.rawValue]?.range }

    /// The tags that a cue sheet has for the song of the entry with an id, which next to no entry has.
    package func sheetTags(of id: QueueEntryID) -> [TagValue] {
        others.isEmpty ? [] : others[id.rawValue]?.sheetTags ?? []
    }

    /// True if an entry has tags of a cue sheet.
    package var hasSheetTags: Bool { others.values.contains { !$0.sheetTags.isEmpty } }

    func changes(since seen: UInt32, in window: Range<Int>, version: UInt32) -> [Int] {
        chunks.changes(since: seen, in: window, version: version)
    }

    /// Where the chunks lie in memory. Snapshots that are both held share a chunk's memory only while it is the same.
    var storages: Set<UnsafeRawPointer> { Set(chunks.chunks.compactMap { $0.slots.withUnsafeBytes(\.baseAddress) }) }

    func forEachSlot(without storages: Set<UnsafeRawPointer>, _ body: (QueueSlot) -> Void) {
        for chunk in chunks.chunks {
            if let storage = chunk.slots.withUnsafeBytes(\.baseAddress), storages.contains(storage) { continue }
            chunk.slots.forEach(body)
        }
    }

    private func item(of slot: QueueSlot) -> QueueItem {
        if let song = slot.songID { return .song(song) }
        return others[slot.id]?.item ?? .stream(url: "", tags: [])
    }

    /// The entry that a slot stands for; its version is the slot's own where none is given.
    func entry(_ slot: QueueSlot, version: UInt32? = nil) -> QueueEntry {
        let id = QueueEntryID(rawValue: slot.id)
        let version = version ?? slot.version
        if let song = slot.songID {
            return QueueEntry(
                id: id, item: .song(song), priority: slot.priority, version: version, duration: slot.knownDuration,
                replayGain: slot.replayGain)
        }
        let other = others[slot.id] ?? QueueCandidate(.stream(url: "", tags: []))
        return QueueEntry(
            id: id, item: other.item, priority: slot.priority, version: version, range: other.range,
            duration: other.duration, replayGain: other.replayGain, sheetTags: other.sheetTags)
    }
}

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
