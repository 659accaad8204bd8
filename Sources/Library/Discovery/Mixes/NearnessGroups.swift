struct NearnessGroups {
    private let groups: [UInt32]
    /// By the groups: how near their places are in all, how many they are, and which came first.
    private let (sums, counts, firsts): ([Float], [Int32], [Int32])

    init(_ groups: [UInt32], _ nearness: [Float], count: Int) {
        var sums = [Float](repeating: 0, count: count + 1)
        var (counts, firsts) = ([Int32](repeating: 0, count: count + 1), [Int32](repeating: 0, count: count + 1))
        for index in groups.indices {
            let group = Int(groups[index])
            if counts[group] == 0 { firsts[group] = Int32(truncatingIfNeeded: index) }
            counts[group] += 1
            sums[group] += nearness[index]
        }
        (self.groups, self.sums, self.counts, self.firsts) = (groups, sums, counts, firsts)
    }

    /// The places of the nearest groups, in the order of the list in each; of equally near ones that which came first.
    func nearest(_ count: Int, ofAtLeast fewest: Int = 1) -> [[Int]] {
        var best = BestList(count)
        for group in sums.indices.dropFirst() where counts[group] >= fewest {
            best.offer(Int(firsts[group]), sums[group] / Float(counts[group]))
        }
        let chosen = best.sorted.prefix(count).map { groups[$0.slot] }
        var ranks = [Int32](repeating: -1, count: sums.count)
        for (rank, group) in chosen.enumerated() { ranks[Int(group)] = Int32(truncatingIfNeeded: rank) }
        var positions = [[Int]](repeating: [], count: chosen.count)
        for index in groups.indices {
            let rank = Int(ranks[Int(groups[index])])
            if rank >= 0 { positions[rank].append(index) }
        }
        return positions
    }
}
