import MusicModel

/// Hands out the ids of queue entries and finds the position of each.
///
/// A plain array indexed by id: an edit that shifts 100,000 entries then costs 100,000 stores and no hashing.
///
/// - Source: MPD v0.24.13 src/queue/IdTable.hxx, whose ids also start at 1 and wrap at four times the queue's size.
struct QueueIDTable: Sendable {
    /// Ids below this are all handed out before the first one is used again.
    static let smallestSpan = 65_536
    /// Larger ids than this are not taken over from a saved queue, since the array would have to be as long.
    static let largestAdopted: UInt32 = 16_000_000

    private var positions: [Int32] = [-1]
    private var next = 1
    private var used = 0

    /// The position of the entry with this id; nil when no entry has it.
    func position(of id: QueueEntryID) -> Int? {
        let index = Int(id.rawValue)
        guard index < positions.count, positions[index] >= 0 else { return nil }
        return Int(positions[index])
    }

    /// Takes the next free id for an entry at `position`.
    mutating func insert(at position: Int) -> QueueEntryID {
        let span = max(Self.smallestSpan, 4 * (used + 1))
        while true {
            let candidate = next
            next = candidate + 1 < span ? candidate + 1 : 1
            let id = QueueEntryID(rawValue: UInt32(candidate))
            guard self.position(of: id) == nil else { continue }
            store(id, position)
            return id
        }
    }

    /// Takes over an id from a saved queue; false when it is taken or no sensible id.
    mutating func adopt(_ id: QueueEntryID, at position: Int) -> Bool {
        guard id.rawValue > 0, id.rawValue <= Self.largestAdopted, self.position(of: id) == nil else { return false }
        store(id, position)
        next = max(next, Int(id.rawValue) + 1)
        return true
    }

    /// Notes that an entry is at another position.
    mutating func move(_ id: QueueEntryID, to position: Int) { positions[Int(id.rawValue)] = Int32(position) }

    /// Frees an id.
    mutating func remove(_ id: QueueEntryID) {
        positions[Int(id.rawValue)] = -1
        used -= 1
    }

    private mutating func store(_ id: QueueEntryID, _ position: Int) {
        let index = Int(id.rawValue)
        if index >= positions.count {
            positions.append(contentsOf: repeatElement(-1, count: index + 1 - positions.count))
        }
        positions[index] = Int32(position)
        used += 1
    }
}
