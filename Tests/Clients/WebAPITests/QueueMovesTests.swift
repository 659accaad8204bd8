import Testing

@testable import WebAPI

@Suite("Moving entries of the queue over HTTP")
struct QueueMovesTests {
    @Test("Entries stand each at a place of its own in the end")
    func places() {
        var numbers = SystemRandomNumberGenerator()
        for _ in 0..<2000 {
            let length = Int.random(in: 1...9, using: &numbers)
            let count = Int.random(in: 1...length, using: &numbers)
            let moved = Array((0..<length).shuffled().prefix(count))
            let places = (0..<length).shuffled().prefix(count).sorted()
            var queue = Array(0..<length)
            for (entry, target) in zip(moved, QueueEditResource.destinations(of: moved, toEach: places)) {
                queue.removeAll { $0 == entry }
                queue.insert(entry, at: target)
            }
            var expected = (0..<length).filter { !moved.contains($0) }
            for (entry, place) in zip(moved, places) { expected.insert(entry, at: place) }
            #expect(queue == expected, "\(moved) to \(places) of \(length)")
        }
    }
}
