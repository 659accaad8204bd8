// Arithmetic for numbers from outside: tags, headers, arguments, answers of servers. Swift's plain operators stop the
// program when a result doesn't fit; these yield the nearest value that does.

extension FixedWidthInteger {
    /// The sum, or the bound beyond which it lies.
    @inlinable package func addingClamped(_ other: Self) -> Self {
        let (sum, overflows) = addingReportingOverflow(other)
        guard overflows else { return sum }
        return other < 0 ? .min : .max
    }

    /// The difference, or the bound beyond which it lies.
    @inlinable package func subtractingClamped(_ other: Self) -> Self {
        let (difference, overflows) = subtractingReportingOverflow(other)
        guard overflows else { return difference }
        return other < 0 ? .max : .min
    }

    /// The product, or the bound beyond which it lies.
    @inlinable package func multipliedClamped(by other: Self) -> Self {
        let (product, overflows) = multipliedReportingOverflow(by: other)
        guard overflows else { return product }
        return (self < 0) == (other < 0) ? .max : .min
    }

    /// The whole part of `value`, or the nearest number that fits: infinities become the bounds, and NaN zero.
    @inlinable package init(saturating value: Double) {
        if let exact = Self(exactly: value.rounded(.towardZero)) {
            self = exact
        } else if value.isNaN {
            self = 0
        } else {
            self = value < 0 ? .min : .max
        }
    }
}

extension Comparable {
    /// This value, or the end of `bounds` beyond which it lies; NaN stays NaN.
    @inlinable package func clamped(to bounds: ClosedRange<Self>) -> Self {
        if self < bounds.lowerBound { return bounds.lowerBound }
        return self > bounds.upperBound ? bounds.upperBound : self
    }
}

extension Duration {
    /// The longest time that anything from outside may last: 2³¹ seconds, whose nanoseconds fit into 64 bits.
    package static let maxFromOutside = Duration.seconds(Int64(1) << 31)

    /// A time from outside in seconds, within `bounds`; NaN becomes the shortest.
    package static func seconds(
        clamping seconds: Double, to bounds: ClosedRange<Duration> = .zero ... .maxFromOutside
    ) -> Duration {
        guard !seconds.isNaN else { return bounds.lowerBound }
        let limit = 18_446_744_073_709_551_616.0
        return Duration.seconds(seconds.clamped(to: -limit...limit)).clamped(to: bounds)
    }

    /// A time from outside in whole seconds, within `bounds`.
    package static func seconds(
        clamping seconds: some BinaryInteger, to bounds: ClosedRange<Duration> = .zero ... .maxFromOutside
    ) -> Duration { Duration.seconds(Int64(clamping: seconds)).clamped(to: bounds) }

    /// A time from outside in milliseconds, within `bounds`.
    package static func milliseconds(
        clamping milliseconds: some BinaryInteger, to bounds: ClosedRange<Duration> = .zero ... .maxFromOutside
    ) -> Duration { Duration.milliseconds(Int64(clamping: milliseconds)).clamped(to: bounds) }
}
