import Testing

@testable import GStreamerAudio

@Suite("Which sound a sink plays")
struct SinkPlacesTests {
    private static let second: Int64 = 1_000_000_000

    @Test("nothing before the first sound, then the place goes with the pipeline's time")
    func begins() {
        var places = SinkPlaces()
        #expect(places.place(at: 0) == nil && places.last == nil)
        #expect(places.add(from: 5 * Self.second, to: 6 * Self.second) == 0)
        #expect(places.add(from: 6 * Self.second, to: 7 * Self.second) == Self.second)
        #expect(places.place(at: Self.second / 2) == 5 * Self.second + Self.second / 2)
        #expect(places.place(at: -1) == 5 * Self.second)
        #expect(places.last == 5 * Self.second)
    }

    @Test("the end counts as reached a millisecond early, and nothing is played beyond it")
    func end() {
        var places = SinkPlaces()
        _ = places.add(from: 0, to: Self.second)
        #expect(places.place(at: Self.second - 1_000_001) == Self.second - 1_000_001)
        #expect(places.place(at: Self.second - 1_000_000) == Self.second)
        #expect(places.place(at: 9 * Self.second) == Self.second)
    }

    @Test("sound from elsewhere counts from its own place, once the sound before it is over")
    func jumps() {
        var places = SinkPlaces()
        _ = places.add(from: 0, to: Self.second)
        #expect(places.add(from: 20 * Self.second, to: 22 * Self.second) == Self.second)
        #expect(places.place(at: Self.second / 2) == Self.second / 2)
        #expect(places.place(at: Self.second + 7) == 20 * Self.second + 7)
        #expect(places.place(at: Self.second / 2) == 20 * Self.second)
    }

    @Test("after a gap the sound that comes next is played a moment from now, and the place stands still until then")
    func gap() {
        var places = SinkPlaces()
        _ = places.add(from: 0, to: Self.second)
        places.skip(to: Self.second / 2)
        #expect(places.nextStamp == Self.second)
        places.skip(to: 3 * Self.second)
        #expect(places.nextStamp == 3 * Self.second + 30_000_000)
        #expect(places.add(from: Self.second, to: 2 * Self.second) == 3 * Self.second + 30_000_000)
        #expect(places.place(at: 3 * Self.second) == Self.second)
        #expect(places.place(at: 3 * Self.second + 30_000_005) == Self.second + 5)
    }

    @Test("a pipeline whose clock does not run yet skips nothing")
    func early() {
        var places = SinkPlaces()
        places.skip(to: -1)
        #expect(places.nextStamp == 0 && places.last == nil)
    }
}
