/// Places of a list in groups, such as songs by album, with how near each group is on average.
///
/// Neighbours in the list are mostly of one group, so that few keys are hashed.
struct NearnessGroups<Key: Hashable> {
    private var numbers: [Key: Int] = [:]
    private var last: (key: Key, number: Int)?
    private var sums: [Float] = []
    private var counts: [Int] = []
    private var members: [(place: Int, group: Int)] = []

    /// Puts a place into a group; places come in the order of the list.
    mutating func add(_ place: Int, to key: Key, _ nearness: Float) {
        let number = number(of: key)
        sums[number] += nearness
        counts[number] += 1
        members.append((place, number))
    }

    private mutating func number(of key: Key) -> Int {
        if let last, last.key == key { return last.number }
        let number = numbers[key] ?? sums.count
        if number == sums.count {
            numbers[key] = number
            sums.append(0)
            counts.append(0)
        }
        last = (key, number)
        return number
    }

    /// The places of the nearest groups, in the order of the list in each; of equally near ones that which came first.
    func nearest(_ count: Int, ofAtLeast fewest: Int = 1) -> [[Int]] {
        let means = zip(sums, counts).map { $0 / Float($1) }
        let groups = means.indices.filter { counts[$0] >= fewest }.sorted { (means[$0], $1) > (means[$1], $0) }
            .prefix(count)
        var ranks = [Int?](repeating: nil, count: means.count)
        for (rank, group) in groups.enumerated() { ranks[group] = rank }
        var places = [[Int]](repeating: [], count: groups.count)
        for (place, group) in members { if let rank = ranks[group] { places[rank].append(place) } }
        return places
    }
}
