/// A time in whole nanoseconds, one word as the system and GStreamer count it: a length, a place in sound, or a moment
/// on the monotonic clock. Where a result doesn't fit, arithmetic gives the nearest time that does, since headers,
/// servers and clients have a say in times.
@usableFromInline
package struct Nanoseconds: Hashable, Comparable, Sendable {
    /// How many there are; below zero before the place or moment that is counted from.
    @usableFromInline package let count: Int64

    /// A number of nanoseconds.
    @inlinable package init(count: Int64) { self.count = count }

    /// No time, and the place or moment that is counted from.
    @inlinable package static var zero: Nanoseconds { Nanoseconds(count: 0) }

    /// The longest time, 292 years, and the moment that never comes.
    @inlinable package static var max: Nanoseconds { Nanoseconds(count: .max) }

    /// The time before all others.
    @inlinable package static var min: Nanoseconds { Nanoseconds(count: .min) }

    /// True if both are the same.
    @inlinable package static func == (one: Nanoseconds, other: Nanoseconds) -> Bool { one.count == other.count }

    /// True if the first is shorter, or comes before the second.
    @inlinable package static func < (one: Nanoseconds, other: Nanoseconds) -> Bool { one.count < other.count }
}

extension Nanoseconds {
    /// A number of seconds, or the nearest time that there is.
    @inlinable
    package static func seconds(_ seconds: Int) -> Nanoseconds { Nanoseconds(count: Int64(seconds)) * 1_000_000_000 }

    /// A number of seconds to the nearest nanosecond, or the nearest time that there is; zero for NaN.
    @inlinable package static func seconds(_ seconds: Double) -> Nanoseconds { Nanoseconds(rounding: seconds * 1e9) }

    /// A number of milliseconds, or the nearest time that there is.
    @inlinable package static func milliseconds(_ milliseconds: Int) -> Nanoseconds {
        Nanoseconds(count: Int64(milliseconds)) * 1_000_000
    }

    /// A number of microseconds, or the nearest time that there is.
    @inlinable package static func microseconds(_ microseconds: Int) -> Nanoseconds {
        Nanoseconds(count: Int64(microseconds)) * 1000
    }

    /// The whole nanoseconds of a duration, toward zero, or the nearest time that there is.
    package init(_ duration: Duration) {
        let (seconds, attoseconds) = duration.components
        self = .seconds(Int(seconds)) + Nanoseconds(count: attoseconds / 1_000_000_000)
    }

    /// The same for those that count otherwise.
    @inlinable package var duration: Duration { .nanoseconds(count) }

    /// The same in seconds.
    @inlinable package var seconds: Double { Double(count) / 1e9 }

    /// The whole milliseconds, toward zero.
    @inlinable package var milliseconds: Int { Int(count / 1_000_000) }
}

extension Nanoseconds {
    /// The sum, or the end beyond which it lies.
    @inlinable package static func + (one: Nanoseconds, other: Nanoseconds) -> Nanoseconds {
        let (sum, overflows) = one.count.addingReportingOverflow(other.count)
        guard overflows else { return Nanoseconds(count: sum) }
        return other.count < 0 ? .min : .max
    }

    /// The difference, or the end beyond which it lies.
    @inlinable package static func - (one: Nanoseconds, other: Nanoseconds) -> Nanoseconds {
        let (difference, overflows) = one.count.subtractingReportingOverflow(other.count)
        guard overflows else { return Nanoseconds(count: difference) }
        return other.count < 0 ? .max : .min
    }

    /// Adds a time, up to the end beyond which the sum lies.
    @inlinable package static func += (time: inout Nanoseconds, other: Nanoseconds) { time = time + other }

    /// Takes a time off, up to the end beyond which the difference lies.
    @inlinable package static func -= (time: inout Nanoseconds, other: Nanoseconds) { time = time - other }

    /// The same time in the other direction.
    @inlinable package static prefix func - (time: Nanoseconds) -> Nanoseconds { .zero - time }

    /// A multiple of the time, or the end beyond which that lies.
    @inlinable package static func * (time: Nanoseconds, factor: Int) -> Nanoseconds {
        let (product, overflows) = time.count.multipliedReportingOverflow(by: Int64(factor))
        guard overflows else { return Nanoseconds(count: product) }
        return (time.count < 0) == (factor < 0) ? .max : .min
    }

    /// The time by a factor to the nearest nanosecond, or the end beyond which that lies; zero for NaN.
    @inlinable package static func * (time: Nanoseconds, factor: Double) -> Nanoseconds {
        Nanoseconds(rounding: Double(time.count) * factor)
    }

    /// A part of the time, rounded toward zero; a division by zero gives the end on the time's side, and zero for zero.
    @inlinable package static func / (time: Nanoseconds, divisor: Int) -> Nanoseconds {
        let (quotient, overflows) = time.count.dividedReportingOverflow(by: Int64(divisor))
        guard overflows else { return Nanoseconds(count: quotient) }
        guard divisor == 0 else { return .max }
        return time.count < 0 ? .min : time.count > 0 ? .max : .zero
    }

    /// How many times as long it is as another one; zero where that is zero.
    @inlinable
    package func ratio(to other: Nanoseconds) -> Double { other.count == 0 ? 0 : Double(count) / Double(other.count) }

    /// How long it is, in whichever direction.
    @inlinable package var magnitude: Nanoseconds { count < 0 ? -self : self }

    /// The nearest whole number that fits; zero for NaN.
    @inlinable init(rounding value: Double) {
        let rounded = value.rounded()
        if let exact = Int64(exactly: rounded) {
            self.init(count: exact)
        } else if rounded.isNaN {
            self.init(count: 0)
        } else {
            self.init(count: rounded < 0 ? .min : .max)
        }
    }
}
