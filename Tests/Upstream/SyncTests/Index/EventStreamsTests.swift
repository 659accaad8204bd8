import Subsonic
import Testing

@testable import Sync

@Suite("Whether an event stream counts, and how soon the next is tried")
struct EventStreamsTests {
    private let start = ContinuousClock.now

    /// After some streams that ended at once.
    private func afterShortOnes() -> EventStreams {
        var streams = EventStreams()
        for _ in 1...4 {
            _ = streams.brought(.opened, at: start)
            streams.ended(at: start)
        }
        return streams
    }

    @Test("streams that end at once count as failures, and no longer as heard")
    func short() {
        var streams = EventStreams()
        var counted: [Bool] = []
        for _ in 1...5 {
            counted.append(streams.brought(.opened, at: start))
            streams.ended(at: start + .seconds(1))
        }
        #expect(counted == [true, true, false, false, false])
        #expect(streams.failures == 5)
    }

    @Test("one that brings an event counts from then on, once")
    func event() {
        var streams = afterShortOnes()
        var counted: [Bool] = []
        for event: NavidromeEvent in [.opened, .scanning(true), .scanning(false)] {
            counted.append(streams.brought(event, at: start))
        }
        #expect(counted == [false, true, false])
        streams.ended(at: start)
        #expect(streams.failures == 1)
    }

    @Test("one that lasted works, even if it had nothing to tell")
    func lasting() {
        var streams = afterShortOnes()
        _ = streams.brought(.opened, at: start)
        streams.ended(at: start + .seconds(60))
        #expect(streams.failures == 1)
        let isCounted = streams.brought(.opened, at: start)
        #expect(isCounted)
    }

    @Test("attempts that open nothing make the pauses longer, and the next stream no less welcome")
    func away() {
        var streams = EventStreams()
        _ = streams.brought(.opened, at: start)
        for _ in 1...6 { streams.ended(at: start) }
        #expect(streams.failures == 6)
        let isCounted = streams.brought(.opened, at: start)
        #expect(isCounted)
    }
}
