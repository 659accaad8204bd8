/// The slots of a queue in order, in chunks of a few hundred. An edit moves memory within one or two chunks; everything
/// behind it is recounted and stamped chunk by chunk. So edits cost about the same at 100 and at 100,000 entries. A
/// snapshot shares all chunks with the queue; an edit then copies those that it touches.
struct QueueChunks: Sendable {
    struct Chunk: Sendable {
        /// The chunk's number, which stays when its index changes; ids are looked up by it.
        let key: Int32
        /// The version at which the whole chunk was changed last; counts for each slot with an older one.
        var stamp: UInt32 = 0
        var newest: UInt32 = 0
        var slots: [QueueSlot] = []

        /// Notes a slot's version; 0 counts as changed for everybody, so such a chunk may never be skipped.
        mutating func note(_ version: UInt32) { newest = max(newest, version == 0 ? .max : version) }
        func version(_ offset: Int) -> UInt32 { max(stamp, slots[offset].version) }
    }

    static let capacity = 1 << placeBits
    private static let placeBits: UInt32 = 9
    private static let filling = 384

    private(set) var chunks: [Chunk] = []
    private(set) var starts: [Int] = []
    private(set) var count = 0

    func locate(_ position: Int) -> (chunk: Int, offset: Int) {
        var low = 0
        var high = starts.count
        while high - low > 1 {
            let middle = (low + high) / 2
            if starts[middle] <= position { low = middle } else { high = middle }
        }
        return starts.isEmpty ? (0, position) : (low, position - starts[low])
    }

    subscript(position: Int) -> QueueSlot {
        let place = locate(position)
        return chunks[place.chunk].slots[place.offset]
    }

    func changes(since seen: UInt32, in window: Range<Int>, version: UInt32) -> [Int] {
        guard seen <= version else { return Array(window) }
        var result: [Int] = []
        forEachChunk(in: window) { index, offsets, position in
            let chunk = chunks[index]
            if chunk.stamp >= seen {
                result.append(contentsOf: position..<position + offsets.count)
            } else if chunk.newest >= seen {
                for offset in offsets {
                    let version = chunk.version(offset)
                    if version >= seen || version == 0 { result.append(position + offset - offsets.lowerBound) }
                }
            }
        }
        return result
    }

    /// Calls `body` with each chunk that holds positions of `range`: the offsets in it and the first one's position.
    func forEachChunk(in range: Range<Int>, _ body: (Int, Range<Int>, Int) -> Void) {
        guard !range.isEmpty else { return }
        var (index, offset) = locate(range.lowerBound)
        var position = range.lowerBound
        while position < range.upperBound {
            let end = min(chunks[index].slots.count, offset + range.upperBound - position)
            body(index, offset..<end, position)
            position += end - offset
            offset = 0
            index += 1
        }
    }

    mutating func update(_ position: Int, version: UInt32, _ change: (inout QueueSlot) -> Void) {
        let place = locate(position)
        change(&chunks[place.chunk].slots[place.offset])
        chunks[place.chunk].slots[place.offset].version = version
        chunks[place.chunk].newest = max(chunks[place.chunk].newest, version)
    }

    /// Sets the priority of a range; those that had another one belong to `version` then.
    /// - Returns: how many had another one, and how many of those had any.
    mutating func setPriority(_ priority: Int, at range: Range<Int>, version: UInt32) -> (changed: Int, former: Int) {
        var parts: [(chunk: Int, offsets: Range<Int>)] = []
        forEachChunk(in: range) { chunk, offsets, _ in parts.append((chunk, offsets)) }
        var result = (changed: 0, former: 0)
        for (chunk, offsets) in parts {
            let before = result.changed
            chunks[chunk].slots.withUnsafeMutableBufferPointer { slots in
                for offset in offsets where slots[offset].priority != priority {
                    result.changed += 1
                    if slots[offset].priority != 0 { result.former += 1 }
                    slots[offset].priority = priority
                    slots[offset].version = version
                }
            }
            if result.changed > before { chunks[chunk].newest = max(chunks[chunk].newest, version) }
        }
        return result
    }

