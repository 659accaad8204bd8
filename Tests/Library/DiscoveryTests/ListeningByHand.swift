@testable import Discovery

extension Listening {
    /// A song was heard.
    mutating func hear(_ slot: Int, at time: Int64) {
        lastHeard[slot] = max(lastHeard[slot], time)
        plays[slot] += 1
    }

    /// A song was skipped.
    mutating func skip(_ slot: Int, at time: Int64) {
        lastSkipped[slot] = max(lastSkipped[slot], time)
        skips[slot] += 1
    }

    /// A song got a star.
    mutating func like(_ slot: Int) { liked.insert(slot) }
}

extension SoundSpace {
    /// The songs that sound most like one, the nearest first.
    func nearest(_ slot: Int, _ limit: Int) -> [Int] {
        guard let point = centre(of: [(slot, 1)]) else { return [] }
        var best = BestList(limit)
        for other in 0..<1000 where other != slot { likeness(other, to: point).map { best.offer(other, $0) } }
        return best.sorted.map(\.slot)
    }
}
