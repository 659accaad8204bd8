/// Counts how often a device had nothing left to play in the middle of sound.
///
/// Places are of the timeline, moments of the monotonic clock, both in nanoseconds.
struct UnderrunCount {
    /// How often that was so.
    private(set) var total = 0
    /// The end of the block that was given last; nil where the next one need not join on.
    private var end: Int64?
    /// The moment at which that block was given.
    private var givenAt: Int64 = 0

    /// After so long without sound music has ended and begins again.
    private static let longest: Int64 = 1_000_000_000

    /// Takes note of the next block, before the device has it.
    ///
    /// - Parameters:
    ///   - playedTo: the place up to which the device has played; nil while that isn't known.
    ///   - now: the moment.
    mutating func next(_ block: Range<Int64>, playedTo: Int64?, at now: Int64) {
        if let end, let playedTo, block.lowerBound == end, playedTo >= end, now - givenAt < Self.longest { total += 1 }
        (end, givenAt) = (block.upperBound, now)
    }

    /// The next block need not join on: there was a pause, a jump, or the device was closed.
    mutating func interrupt() { end = nil }
}
