import MusicModel
import Testing

@testable import Playback

@Suite("The queue")
struct QueueTests {
    @Test("every edit raises the version once and marks what it touched")
    func versions() {
        var queue = Queue()
        var generator = OrderGenerator(seed: 1)
        func edit(_ change: (inout Queue) -> Void) -> [Int] {
            let before = queue.version
            change(&queue)
            #expect(queue.version == before + 1)
            return queue.changes(since: before)
        }
        #expect(edit { _ = $0.insert((1...6).map { song($0) }, at: 0) } == [0, 1, 2, 3, 4, 5])
        #expect(edit { _ = $0.insert([song(7)], at: 4) } == [4, 5, 6])
        #expect(edit { $0.remove(RangeSet(2..<3)) } == [2, 3, 4, 5])
        #expect(edit { $0.remove(RangeSet(5..<6)) } == [])
        #expect(edit { $0.move(0..<1, to: 2) } == [0, 1, 2])
        #expect(edit { $0.move(3..<5, to: 1) } == [1, 2, 3, 4])
        #expect(edit { $0.swap(0, 4) } == [0, 4])
        #expect(edit { _ = $0.setPriority(9, at: 1..<3) } == [1, 2])
        #expect(edit { $0.shuffle(1..<4, keepingFirst: 3, using: &generator) } == [1, 2, 3])
        #expect(queue.changes(since: 0) == [0, 1, 2, 3, 4])
        #expect(queue.changes(since: queue.version) == [])
        #expect(queue.changes(since: queue.version + 1) == [0, 1, 2, 3, 4])
        #expect(queue.changes(since: .max) == [0, 1, 2, 3, 4])
    }

    @Test("an edit that changes nothing leaves the version alone")
    func noChange() {
        var queue = Queue()
        _ = queue.insert([song(1), song(2)], at: 0)
        let version = queue.version
        let prioritised = queue.setPriority(0, at: 0..<2)
        #expect(!prioritised)
        let touched = queue.touch([SongID(rawValue: 99)])
        #expect(!touched)
        queue.remove(RangeSet())
        #expect(queue.insert([], at: 0).isEmpty)
        #expect(queue.version == version)
    }

    @Test("the version wraps as MPD's does, and then everything counts as changed")
    func versionWraps() {
        var queue = Queue()
        let saved = (1...3).map { number in
            (SavedQueue.Entry(id: id(UInt32(number)), item: .song(SongID(rawValue: 1))), song(1))
        }
        queue.restore(saved, version: Queue.lastVersion - 2)
        queue.swap(0, 1)
        #expect(queue.version == Queue.lastVersion - 1)
        queue.swap(0, 1)
        #expect(queue.version == 1)
        #expect(queue.changes(since: 1) == [0, 1, 2])
        queue.swap(0, 1)
        #expect(queue.version == 2)
        #expect(queue.changes(since: 2) == [2])
    }

    @Test("ids are not used again while counting up, and never while in use")
    func ids() {
        var table = QueueIDTable()
        let first = table.insert()
        #expect(first == id(1))
        table.remove(first.rawValue)
        #expect(table.insert() == id(2))
        #expect(!table.contains(first))
        #expect(!table.contains(id(0)))
        #expect(table.chunk(of: id(.max)) == nil)
        let chunk = table.makeChunk()
        table.place(chunk, at: 5)
        table.move(2, to: chunk)
        var seen: Set<QueueEntryID> = [id(2)]
        var wrapped = false
        for _ in 0..<3 * QueueIDTable.minSpan {
            let next = table.insert()
            #expect(next != id(2))
            if next == id(1) { wrapped = true }
            seen.insert(next)
            table.remove(next.rawValue)
        }
        #expect(wrapped)
        #expect(seen.count == QueueIDTable.minSpan - 1)
        #expect(table.chunk(of: id(2)) == 5)
    }

