import MusicModel

/// The entries in order, their ids, and which changed when. An edit stamps what it touches with the version at which it
/// began and then raises that: a client that saw version V misses exactly the entries stamped V or later.
/// - Source: MPD v0.24.13 src/queue/Queue.cxx.
struct Queue: Sendable {
    /// How many entries a queue may have; MPD's default is 16,384.
    static let standardLimit = 1_000_000
    /// At this version counting starts again; every entry then counts as changed until it is edited.
    static let lastVersion: UInt32 = (1 << 31) - 1

    private(set) var version: UInt32
    let limit: Int
    private var chunks = QueueChunks()
    private var ids = QueueIDTable()
    /// The items of entries that don't fit into a slot, by their ids: streams above all.
    private var others: [UInt32: QueueCandidate] = [:]
    /// About how many bytes entries take beyond what whole songs of the library do.
    private(set) var extraSize = 0
    var sizeLimit = Int.max
    private var prioritised = 0

    init(limit: Int = Queue.standardLimit, version: UInt32 = 1) { (self.limit, self.version) = (limit, version) }
    var entries: QueueEntries { QueueEntries(chunks, others) }
    var count: Int { chunks.count }
    subscript(position: Int) -> QueueEntry { entries[position] }
    func id(at position: Int) -> QueueEntryID { QueueEntryID(rawValue: chunks[position].id) }

    func position(of id: QueueEntryID) -> Int? {
        guard let chunk = ids.chunk(of: id) else { return nil }
        return chunks.chunks[chunk].slots.firstIndex { $0.id == id.rawValue }.map { chunks.starts[chunk] + $0 }
    }

    func priority(at position: Int) -> Int { prioritised == 0 ? 0 : chunks[position].priority }
    var hasPriorities: Bool { prioritised > 0 }
    var priorities: [UInt8]? { prioritised == 0 ? nil : chunks.chunks.flatMap { $0.slots.map { UInt8($0.priority) } } }
    func changes(since seen: UInt32) -> [Int] { chunks.changes(since: seen, in: 0..<count, version: version) }

    // Edits. Positions are checked by the caller.

    mutating func insert(_ songs: [QueueCandidate], at position: Int) -> [QueueEntryID] {
        guard !songs.isEmpty else { return [] }
        // The table would double within a single edit otherwise, which takes milliseconds.
        if songs.count >= Player.manyEntries { ids.makeRoom(for: songs.count) }
        var added: [QueueEntryID] = []
        added.reserveCapacity(songs.count)
        var slots: [QueueSlot] = []
        slots.reserveCapacity(songs.count)
        for song in songs {
            added.append(ids.insert())
            slots.append(slot(added[added.count - 1], song, priority: 0, version: version))
        }
        chunks.insert(slots, at: position, ids: &ids)
        stamp(position + added.count..<count)
        raiseVersion()
        return added
    }

    /// Removes entries; everything behind the first of them counts as changed.
    mutating func remove(_ positions: RangeSet<Int>) {
        guard let first = positions.ranges.first?.lowerBound else { return }
        if positions.ranges.count == 1, positions.ranges[0] == 0..<count { return removeAll() }
        if positions.ranges.count == 1 {
            for slot in chunks.remove(positions.ranges[0], ids: &ids) { forget(slot) }
        } else {
            removeScattered(positions, from: first)
        }
        stamp(first..<count)
        raiseVersion()
    }

    mutating func move(_ range: Range<Int>, to target: Int) {
        var block = chunks.remove(range, ids: &ids)
        for index in block.indices { block[index].version = version }
        chunks.insert(block, at: target, ids: &ids)
        stamp(min(range.lowerBound, target)..<max(range.upperBound, target + block.count))
        raiseVersion()
    }

    mutating func swap(_ first: Int, _ second: Int) {
        chunks.swap(first, second, version: version, ids: &ids)
        raiseVersion()
    }

    /// Puts a range into random order; `first`, where given, becomes the first entry of the range.
    mutating func shuffle(_ range: Range<Int>, keepingFirst first: Int?, using generator: inout OrderGenerator) {
        // Places are shuffled instead of the entries: they take a fifth of the memory.
        var places = chunks.places(in: range)
        if let first { places.swapAt(0, first - range.lowerBound) }
        generator.shuffle(&places, from: first == nil ? 0 : 1)
        chunks.reorder(range, by: places, ids: &ids)
        stamp(range)
        raiseVersion()
    }

