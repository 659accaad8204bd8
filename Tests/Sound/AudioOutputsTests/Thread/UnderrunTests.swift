import Coordination
import Testing

@testable import AudioOutputs

@Suite("Sound that ran out")
struct UnderrunTests {
    private static let block = Nanoseconds.milliseconds(50)

    /// The number of gaps before blocks of these numbers, with the device's place and the moment of each.
    private func count(_ given: [(number: Int, playedTo: Nanoseconds?, now: Int)]) -> Int {
        var watch = UnderrunWatch()
        return given.count { number, playedTo, now in
            watch.isGap(
                before: Self.block * number..<Self.block * (number + 1), playedTo: playedTo, at: .microseconds(now))
        }
    }

    @Test("a device that still plays has not run out")
    func inTime() {
        #expect(
            count([
                (0, nil, 0), (1, .microseconds(10), 1), (2, Self.block, 2), (3, Self.block * 3 - .microseconds(1), 3),
            ]) == 0)
    }

    @Test("a block that comes when everything before it was played is a gap")
    func late() {
        #expect(count([(0, nil, 0), (1, Self.block, 1), (2, Self.block * 2, 2)]) == 2)
    }

    @Test("sound that does not join on, or comes after a second, begins anew")
    func beginnings() {
        #expect(count([(0, nil, 0), (5, Self.block * 5, 1)]) == 0)
        #expect(count([(0, nil, 0), (1, Self.block, 1_000_000)]) == 0)
    }

    @Test("after a pause or a jump the first block is no gap")
    func interruptions() {
        var watch = UnderrunWatch()
        let first = watch.isGap(before: Nanoseconds.zero..<Self.block, playedTo: nil, at: .zero)
        watch.interrupt()
        let second = watch.isGap(before: Self.block..<Self.block * 2, playedTo: Self.block, at: .microseconds(1))
        let third = watch.isGap(before: Self.block * 2..<Self.block * 3, playedTo: Self.block * 2, at: .microseconds(2))
        #expect((first, second, third) == (false, false, true))
    }

    @Test("a gap that is seen several times, or in pieces, counts once")
    func once() {
        var watch = UnderrunWatch()
        let moments = [0, 20, 499, 500, 510, 2000].map(Nanoseconds.milliseconds)
        #expect(moments.map { watch.isAnotherGap(at: $0) } == [true, false, false, true, false, true])
    }
}
