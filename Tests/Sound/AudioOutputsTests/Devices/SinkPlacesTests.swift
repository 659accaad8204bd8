import Coordination
import Testing

@testable import AudioOutputs

@Suite("Which sound a sink plays")
struct SinkPlacesTests {
    private static let second = Nanoseconds.seconds(1)

    @Test("nothing before the first sound, then the place goes with the pipeline's time")
    func begins() {
        var places = SinkPlaces()
        #expect(places.place(at: .zero) == nil && places.last == nil)
        #expect(places.add(from: .seconds(5), to: .seconds(6)) == .zero)
        #expect(places.add(from: .seconds(6), to: .seconds(7)) == Self.second)
        #expect(places.place(at: Self.second / 2) == .seconds(5) + Self.second / 2)
        #expect(places.place(at: Nanoseconds(count: -1)) == .seconds(5))
        #expect(places.last == .seconds(5))
    }

    @Test("the end counts as reached a millisecond early, and nothing is played beyond it")
    func end() {
        var places = SinkPlaces()
        _ = places.add(from: .zero, to: Self.second)
        let earlier = Self.second - Nanoseconds(count: 1_000_001)
        #expect(places.place(at: earlier) == earlier)
        #expect(places.place(at: Self.second - .milliseconds(1)) == Self.second)
        #expect(places.place(at: .seconds(9)) == Self.second)
    }

    @Test("sound from elsewhere counts from its own place, once the sound before it is over")
    func jumps() {
        var places = SinkPlaces()
        _ = places.add(from: .zero, to: Self.second)
        #expect(places.add(from: .seconds(20), to: .seconds(22)) == Self.second)
        #expect(places.place(at: Self.second / 2) == Self.second / 2)
        #expect(places.place(at: Self.second + .microseconds(7)) == .seconds(20) + .microseconds(7))
        #expect(places.place(at: Self.second / 2) == .seconds(20))
    }

    @Test("after a gap the sound that comes next is played a moment from now, and the place stands still until then")
    func gap() {
        var places = SinkPlaces()
        _ = places.add(from: .zero, to: Self.second)
        places.skip(to: Self.second / 2)
        #expect(places.nextStamp == Self.second)
        places.skip(to: .seconds(3))
        #expect(places.nextStamp == .milliseconds(3030))
        #expect(places.add(from: Self.second, to: .seconds(2)) == .milliseconds(3030))
        #expect(places.place(at: .seconds(3)) == Self.second)
        #expect(places.place(at: .milliseconds(3030) + .microseconds(5)) == Self.second + .microseconds(5))
    }

    @Test("a pipeline whose clock does not run yet skips nothing")
    func early() {
        var places = SinkPlaces()
        places.skip(to: Nanoseconds(count: -1))
        #expect(places.nextStamp == .zero && places.last == nil)
    }
}
