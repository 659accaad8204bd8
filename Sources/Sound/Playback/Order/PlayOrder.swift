import MusicModel

/// The order in which positions of the queue are played: as they stand, or at random with higher priorities first. An
/// *index* counts in this order, a *position* in the queue. Priorities that are asked for are those after the edit.
/// - Source: MPD v0.24.13 src/queue/Queue.cxx, the `order` array.
struct PlayOrder: Sendable {
    private var shuffled: [Int32]?

    var isRandom: Bool { shuffled != nil }
    func position(at index: Int) -> Int { shuffled.map { Int($0[index]) } ?? index }
    func index(of position: Int) -> Int { shuffled.map { $0.firstIndex(of: Int32(position)) ?? 0 } ?? position }
    mutating func restore() { shuffled = nil }

    /// Makes a random order of `count` entries of what is there: the order stays, or is the positions' own where it was
    /// not random. `shuffle` has to follow.
    mutating func beginRandom(_ count: Int) {
        if shuffled?.count != count { shuffled = Array(0..<Int32(clamping: count)) }
    }

    /// Makes a new random order of `count` entries, those of a higher priority first; nil stands for no priorities.
    /// - Parameter start: how many of the present order's first entries keep their positions.
    mutating func shuffle(
        _ count: Int, after start: Int = 0, priorities: [UInt8]?, using generator: inout OrderGenerator
    ) {
        var order = start == 0 ? nil : shuffled
        shuffled = nil
        if order?.count != count { order = Array(0..<Int32(clamping: count)) }
        guard var order else { return }
        generator.shuffle(&order, from: start)
        if let priorities { order[start...].sort { priorities[Int($0)] > priorities[Int($1)] } }
        shuffled = order
    }

    mutating func move(_ from: Int, to target: Int) {
        guard from != target, let position = shuffled?.remove(at: from) else { return }
        shuffled?.insert(position, at: target)
    }

    /// Makes room for `count` new entries at `position`, which are drawn into the order from index `floor` on.
    mutating func insert(
        _ count: Int, at position: Int, floor: Int, using generator: inout OrderGenerator,
        priority: (_ position: Int) -> Int
    ) {
        guard var order = shuffled else { return }
        shuffled = nil
        for index in order.indices where order[index] >= position { order[index] += Int32(count) }
        // New entries have priority 0, so those with a higher one keep their positions before them.
        var start = min(floor, order.count)
        while start < order.count, priority(Int(order[start])) != 0 { start += 1 }
        for added in position..<position + count {
            order.append(Int32(added))
            order.swapAt(order.count - 1, Int.random(in: start..<order.count, using: &generator))
        }
        shuffled = order
    }

    /// Takes removed positions out; `count` is the queue's length before.
    mutating func remove(_ positions: RangeSet<Int>, from count: Int) {
        guard var order = shuffled else { return }
        if positions.ranges.count == 1, positions.ranges[0].count == 1 {
            let removed = Int32(positions.ranges[0].lowerBound)
            shuffled = nil
            if let index = order.firstIndex(of: removed) { order.remove(at: index) }
            for index in order.indices where order[index] > removed { order[index] -= 1 }
            shuffled = order
            return
        }
        var renamed = [Int32](repeating: 0, count: count)
        for range in positions.ranges { range.forEach { renamed[$0] = -1 } }
        var next: Int32 = 0
        for position in renamed.indices where renamed[position] == 0 {
            renamed[position] = next
            next += 1
        }
        shuffled = order.compactMap { renamed[Int($0)] < 0 ? nil : renamed[Int($0)] }
    }

    mutating func movePositions(_ range: Range<Int>, to target: Int) {
        guard var order = shuffled else { return }
        shuffled = nil
        for index in order.indices { order[index] = Int32(Self.moved(Int(order[index]), with: range, to: target)) }
        shuffled = order
    }

    /// Follows two entries that were swapped in the queue: each keeps its position in the order.
    mutating func swapPositions(_ first: Int, _ second: Int) {
        guard isRandom else { return }
        let indices = (index(of: first), index(of: second))
        shuffled?.swapAt(indices.0, indices.1)
    }

    /// Places entries whose priority became `priority` behind the current index again. An entry that was played already
    /// is played again only if its priority rose above its own and the current entry's.
    mutating func reprioritise(
        _ former: [Int: Int], to priority: Int, current: Int?, using generator: inout OrderGenerator,
        priority priorityAt: (_ position: Int) -> Int
    ) {
        guard let order = shuffled else { return }
        let currentPriority = current.map { priorityAt(Int(order[$0])) } ?? -1
        var head: [Int32] = []
        var tail: [Int32] = []
        var moved: [Int32] = []
        for (index, position) in order.enumerated() {
            let isAhead = index > current ?? -1
            if index != current, let old = former[Int(position)],
                isAhead || (priority > old && priority > currentPriority)
            {
                moved.append(position)
            } else if isAhead {
                tail.append(position)
            } else {
                head.append(position)
            }
        }
        moved.shuffle(using: &generator)
        let start = tail.firstIndex { priorityAt(Int($0)) <= priority } ?? tail.count
        let end = tail[start...].firstIndex { priorityAt(Int($0)) != priority } ?? tail.count
        let group = Self.interleave(moved, Array(tail[start..<end]), using: &generator)
        shuffled = head + tail[..<start] + group + tail[end...]
    }

    static func moved(_ position: Int, with range: Range<Int>, to target: Int) -> Int {
        if range.contains(position) { return position + target - range.lowerBound }
        if position >= range.upperBound, position < target + range.count { return position - range.count }
        if position < range.lowerBound, position >= target { return position + range.count }
        return position
    }

    private static func interleave(
        _ first: [Int32], _ second: [Int32], using generator: inout OrderGenerator
    ) -> [Int32] {
        var result: [Int32] = []
        result.reserveCapacity(first.count + second.count)
        var (a, b) = (first[...], second[...])
        while !a.isEmpty || !b.isEmpty {
            let takesFirst = Int.random(in: 0..<a.count + b.count, using: &generator) < a.count
            result.append(takesFirst ? a.removeFirst() : b.removeFirst())
        }
        return result
    }
}