    mutating func stamp(_ range: Range<Int>, version: UInt32) {
        var parts: [(chunk: Int, offsets: Range<Int>)] = []
        forEachChunk(in: range) { chunk, offsets, _ in parts.append((chunk, offsets)) }
        for (chunk, offsets) in parts {
            if offsets.count == chunks[chunk].slots.count {
                chunks[chunk].stamp = version
            } else {
                for offset in offsets { chunks[chunk].slots[offset].version = version }
            }
            chunks[chunk].newest = max(chunks[chunk].newest, version)
        }
    }

    mutating func forgetVersions() {
        for index in chunks.indices {
            chunks[index].stamp = 0
            for offset in chunks[index].slots.indices { chunks[index].slots[offset].version = 0 }
            chunks[index].note(0)
        }
    }

    /// Inserts slots, of which none is older than those around them, and notes where they are in `ids`.
    mutating func insert(_ slots: [QueueSlot], at position: Int, ids: inout QueueIDTable) {
        guard !slots.isEmpty else { return }
        let (place, offset) = locate(position)
        if place < chunks.count, chunks[place].slots.count + slots.count <= Self.capacity {
            fill(place, at: offset, with: slots, ids: &ids)
            return recount(from: place)
        }
        var added: [Chunk] = []
        var start = 0
        var index = place
        if offset > 0 {
            // The entries behind the index in its chunk follow the new slots in a chunk of their own.
            let tail = split(place, at: offset, ids: &ids)
            if chunks[place].slots.count + slots.count <= Self.capacity {
                fill(place, at: offset, with: slots, ids: &ids)
                start = slots.count
            }
            added = tail.map { [$0] } ?? []
            index += 1
        }
        var new: [Chunk] = []
        while start < slots.count {
            let end = min(slots.count, start + Self.filling)
            new.append(chunk(of: slots[start..<end], stamp: 0, ids: &ids))
            start = end
        }
        chunks.insert(contentsOf: new + added, at: index)
        recount(from: place, ids: &ids)
    }

    /// Takes slots out and returns them; their ids stay in `ids`, which the caller moves or removes.
    mutating func remove(_ range: Range<Int>, ids: inout QueueIDTable) -> [QueueSlot] {
        var parts: [(chunk: Int, offsets: Range<Int>)] = []
        forEachChunk(in: range) { chunk, offsets, _ in parts.append((chunk, offsets)) }
        guard let first = parts.first?.chunk else { return [] }
        var removed: [QueueSlot] = []
        removed.reserveCapacity(range.count)
        for (chunk, offsets) in parts {
            removed.append(contentsOf: chunks[chunk].slots[offsets])
            chunks[chunk].slots.removeSubrange(offsets)
        }
        tidy(around: first, parts.count, ids: &ids)
        return removed
    }

    struct Place {
        let id: UInt32
        /// The number of the chunk and, in the lowest bits, the index in it.
        fileprivate let number: UInt32
    }

    /// Where the slots of a range are, in order. Reading all of them in turn also brings them near from where another
    /// thread may just have written them, so that `reorder` need not wait for each.
    func places(in range: Range<Int>) -> [Place] {
        [Place](unsafeUninitializedCapacity: range.count) { places, count in
            forEachChunk(in: range) { chunk, offsets, _ in
                let slots = chunks[chunk].slots
                let first = UInt32(chunk) << Self.placeBits
                for offset in offsets {
                    let place = Place(id: slots[offset].id, number: first + UInt32(offset))
                    places.initializeElement(at: count, to: place)
                    count += 1
                }
            }
        }
    }

    /// Brings the slots of a range into another order.
    /// - Parameter places: those of the range, each once, in the order in which their slots are to stand.
    mutating func reorder(_ range: Range<Int>, by places: [Place], ids: inout QueueIDTable) {
        var parts: [(chunk: Int, offsets: Range<Int>, slots: [QueueSlot])] = []
        var start = 0
        forEachChunk(in: range) { chunk, offsets, _ in
            let part = places[start..<start + offsets.count]
            start += offsets.count
            parts.append((chunk, offsets, slots(at: part)))
            ids.move(part, to: Int(chunks[chunk].key))
        }
        for (chunk, offsets, slots) in parts {
            if offsets.count == chunks[chunk].slots.count {
                chunks[chunk].slots = slots
            } else {
                chunks[chunk].slots.replaceSubrange(offsets, with: slots)
            }
        }
    }

