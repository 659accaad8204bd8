/// Notices when a device has nothing left to play in the middle of sound.
///
/// Places are of the timeline, moments of the monotonic clock, both in nanoseconds.
struct UnderrunWatch {
    /// The end of the block that was given last; nil where the next one need not join on.
    private var end: Int64?
    /// The moment at which that block was given.
    private var givenAt: Int64 = 0

    /// After so long without sound music has ended and begins again.
    private static let longest: Int64 = 1_000_000_000

    /// Takes note of the next block, before the device has it, and says whether sound was missing before it.
    ///
    /// - Parameters:
    ///   - playedTo: the place up to which the device has played; nil while that isn't known.
    ///   - now: the moment.
    mutating func isGap(before block: Range<Int64>, playedTo: Int64?, at now: Int64) -> Bool {
        defer { (end, givenAt) = (block.upperBound, now) }
        guard let end, let playedTo, block.lowerBound == end else { return false }
        return playedTo >= end && now - givenAt < Self.longest
    }

    /// The next block need not join on: there was a pause, a jump, a wait for the song, or the device was closed.
    mutating func interrupt() { end = nil }
}