    /// Sets a priority; false when nothing changed.
    mutating func setPriority(_ priority: Int, at range: Range<Int>) -> Bool {
        guard prioritised > 0 || priority != 0 else { return false }
        let (changed, former) = chunks.setPriority(priority, at: range, version: version)
        guard changed > 0 else { return false }
        prioritised += (priority == 0 ? 0 : changed) - former
        raiseVersion()
        return true
    }

    func priorities(at range: Range<Int>, otherThan priority: Int) -> [Int: Int] {
        var others: [Int: Int] = [:]
        guard prioritised > 0 || priority != 0 else { return others }
        chunks.forEachChunk(in: range) { chunk, offsets, position in
            let slots = chunks.chunks[chunk].slots
            for offset in offsets where slots[offset].priority != priority {
                others[position + offset - offsets.lowerBound] = slots[offset].priority
            }
        }
        return others
    }

    mutating func setItem(_ item: QueueItem, at position: Int) {
        var entry = self[position]
        entry.item = item
        replace(entry, at: position)
    }

    mutating func setRange(_ range: SongRange?, at position: Int) {
        var entry = self[position]
        entry.range = range
        replace(entry, at: position)
    }

    private mutating func replace(_ entry: QueueEntry, at position: Int) {
        forgetOther(entry.id.rawValue)
        let slot = slot(entry.id, QueueCandidate(entry), priority: entry.priority, version: version)
        chunks.update(position, version: version) { $0 = slot }
        raiseVersion()
    }

    mutating func touch(_ songs: Set<SongID>) -> Bool {
        var touched: [Int] = []
        for (position, entry) in entries.enumerated() {
            if let song = entry.songID, songs.contains(song) { touched.append(position) }
        }
        for position in touched { stamp(position..<position + 1) }
        if !touched.isEmpty { raiseVersion() }
        return !touched.isEmpty
    }

    /// Takes over saved entries with their ids and the version; an id that can't be kept is replaced. Which entry
    /// changed when isn't saved, so all of them count as changed just before the saved version.
    mutating func restore(_ saved: [(entry: SavedQueue.Entry, song: QueueCandidate)], version savedVersion: UInt32) {
        let sizeLimit = sizeLimit
        self = Queue(limit: limit, version: min(max(savedVersion, 1), Self.lastVersion - 1))
        self.sizeLimit = sizeLimit
        let saved = saved.prefix(limit)
        // Ids that can be kept are taken first, so that none of them is given to another entry.
        let isKept = saved.map { ids.adopt($0.entry.id) }
        let slots = zip(saved, isKept).map { saved, isKept in
            let priority = min(max(saved.entry.priority, 0), 255)
            if priority != 0 { prioritised += 1 }
            return slot(isKept ? saved.entry.id : ids.insert(), saved.song, priority: priority, version: version - 1)
        }
        chunks.insert(slots, at: 0, ids: &ids)
    }

    mutating func touchAll() {
        stamp(0..<count)
        raiseVersion()
    }

    private mutating func removeScattered(_ positions: RangeSet<Int>, from first: Int) {
        var kept: [QueueSlot] = []
        for (offset, slot) in chunks.remove(first..<count, ids: &ids).enumerated() {
            if positions.contains(first + offset) { forget(slot) } else { kept.append(slot) }
        }
        chunks.insert(kept, at: first, ids: &ids)
    }

    private mutating func removeAll() {
        // Only the ids continue; everything else starts over, and its memory is given back.
        chunks.chunks.forEach { $0.slots.forEach { ids.remove($0.id) } }
        chunks.chunks.forEach { ids.freeChunk(Int($0.key)) }
        chunks = QueueChunks()
        others = [:]
        extraSize = 0
        prioritised = 0
        raiseVersion()
    }

    private mutating func slot(
        _ id: QueueEntryID, _ song: QueueCandidate, priority: Int, version: UInt32
    ) -> QueueSlot {
        if let slot = QueueSlot(id: id.rawValue, song, priority: priority, version: version) { return slot }
        others[id.rawValue] = song
        extraSize += song.extraSize
        return QueueSlot(id: id.rawValue, priority: priority, version: version)
    }

    private mutating func forget(_ slot: QueueSlot) {
        ids.remove(slot.id)
        if slot.songID == nil { forgetOther(slot.id) }
        if slot.priority != 0 { prioritised -= 1 }
    }

    private mutating func forgetOther(_ id: UInt32) {
        if let other = others.removeValue(forKey: id) { extraSize -= other.extraSize }
    }

    private mutating func stamp(_ range: Range<Int>) { chunks.stamp(range, version: version) }

    private mutating func raiseVersion() {
        version += 1
        guard version >= Self.lastVersion else { return }
        chunks.forgetVersions()
        version = 1
    }
}
