/// Pauses between attempts that grow while something keeps failing.
package struct Backoff: Hashable, Sendable {
    var pauses: ClosedRange<Duration>

    /// Makes pauses; each is twice as long as the one before it, up to the longest.
    package init(_ pauses: ClosedRange<Duration> = .seconds(5) ... .seconds(300)) { self.pauses = pauses }

    /// The pause after a number of failures in a row.
    package func pause(after failures: Int) -> Duration {
        let doublings = min(max(failures, 1) - 1, 16)
        return min(pauses.lowerBound * (1 << doublings), pauses.upperBound)
    }
}