    private func slots(at places: ArraySlice<Place>) -> [QueueSlot] {
        [QueueSlot](unsafeUninitializedCapacity: places.count) { slots, count in
            for place in places {
                let chunk = Int(place.number >> Self.placeBits)
                let offset = Int(place.number) & (Self.capacity - 1)
                slots.initializeElement(at: count, to: chunks[chunk].slots[offset])
                count += 1
            }
        }
    }

    mutating func swap(_ first: Int, _ second: Int, version: UInt32, ids: inout QueueIDTable) {
        let places = (locate(first), locate(second))
        let slots = (chunks[places.0.chunk].slots[places.0.offset], chunks[places.1.chunk].slots[places.1.offset])
        for (place, slot) in [(places.0, slots.1), (places.1, slots.0)] {
            chunks[place.chunk].slots[place.offset] = slot
            chunks[place.chunk].slots[place.offset].version = version
            chunks[place.chunk].newest = max(chunks[place.chunk].newest, version)
            ids.move(slot.id, to: Int(chunks[place.chunk].key))
        }
    }

    private mutating func fill(_ index: Int, at offset: Int, with slots: [QueueSlot], ids: inout QueueIDTable) {
        ids.move(slots[...], to: Int(chunks[index].key))
        for slot in slots { chunks[index].note(slot.version) }
        chunks[index].slots.insert(contentsOf: slots, at: offset)
    }

    private func chunk(of slots: ArraySlice<QueueSlot>, stamp: UInt32, ids: inout QueueIDTable) -> Chunk {
        var chunk = Chunk(key: Int32(ids.makeChunk()), stamp: stamp)
        chunk.slots.reserveCapacity(min(Self.capacity, slots.count + 32))
        chunk.slots.append(contentsOf: slots)
        ids.move(slots, to: Int(chunk.key))
        for slot in slots { chunk.note(slot.version) }
        return chunk
    }

    private mutating func split(_ index: Int, at offset: Int, ids: inout QueueIDTable) -> Chunk? {
        guard offset < chunks[index].slots.count else { return nil }
        var tail = chunk(of: chunks[index].slots[offset...], stamp: chunks[index].stamp, ids: &ids)
        tail.newest = chunks[index].newest
        chunks[index].slots.removeSubrange(offset...)
        return tail
    }

    /// Removes empty chunks and joins small neighbours, so that many small edits leave no crumbs.
    private mutating func tidy(around first: Int, _ parts: Int, ids: inout QueueIDTable) {
        let touched = max(0, first - 1)..<min(chunks.count, first + parts + 1)
        var kept: [Chunk] = []
        for var chunk in chunks[touched] {
            if chunk.slots.isEmpty {
                ids.freeChunk(Int(chunk.key))
            } else if let last = kept.indices.last,
                kept[last].slots.count + chunk.slots.count <= Self.capacity / 2
            {
                join(&kept[last], &chunk, ids: &ids)
            } else {
                kept.append(chunk)
            }
        }
        let isSame = kept.count == touched.count
        chunks.replaceSubrange(touched, with: kept)
        if isSame { recount(from: touched.lowerBound) } else { recount(from: touched.lowerBound, ids: &ids) }
    }

    private func join(_ chunk: inout Chunk, _ other: inout Chunk, ids: inout QueueIDTable) {
        // One stamp can't stand for both, so each slot takes its own.
        for offset in chunk.slots.indices { chunk.slots[offset].version = chunk.version(offset) }
        chunk.stamp = 0
        for (offset, slot) in other.slots.enumerated() {
            var slot = slot
            slot.version = other.version(offset)
            chunk.slots.append(slot)
            ids.move(slot.id, to: Int(chunk.key))
        }
        chunk.newest = max(chunk.newest, other.newest)
        ids.freeChunk(Int(other.key))
    }

    /// Recounts positions from a chunk on, whose list is the same as before.
    private mutating func recount(from first: Int) {
        var position = first == 0 ? 0 : starts[first - 1] + chunks[first - 1].slots.count
        for index in first..<chunks.count {
            starts[index] = position
            position += chunks[index].slots.count
        }
        count = position
    }

    /// Recounts positions from a chunk on, and tells `ids` where the chunks are.
    private mutating func recount(from first: Int, ids: inout QueueIDTable) {
        starts.removeSubrange(min(first, starts.count)...)
        starts.append(contentsOf: repeatElement(0, count: chunks.count - first))
        for index in first..<chunks.count { ids.place(Int(chunks[index].key), at: index) }
        recount(from: first)
    }
}
