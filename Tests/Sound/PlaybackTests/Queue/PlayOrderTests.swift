import MusicModel
import Testing

@testable import Playback

@Suite("The play order")
struct PlayOrderTests {
    private func positions(_ order: PlayOrder, _ count: Int) -> [Int] { (0..<count).map { order.position(at: $0) } }

    @Test("without random, order and positions are the same")
    func plain() {
        var order = PlayOrder()
        order.remove(RangeSet(1..<2), from: 4)
        order.swapPositions(0, 1)
        order.movePositions(0..<1, to: 2)
        #expect(positions(order, 3) == [0, 1, 2])
        #expect(order.index(of: 2) == 2)
    }

    @Test("a random order holds every position once, higher priorities first", arguments: 1...20)
    func shuffling(seed: UInt64) {
        var generator = OrderGenerator(seed: seed)
        let priorities: [UInt8] = [0, 5, 0, 9, 0, 5, 0, 0]
        var order = PlayOrder()
        order.shuffle(8, priorities: priorities, using: &generator)
        let drawn = positions(order, 8)
        #expect(drawn.sorted() == Array(0..<8))
        #expect(drawn.map { priorities[$0] } == [9, 5, 5, 0, 0, 0, 0, 0])
        for index in 0..<8 { #expect(order.index(of: drawn[index]) == index) }
    }

    @Test("all orders come up about equally often")
    func fairness() {
        var generator = OrderGenerator(seed: 3)
        var counts: [[Int]: Int] = [:]
        for _ in 0..<6000 {
            var order = PlayOrder()
            order.shuffle(1, priorities: nil, using: &generator)
            // Two more songs are added one by one, as clients do.
            order.insert(1, at: 1, floor: 0, using: &generator) { _ in 0 }
            order.insert(1, at: 1, floor: 0, using: &generator) { _ in 0 }
            counts[positions(order, 3), default: 0] += 1
        }
        #expect(counts.count == 6)
        #expect(counts.values.allSatisfy { (850...1150).contains($0) })
    }

    @Test("new songs are drawn in behind the floor and behind higher priorities", arguments: 1...20)
    func inserting(seed: UInt64) {
        var generator = OrderGenerator(seed: seed)
        let before: [UInt8] = [0, 0, 7, 7, 0, 0]
        var order = PlayOrder()
        order.shuffle(6, priorities: before, using: &generator)
        order.move(order.index(of: 4), to: 0)
        let head = positions(order, 3).map { $0 >= 2 ? $0 + 2 : $0 }
        var after = before
        after.insert(contentsOf: [0, 0], at: 2)
        order.insert(2, at: 2, floor: 1, using: &generator) { Int(after[$0]) }
        #expect(Array(positions(order, 8).prefix(3)) == head)
        #expect(positions(order, 8).sorted() == Array(0..<8))
    }

    @Test("a raised priority brings a song directly behind the current one", arguments: 1...10)
    func raising(seed: UInt64) {
        var generator = OrderGenerator(seed: seed)
        var priorities = [0, 0, 0, 0, 0, 0]
        var order = PlayOrder()
        order.shuffle(6, priorities: nil, using: &generator)
        let drawn = positions(order, 6)
        let (played, current, last) = (drawn[0], drawn[1], drawn[5])
        priorities[last] = 5
        order.reprioritise([last: 0], to: 5, current: 1, using: &generator) { priorities[$0] }
        #expect(positions(order, 6) == [played, current, last, drawn[2], drawn[3], drawn[4]])
        priorities[played] = 4
        order.reprioritise([played: 0], to: 4, current: 1, using: &generator) { priorities[$0] }
        #expect(Array(positions(order, 6).prefix(3)) == [current, last, played])
        // Lowered again, one that was played stays played, one ahead goes back among the others.
        priorities[last] = 0
        order.reprioritise([last: 5], to: 0, current: 0, using: &generator) { priorities[$0] }
        #expect(positions(order, 6)[1] == played)
        #expect(positions(order, 6).sorted() == Array(0..<6))
        // The current song's own priority moves nothing.
        let fixed = positions(order, 6)
        priorities[current] = 9
        order.reprioritise([current: 0], to: 9, current: 0, using: &generator) { priorities[$0] }
        #expect(positions(order, 6) == fixed)
    }

    @Test("removing, moving and swapping keep each song's turn", arguments: 1...10)
    func following(seed: UInt64) {
        var generator = OrderGenerator(seed: seed)
        var songs = Array(1...7)
        var order = PlayOrder()
        order.shuffle(7, priorities: nil, using: &generator)
        func turns() -> [Int] { songs.indices.map { songs[order.position(at: $0)] } }
        var expected = turns()
        order.movePositions(1..<3, to: 4)
        let block = Array(songs[1..<3])
        songs.removeSubrange(1..<3)
        songs.insert(contentsOf: block, at: 4)
        #expect(turns() == expected)
        order.swapPositions(0, 5)
        songs.swapAt(0, 5)
        #expect(turns() == expected)
        let gone = [songs[1], songs[4]]
        order.remove(RangeSet([1, 4], within: songs), from: 7)
        songs.removeSubranges(RangeSet([1, 4], within: songs))
        expected.removeAll { gone.contains($0) }
        #expect(turns() == expected)
    }
}
