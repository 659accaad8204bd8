import Coordination
import Testing

@Suite("Nanoseconds")
struct NanosecondsTests {
    private static let one = Nanoseconds(count: 1)

    @Test("units make the same times, up to the ends")
    func units() {
        #expect(Nanoseconds.seconds(2) == .milliseconds(2000) && Nanoseconds.milliseconds(3) == .microseconds(3000))
        #expect(Nanoseconds.microseconds(-4) == Nanoseconds(count: -4000))
        #expect(Nanoseconds.seconds(.max as Int) == .max && Nanoseconds.seconds(.min as Int) == .min)
        #expect(Nanoseconds.milliseconds(.max) == .max && Nanoseconds.microseconds(.min) == .min)
    }

    @Test("fractions of seconds are rounded to the nearest nanosecond, and numbers that are none make no time")
    func fractions() {
        #expect(Nanoseconds.seconds(0.25) == .milliseconds(250) && Nanoseconds.seconds(-1.5) == .milliseconds(-1500))
        #expect(Nanoseconds.seconds(1.6e-9) == Nanoseconds(count: 2) && Nanoseconds.seconds(1.4e-9) == Self.one)
        #expect(Nanoseconds.seconds(-1.6e-9) == Nanoseconds(count: -2))
        #expect(Nanoseconds.seconds(1e300) == .max && Nanoseconds.seconds(-.infinity) == .min)
        #expect(Nanoseconds.seconds(.nan) == .zero)
    }

    @Test("sums and differences stop at the ends")
    func sums() {
        #expect(Nanoseconds.seconds(1) + .milliseconds(500) == .milliseconds(1500))
        #expect(Nanoseconds.seconds(1) - .milliseconds(1500) == .milliseconds(-500))
        #expect(Nanoseconds.max + Self.one == .max && Nanoseconds.min + -Self.one == .min)
        #expect(Nanoseconds.min - Self.one == .min && Nanoseconds.max - -Self.one == .max)
        #expect(Nanoseconds.zero - .min == .max && Nanoseconds.max + .min == -Self.one)
        var time = Nanoseconds.max
        time += .seconds(1)
        #expect(time == .max)
        time -= Self.one
        #expect(time == Nanoseconds(count: .max - 1))
        time = .min
        time -= .seconds(1)
        #expect(time == .min)
    }

    @Test("the other direction of the end before all others is the last one")
    func directions() {
        #expect(-Nanoseconds.seconds(1) == .seconds(-1) && -Nanoseconds.min == .max)
        #expect(Nanoseconds.seconds(-1).magnitude == .seconds(1) && Nanoseconds.seconds(1).magnitude == .seconds(1))
        #expect(Nanoseconds.min.magnitude == .max)
    }

    @Test("products stop at the ends, whichever way the factors point")
    func products() {
        #expect(Nanoseconds.seconds(3) * 2 == .seconds(6) && Nanoseconds.seconds(3) * -2 == .seconds(-6))
        #expect(Nanoseconds.max * 2 == .max && Nanoseconds.min * 2 == .min)
        #expect(Nanoseconds.max * -2 == .min && Nanoseconds.min * -1 == .max)
        #expect(Nanoseconds.max * 0 == .zero)
    }

    @Test("products with fractions are rounded to the nearest nanosecond, and stop at the ends")
    func fractionalProducts() {
        #expect(Nanoseconds.seconds(2) * 0.75 == .milliseconds(1500))
        #expect(Nanoseconds(count: 3) * 0.5 == Nanoseconds(count: 2) && Nanoseconds(count: 3) * 0.4 == Self.one)
        #expect(Nanoseconds.max * 1.5 == .max && Nanoseconds.max * -1.5 == .min)
        #expect(Nanoseconds.seconds(1) * .nan == .zero)
    }

    @Test("parts are rounded toward zero, and a division by zero leads to the end on the time's side")
    func parts() {
        #expect(
            Nanoseconds(count: 7) / 2 == Nanoseconds(count: 3) && Nanoseconds(count: -7) / 2 == Nanoseconds(count: -3))
        #expect(Nanoseconds.min / -1 == .max)
        #expect(Nanoseconds.seconds(1) / 0 == .max && Nanoseconds.seconds(-1) / 0 == .min)
        #expect(Nanoseconds.zero / 0 == .zero)
    }

    @Test("a ratio says how many times as long a time is, and is zero to no time at all")
    func ratios() {
        #expect(Nanoseconds.seconds(3).ratio(to: .seconds(2)) == 1.5)
        #expect(Nanoseconds.seconds(-1).ratio(to: .seconds(4)) == -0.25)
        #expect(Nanoseconds.seconds(1).ratio(to: .zero) == 0 && Nanoseconds.zero.ratio(to: .zero) == 0)
    }

    @Test("durations come back the same, and those that don't fit become the nearest times that do")
    func durations() {
        for time in [Nanoseconds.min, .seconds(-1), -Self.one, .zero, Self.one, .milliseconds(1500), .max] {
            #expect(Nanoseconds(time.duration) == time)
        }
        #expect(Nanoseconds(Duration.seconds(1.5)) == .milliseconds(1500))
        let half = Duration(secondsComponent: 0, attosecondsComponent: 1_500_000_000)
        #expect(Nanoseconds(half) == Self.one && Nanoseconds(.zero - half) == -Self.one, "toward zero")
        #expect(Nanoseconds(Duration.seconds(Int64.max)) == .max && Nanoseconds(Duration.seconds(Int64.min)) == .min)
    }

    @Test("whole milliseconds are toward zero, and seconds have their fraction")
    func shown() {
        #expect(Nanoseconds(count: 1_999_999).milliseconds == 1 && Nanoseconds(count: -1_999_999).milliseconds == -1)
        #expect(Nanoseconds.milliseconds(1250).seconds == 1.25)
    }

    @Test("times are in order, and the ends are the first and the last")
    func order() {
        let times = [Nanoseconds.min, -Self.one, .zero, Self.one, .milliseconds(1), .seconds(1), .max]
        #expect(times.reversed().sorted() == times)
        #expect(min(.seconds(1), Nanoseconds.milliseconds(5)) == .milliseconds(5))
    }
}
