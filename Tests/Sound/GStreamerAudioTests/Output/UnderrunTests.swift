import Testing

@testable import GStreamerAudio

@Suite("Sound that ran out")
struct UnderrunTests {
    private static let block: Int64 = 50_000_000

    /// The number of gaps before blocks of these numbers, with the device's place and the moment of each.
    private func count(_ given: [(number: Int64, playedTo: Int64?, now: Int64)]) -> Int {
        var watch = UnderrunWatch()
        return given.count { number, playedTo, now in
            watch.isGap(before: number * Self.block..<(number + 1) * Self.block, playedTo: playedTo, at: now)
        }
    }

    @Test("a device that still plays has not run out")
    func inTime() {
        #expect(count([(0, nil, 0), (1, 10, 1_000), (2, Self.block, 2_000), (3, 3 * Self.block - 1, 3_000)]) == 0)
    }

    @Test("a block that comes when everything before it was played is a gap")
    func late() {
        #expect(count([(0, nil, 0), (1, Self.block, 1_000), (2, 2 * Self.block, 2_000)]) == 2)
    }

    @Test("sound that does not join on, or comes after a second, begins anew")
    func beginnings() {
        #expect(count([(0, nil, 0), (5, 5 * Self.block, 1_000)]) == 0)
        #expect(count([(0, nil, 0), (1, Self.block, 1_000_000_000)]) == 0)
    }

    @Test("after a pause or a jump the first block is no gap")
    func interruptions() {
        var watch = UnderrunWatch()
        let first = watch.isGap(before: 0..<Self.block, playedTo: nil, at: 0)
        watch.interrupt()
        let second = watch.isGap(before: Self.block..<2 * Self.block, playedTo: Self.block, at: 1_000)
        let third = watch.isGap(before: 2 * Self.block..<3 * Self.block, playedTo: 2 * Self.block, at: 2_000)
        #expect((first, second, third) == (false, false, true))
    }
}
