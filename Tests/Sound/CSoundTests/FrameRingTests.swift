import CSound
import Foundation
import Testing

/// A ring of 16-bit or float samples, freed in the end.
private final class Ring {
    let state: UnsafeMutablePointer<SegueFrameRing> = .allocate(capacity: 1)

    init(rate: UInt32 = 100, channels: UInt32 = 1, isFloat: Bool = false) {
        state.initialize(to: SegueFrameRing())
        segue_ring_set_volume(state, 1)
        #expect(segue_ring_begin(state, rate, channels, isFloat ? 4 : 2, isFloat))
    }

    deinit {
        segue_ring_end(state)
        state.deallocate()
    }

    var room: UInt32 { segue_ring_room(state) }
    var waiting: UInt32 { segue_ring_waiting(state) }

    func write<Sample>(_ samples: [Sample]) {
        samples.withUnsafeBytes {
            let bytes = $0.bindMemory(to: UInt8.self)
            segue_ring_write(state, bytes.baseAddress, UInt32($0.count) / state.pointee.stride)
        }
    }

    /// The samples of so many frames, how many of these are sound, and the place of the first.
    func take<Sample>(_ frames: Int, of silence: Sample) -> (samples: [Sample], count: UInt32, place: UInt64) {
        var samples = [Sample](repeating: silence, count: frames * Int(state.pointee.channels))
        var place: UInt64 = 0
        let count = samples.withUnsafeMutableBytes {
            segue_ring_take(state, $0.bindMemory(to: UInt8.self).baseAddress, UInt32(frames), &place)
        }
        return (samples, count, place)
    }
}

@Suite("A ring of frames")
struct FrameRingTests {
    @Test("gives what was written, in order and across its end, and silence behind it")
    func order() {
        let ring = Ring(channels: 2)
        var (next, expected): (Int16, Int16) = (1, 1)
        for round in 0..<50 {
            let count = Int16(round % 7) + 30
            ring.write((0..<2 * count).map { next + $0 })
            next += 2 * count
            let taken = ring.take(40, of: Int16(99))
            let sound = Array(taken.samples.prefix(2 * Int(taken.count)))
            #expect(sound == (0..<Int16(sound.count)).map { expected + $0 })
            #expect(taken.samples.dropFirst(sound.count).allSatisfy { $0 == 0 })
            expected += Int16(sound.count)
        }
        #expect(ring.waiting == UInt32(next - expected) / 2)
    }

    @Test("knows of gaps in the middle of sound, and of none around a beginning, a hold, and what was discarded")
    func gaps() {
        let ring = Ring()
        var (place, frames): (UInt64, UInt64) = (0, 0)
        func take() -> UInt32 {
            _ = ring.take(10, of: Int16(0))
            return segue_ring_gaps(ring.state, &place, &frames)
        }
        // Before the first sound, and while nothing comes after it.
        #expect(take() == 0)
        ring.write([Int16](repeating: 1, count: 15))
        #expect([take(), take(), take()] == [0, 0, 0])
        ring.write([Int16](repeating: 1, count: 20))
        #expect(take() == 1 && place == 15 && frames == 15)
        #expect([take(), take()] == [1, 1])
        segue_ring_pause(ring.state, true)
        #expect(take() == 1)
        segue_ring_pause(ring.state, false)
        ring.write([Int16](repeating: 1, count: 20))
        #expect([take(), take(), take()] == [1, 1, 1])
        segue_ring_discard(ring.state)
        ring.write([Int16](repeating: 1, count: 10))
        // Nothing was left to discard: it joins on.
        #expect(take() == 2 && place == 55 && frames == 10)
        ring.write([Int16](repeating: 1, count: 5))
        segue_ring_discard(ring.state)
        #expect(take() == 2)
        ring.write([Int16](repeating: 1, count: 10))
        #expect(take() == 2)
    }