    @Test("a saved queue keeps its ids; those that are taken or senseless are replaced")
    func restoring() {
        var queue = Queue()
        let item = QueueItem.song(SongID(rawValue: 1))
        queue.restore(
            [7, 7, 0, .max, 9].map { (SavedQueue.Entry(id: id($0), item: item, priority: 300), song(1)) }, version: 40)
        #expect(queue.version == 40)
        #expect(queue.entries.map(\.id.rawValue) == [7, 10, 11, 12, 9])
        #expect(queue.entries.allSatisfy { $0.priority == 255 })
        for (position, entry) in queue.entries.enumerated() { #expect(queue.position(of: entry.id) == position) }
        #expect(queue.changes(since: 40) == [])
        #expect(queue.changes(since: 39) == [0, 1, 2, 3, 4])
    }

    @Test("what doesn't fit into a slot is kept whole")
    func slots() {
        let gain = ReplayGain(trackGain: -7.35, trackPeak: 0.988553, albumGain: nil, albumPeak: 1)
        let candidates = [
            QueueCandidate(.song(SongID(rawValue: 1)), duration: .milliseconds(215_137), replayGain: gain),
            QueueCandidate(.song(SongID(rawValue: -4)), duration: .seconds(3)),
            QueueCandidate(.song(SongID(rawValue: 1 << 40)), duration: .microseconds(17)),
            QueueCandidate(.song(SongID(rawValue: 2)), duration: .seconds(1 << 40)),
            QueueCandidate(.song(SongID(rawValue: 3)), replayGain: ReplayGain(trackGain: 1.0 / 3, trackPeak: 1e12)),
            QueueCandidate(.song(SongID(rawValue: 4)), range: SongRange(start: .seconds(1), end: .seconds(2))),
            QueueCandidate(.stream(url: "http://radio.example/", tags: [TagValue(.title, "Live")])),
        ]
        var queue = Queue()
        _ = queue.insert(candidates, at: 0)
        queue.move(0..<2, to: 3)
        queue.swap(0, 6)
        let expected = [6, 3, 4, 0, 1, 5, 2].map { candidates[$0] }
        let found = queue.entries.map {
            QueueCandidate($0.item, range: $0.range, duration: $0.duration, replayGain: $0.replayGain)
        }
        #expect(found == expected)
        #expect(queue.entries.indices.map { queue[$0].item } == expected.map(\.item))
    }

    @Test("ids are read at positions that ascend, over chunks and gaps")
    func idsAtPositions() {
        var queue = Queue()
        for part in 0..<5 { _ = queue.insert((1...400).map { song(Int64(part * 400 + $0)) }, at: part * 200) }
        for step in [1, 7, 383, 1999] {
            let positions = Array(stride(from: step / 2, to: queue.count, by: step))
            var found: [Int: QueueEntryID] = [:]
            queue.entries.forEachID(at: positions[...]) { found[$0] = $1 }
            #expect(found == Dictionary(uniqueKeysWithValues: positions.map { ($0, queue.id(at: $0)) }))
        }
        queue.entries.forEachID(at: []) { _, _ in Issue.record("there are no positions") }
    }

    @Test("a shuffled range keeps each entry once and whole, and others where they are")
    func shuffledEntries() {
        var queue = Queue()
        var generator = OrderGenerator(seed: 3)
        _ = queue.insert((1...2000).map { song(Int64($0)) }, at: 0)
        _ = queue.setPriority(7, at: 900..<1100)
        let before = Array(queue.entries)
        let snapshot = queue.entries
        queue.shuffle(100..<1700, keepingFirst: nil, using: &generator)
        let after = Array(queue.entries)
        #expect(after[..<100].map(\.id) == before[..<100].map(\.id))
        #expect(after[1700...].map(\.id) == before[1700...].map(\.id))
        #expect(after.map(\.id) != before.map(\.id))
        let known = Dictionary(uniqueKeysWithValues: before.map { ($0.id, $0) })
        #expect(Set(after.map(\.id)).count == 2000)
        for entry in after {
            #expect(entry.item == known[entry.id]?.item && entry.priority == known[entry.id]?.priority)
        }
        #expect(Array(snapshot) == before, "a snapshot stays as it was")
    }

    @Test(
        "random edits agree with a naive queue, of a few entries and of some chunks",
        arguments: (1...20).map { (UInt64($0), 0) } + (1...6).map { (UInt64($0), 1500) })
    func model(seed: UInt64, size: Int) {
        var generator = OrderGenerator(seed: seed)
        var model = NaiveQueue()
        var queue = Queue()
        if size > 0 {
            let ids = queue.insert((1...size).map { song(Int64($0)) }, at: 0)
            model.entries = ids.map { NaiveQueue.Entry(id: $0, priority: 0) }
        }
        for _ in 0..<(size == 0 ? 300 : 60) {
            let before = queue.version
            let snapshot = model.entries
            NaiveQueue.edit(&queue, &model, using: &generator)
            let found = queue.entries.map { NaiveQueue.Entry(id: $0.id, priority: $0.priority) }
            #expect(found == model.entries)
            let firstLost = found.indices.first { queue.position(of: found[$0].id) != $0 }
            #expect(firstLost == nil)
            // A client that follows by plchanges arrives at the same queue.
            var client = Array(snapshot.prefix(queue.count))
            for position in queue.changes(since: before) {
                let entry = found[position]
                if position < client.count { client[position] = entry } else { client.append(entry) }
            }
            #expect(client == model.entries)
        }
    }
}

/// The same edits on a plain array.
struct NaiveQueue {
    struct Entry: Equatable {
        var id: QueueEntryID
        var priority: Int
    }

    var entries: [Entry] = []

    static func edit(_ queue: inout Queue, _ model: inout NaiveQueue, using generator: inout OrderGenerator) {
        let count = model.entries.count
        func draw(_ limit: Int) -> Int { Int.random(in: 0..<max(limit, 1), using: &generator) }
        let start = draw(count)
        let range = start..<min(count, start + draw(count < 100 ? 5 : 900))
        switch draw(count < 30 || count > 100 ? 8 : 5) {
        case 0:
            queue.remove(RangeSet(range))
            model.entries.removeSubrange(range)
        case 1 where !range.isEmpty:
            let target = draw(count - range.count + 1)
            queue.move(range, to: target)
            let block = Array(model.entries[range])
            model.entries.removeSubrange(range)
            model.entries.insert(contentsOf: block, at: target)
        case 2 where count > 0:
            let (first, second) = (draw(count), draw(count))
            queue.swap(first, second)
            model.entries.swapAt(first, second)
        case 3:
            let priority = draw(3)
            _ = queue.setPriority(priority, at: range)
            for position in range { model.entries[position].priority = priority }
        case 4 where !range.isEmpty:
            let ids = Set(model.entries[range].map(\.id))
            queue.shuffle(range, keepingFirst: range.upperBound - 1, using: &generator)
            #expect(Set(queue.entries[range].map(\.id)) == ids)
            #expect(queue.entries[range.lowerBound].id == model.entries[range.upperBound - 1].id)
            model.entries = queue.entries.map { Entry(id: $0.id, priority: $0.priority) }
        default:
            let target = draw(count + 1)
            let ids = queue.insert((0...draw(count < 100 ? 4 : 700)).map { song(Int64($0 + 1)) }, at: target)
            model.entries.insert(contentsOf: ids.map { Entry(id: $0, priority: 0) }, at: target)
        }
    }
}
