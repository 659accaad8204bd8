import Testing

@testable import Discovery

@Suite("Groups of songs by how near they are")
struct NearnessGroupsTests {
    private func groups(_ places: [(group: UInt32, nearness: Float)], count: Int = 4) -> NearnessGroups {
        NearnessGroups(places.map(\.group), places.map(\.nearness), count: count)
    }

    @Test("the nearest on average come first, wherever their places are")
    func order() {
        let groups = groups([(4, 0.9), (2, 0.5), (2, 0.7), (4, 0.1), (1, 0.2), (2, 0.6)])
        #expect(groups.nearest(3) == [[1, 2, 5], [0, 3], [4]])
        #expect(groups.nearest(1) == [[1, 2, 5]])
    }

    @Test("of equally near ones the first comes first; small ones may be left out")
    func ties() {
        let groups = groups([(3, 0.5), (1, 0.5), (3, 0.5), (2, 0.9)])
        #expect(groups.nearest(9) == [[3], [0, 2], [1]])
        #expect(groups.nearest(9, ofAtLeast: 2) == [[0, 2]])
        #expect(self.groups([], count: 0).nearest(3).isEmpty)
    }

    @Test("places without a group are left out")
    func noGroup() {
        let groups = groups([(0, 0.9), (1, 0.5), (0, 0.9), (1, 0.4)])
        #expect(groups.nearest(9) == [[1, 3]])
        #expect(self.groups([(0, 1)], count: 0).nearest(3).isEmpty)
    }
}