    @Test("leaves out what it has no room for")
    func full() {
        let ring = Ring()
        ring.write([Int16](repeating: 1, count: 90))
        #expect(ring.room == 10)
        ring.write([Int16](repeating: 2, count: 30))
        #expect(ring.room == 0 && ring.waiting == 100)
        let taken = ring.take(120, of: Int16(9))
        #expect(taken.count == 100)
        #expect(
            taken.samples == Array(repeating: 1, count: 90) + Array(repeating: 2, count: 10)
                + Array(repeating: 0, count: 20))
    }

    @Test("discards what waits, and goes on with what comes after that")
    func discards() {
        let ring = Ring()
        ring.write([Int16](repeating: 1, count: 50))
        segue_ring_discard(ring.state)
        #expect(ring.waiting == 0)
        ring.write([2, 2, 2] as [Int16])
        let taken = ring.take(4, of: Int16(9))
        #expect(taken.samples == [2, 2, 2, 0] && taken.place == 50)
    }

    @Test("gives silence while it is held, and keeps its place")
    func pause() {
        let ring = Ring()
        ring.write([1, 2, 3] as [Int16])
        segue_ring_pause(ring.state, true)
        #expect(ring.take(2, of: Int16(9)).samples == [0, 0])
        segue_ring_pause(ring.state, false)
        #expect(ring.take(2, of: Int16(9)).samples == [1, 2])
    }

    @Test("goes to another volume in steps of less than a hundredth")
    func volume() {
        let ring = Ring(rate: 44_100, isFloat: true)
        ring.write([Float](repeating: 1, count: 2000))
        #expect(ring.take(100, of: Float(9)).samples.allSatisfy { $0 == 1 })
        segue_ring_set_volume(ring.state, 0.25)
        let samples = ring.take(1000, of: Float(9)).samples
        let steps = zip(samples, samples.dropFirst()).map { abs($0 - $1) }
        #expect(steps.allSatisfy { $0 < 0.01 })
        #expect(samples.last == 0.25)
    }

    @Test("has the volume at once where nothing goes on")
    func volumeAfterDrop() {
        let ring = Ring(rate: 44_100, isFloat: true)
        ring.write([Float](repeating: 1, count: 100))
        segue_ring_discard(ring.state)
        segue_ring_set_volume(ring.state, 0.5)
        ring.write([Float](repeating: 1, count: 10))
        #expect(ring.take(10, of: Float(9)).samples.allSatisfy { $0 == 0.5 })
    }

    @Test("knows what is heard, never more than was taken")
    func heard() {
        let ring = Ring(rate: 1000)
        var (place, moment): (UInt64, Int64) = (0, 0)
        #expect(!segue_ring_heard(ring.state, 0, &place, &moment))
        segue_ring_tell(ring.state, 500, 600, 1_000_000_000)
        for (now, expected) in [(1_000_000_000, 500), (1_050_000_000, 550), (9_000_000_000, 600), (900_000_000, 400)] {
            #expect(segue_ring_heard(ring.state, Int64(now), &place, &moment))
            #expect(place == UInt64(expected) && moment == 1_000_000_000)
        }
    }

    @Test("begins anew with an empty ring of another form, as loud and as held as before")
    func again() {
        let ring = Ring()
        ring.write([1, 2, 3] as [Int16])
        segue_ring_pause(ring.state, true)
        segue_ring_set_volume(ring.state, 0.5)
        #expect(segue_ring_begin(ring.state, 48_000, 2, 4, true))
        #expect(ring.waiting == 0 && ring.room == 48_000)
        ring.write([Float](repeating: 1, count: 4))
        #expect(ring.take(2, of: Float(9)).count == 0)
        segue_ring_pause(ring.state, false)
        #expect(ring.take(2, of: Float(9)).samples == [0.5, 0.5, 0.5, 0.5])
    }

    @Test("refuses sound that has no size, or too much of it")
    func refused() {
        let ring = Ring()
        for (rate, channels, size) in [(0, 2, 2), (100, 0, 2), (100, .max, 4), (.max, .max / 4, 4)]
            as [(UInt32, UInt32, UInt32)]
        {
            #expect(!segue_ring_begin(ring.state, rate, channels, size, false))
            #expect(ring.room == 0 && ring.waiting == 0)
            segue_ring_write(ring.state, [1, 2], 1)
            #expect(ring.take(2, of: Int16(9)).count == 0)
        }
    }
}
