import Testing

@testable import Players

@Suite("The time that an entry is heard")
struct HearingClockTests {
    @Test("pauses don't count")
    func pauses() {
        let start = ContinuousClock.now
        var clock = HearingClock()
        clock.update(isPlaying: true, start)
        clock.update(isPlaying: true, start + .seconds(5))
        clock.update(isPlaying: false, start + .seconds(8))
        clock.update(isPlaying: true, start + .seconds(100))
        #expect(clock.total(start + .seconds(102)) == .seconds(10))
    }
}
