import MusicModel

/// Hands out the ids of queue entries and knows in which chunk of the queue each of them is. Plain arrays indexed by id
/// and by chunk: an entry is found without hashing, and an edit of a chunk's neighbours touches no entry.
/// - Source: MPD v0.24.13 src/queue/IdTable.hxx, whose ids also start at 1 and wrap at four times the queue's size.
struct QueueIDTable: Sendable {
    /// Ids below this are all handed out before the first one is used again.
    static let minSpan = 65_536
    /// Larger ids than this are not taken over from a saved queue, since the array would have to be as long.
    static let maxAdopted: UInt32 = 16_000_000

    /// The number of each id's chunk; -1 where no entry has the id.
    private var chunks: [Int32] = [-1]
    /// The index of each chunk by its number.
    private var places: [Int32] = []
    private var freeChunks: [Int] = []
    private var next = 1
    private var used = 0

    func chunk(of id: QueueEntryID) -> Int? {
        let index = Int(id.rawValue)
        guard index < chunks.count, chunks[index] >= 0 else { return nil }
        return Int(places[Int(chunks[index])])
    }

    func contains(_ id: QueueEntryID) -> Bool {
        let index = Int(id.rawValue)
        return index < chunks.count && chunks[index] >= 0
    }

    /// Takes the next free id for an entry, whose chunk is noted afterwards.
    mutating func insert() -> QueueEntryID {
        let span = max(Self.minSpan, 4 * (used + 1))
        while true {
            let candidate = next
            next = candidate + 1 < span ? candidate + 1 : 1
            let id = QueueEntryID(rawValue: UInt32(candidate))
            guard !contains(id) else { continue }
            store(id)
            return id
        }
    }

    /// Makes room for the ids of more entries, and for those that edits of them will use up.
    mutating func makeRoom(for count: Int) { chunks.reserveCapacity(4 * (used + count) + 1) }

    /// Takes over an id from a saved queue; false when it is taken or no sensible id.
    mutating func adopt(_ id: QueueEntryID) -> Bool {
        guard id.rawValue > 0, id.rawValue <= Self.maxAdopted, !contains(id) else { return false }
        store(id)
        next = max(next, Int(id.rawValue) + 1)
        return true
    }

    mutating func move(_ id: UInt32, to chunk: Int) { chunks[Int(id)] = Int32(chunk) }

    mutating func move(_ slots: ArraySlice<QueueSlot>, to chunk: Int) {
        var chunks = chunks.mutableSpan
        for slot in slots { chunks[Int(slot.id)] = Int32(chunk) }
    }

    mutating func move(_ places: ArraySlice<QueueChunks.Place>, to chunk: Int) {
        var chunks = chunks.mutableSpan
        for place in places { chunks[Int(place.id)] = Int32(chunk) }
    }

    mutating func remove(_ id: UInt32) {
        chunks[Int(id)] = -1
        used -= 1
    }

    private mutating func store(_ id: QueueEntryID) {
        let index = Int(id.rawValue)
        if index >= chunks.count { chunks.append(contentsOf: repeatElement(-1, count: index + 1 - chunks.count)) }
        chunks[index] = 0
        used += 1
    }

    mutating func makeChunk() -> Int {
        if let free = freeChunks.popLast() { return free }
        places.append(0)
        return places.count - 1
    }

    mutating func freeChunk(_ number: Int) { freeChunks.append(number) }
    mutating func place(_ number: Int, at place: Int) { places[number] = Int32(place) }
}
