import MusicModel

/// The entries in order, their ids, and which of them changed when.
///
/// Every edit stamps the entries that it touches with the version at which it began and then raises the version once:
/// a client that saw version V misses exactly the entries stamped V or later.
///
/// - Source: MPD v0.24.13 src/queue/Queue.cxx.
struct Queue: Sendable {
    /// How many entries a queue may have; MPD's default is 16,384.
    static let standardLimit = 1_000_000
    /// At this version counting starts again; every entry then counts as changed until it is edited.
    static let lastVersion: UInt32 = (1 << 31) - 1

    /// The entries in order.
    private(set) var entries: [QueueEntry] = []
    /// Moves with every edit.
    private(set) var version: UInt32
    /// How many entries are allowed.
    let limit: Int
    private var ids = QueueIDTable()

    /// Makes an empty queue.
    init(limit: Int = Queue.standardLimit, version: UInt32 = 1) {
        self.limit = limit
        self.version = version
    }

    /// How many entries there are.
    var count: Int { entries.count }

    /// The position of the entry with this id; O(1).
    func position(of id: QueueEntryID) -> Int? { ids.position(of: id) }

    /// The positions that changed after `version` was seen, ascending; all of them when it is not a version yet.
    func changes(since seen: UInt32) -> [Int] {
        guard seen <= version else { return Array(entries.indices) }
        return entries.indices.filter { entries[$0].version >= seen || entries[$0].version == 0 }
    }

    // Edits. Positions are checked by the caller.

    /// Inserts songs before `position` and returns their ids.
    mutating func insert(_ songs: [QueueCandidate], at position: Int) -> [QueueEntryID] {
        guard !songs.isEmpty else { return [] }
        let added = songs.enumerated().map { offset, song in
            QueueEntry(
                id: ids.insert(at: position + offset), item: song.item, priority: 0, version: version,
                duration: song.duration, replayGain: song.replayGain)
        }
        entries.insert(contentsOf: added, at: position)
        stamp(position + added.count..<entries.count)
        raiseVersion()
        return added.map(\.id)
    }

    /// Removes entries; everything behind the first of them counts as changed.
    mutating func remove(_ positions: RangeSet<Int>) {
        guard let first = positions.ranges.first?.lowerBound else { return }
        for range in positions.ranges { range.forEach { ids.remove(entries[$0].id) } }
        entries.removeSubranges(positions)
        stamp(first..<entries.count)
        raiseVersion()
    }

    /// Moves a block so that its first entry is at `target`.
    mutating func move(_ range: Range<Int>, to target: Int) {
        let block = Array(entries[range])
        entries.removeSubrange(range)
        entries.insert(contentsOf: block, at: target)
        stamp(min(range.lowerBound, target)..<max(range.upperBound, target + block.count))
        raiseVersion()
    }

    /// Swaps two entries.
    mutating func swap(_ first: Int, _ second: Int) {
        entries.swapAt(first, second)
        stamp(first..<first + 1)
        stamp(second..<second + 1)
        raiseVersion()
    }

    /// Puts a range into random order; `first`, where given, becomes the first entry of the range.
    mutating func shuffle(_ range: Range<Int>, keepingFirst first: Int?, using generator: inout OrderGenerator) {
        if let first { entries.swapAt(range.lowerBound, first) }
        entries[(first == nil ? range.lowerBound : range.lowerBound + 1)..<range.upperBound]
            .shuffle(using: &generator)
        stamp(range)
        raiseVersion()
    }

    /// Sets a priority and returns the entries' former ones by position; empty when nothing changed.
    mutating func setPriority(_ priority: Int, at range: Range<Int>) -> [Int: Int] {
        var former: [Int: Int] = [:]
        for position in range where entries[position].priority != priority {
            former[position] = entries[position].priority
            entries[position].priority = priority
            entries[position].version = version
        }
        if !former.isEmpty { raiseVersion() }
        return former
    }

    /// Replaces what a stream's entry plays.
    mutating func setItem(_ item: QueueItem, at position: Int) {
        entries[position].item = item
        entries[position].version = version
        raiseVersion()
    }

    /// Marks the entries of these songs as changed; false when there are none.
    mutating func touch(_ songs: Set<SongID>) -> Bool {
        var touched = false
        for position in entries.indices {
            guard let song = entries[position].songID, songs.contains(song) else { continue }
            entries[position].version = version
            touched = true
        }
        if touched { raiseVersion() }
        return touched
    }

    /// Takes over saved entries with their ids and the version; an id that can't be kept is replaced.
    ///
    /// Which entry changed when isn't saved, so all of them count as changed just before the saved version.
    mutating func restore(_ saved: [(entry: SavedQueue.Entry, song: QueueCandidate)], version savedVersion: UInt32) {
        self = Queue(limit: limit, version: min(max(savedVersion, 1), Self.lastVersion - 1))
        entries.reserveCapacity(saved.count)
        var renumbered: [Int] = []
        for (position, saved) in saved.prefix(limit).enumerated() {
            if !ids.adopt(saved.entry.id, at: position) { renumbered.append(position) }
            entries.append(
                QueueEntry(
                    id: saved.entry.id, item: saved.song.item, priority: min(max(saved.entry.priority, 0), 255),
                    version: version - 1, duration: saved.song.duration, replayGain: saved.song.replayGain))
        }
        for position in renumbered { entries[position].id = ids.insert(at: position) }
    }

    /// Marks every entry as changed.
    mutating func touchAll() {
        stamp(entries.indices)
        raiseVersion()
    }

    private mutating func stamp(_ range: Range<Int>) {
        for position in range {
            entries[position].version = version
            ids.move(entries[position].id, to: position)
        }
    }

    private mutating func raiseVersion() {
        version += 1
        guard version >= Self.lastVersion else { return }
        for position in entries.indices { entries[position].version = 0 }
        version = 1
    }
}
