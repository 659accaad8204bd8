import Testing

@testable import Discovery

@Suite("Groups of songs by how near they are")
struct NearnessGroupsTests {
    private func groups(_ entries: [(key: String, nearness: Float)]) -> NearnessGroups<String> {
        var groups = NearnessGroups<String>()
        for (place, entry) in entries.enumerated() { groups.add(place, to: entry.key, entry.nearness) }
        return groups
    }

    @Test("the nearest on average come first, wherever their places are")
    func order() {
        let groups = groups([("a", 0.9), ("b", 0.5), ("b", 0.7), ("a", 0.1), ("c", 0.2), ("b", 0.6)])
        #expect(groups.nearest(3) == [[1, 2, 5], [0, 3], [4]])
        #expect(groups.nearest(1) == [[1, 2, 5]])
    }

    @Test("of equally near ones the first comes first; small ones may be left out")
    func ties() {
        let groups = groups([("a", 0.5), ("b", 0.5), ("a", 0.5), ("c", 0.9)])
        #expect(groups.nearest(9) == [[3], [0, 2], [1]])
        #expect(groups.nearest(9, ofAtLeast: 2) == [[0, 2]])
        #expect(NearnessGroups<String>().nearest(3).isEmpty)
    }
}
