import Coordination

/// Notices when a device has nothing left to play in the middle of sound.
///
/// Places are of the timeline, moments of the engine's clock.
struct UnderrunWatch {
    /// The end of the block that was given last; nil where the next one need not join on.
    private var end: Nanoseconds?
    /// The moment at which that block was given.
    private var givenAt: Nanoseconds = .zero

    /// The moment of the gap that was counted last.
    private var countedAt: Nanoseconds?

    /// True if a block was given on which the next one joins.
    var isWatching: Bool { end != nil }

    /// After longer without sound, music has ended and starts again.
    private static let longest: Nanoseconds = .seconds(1)

    /// Notes the next block, before the device has it, and says whether sound was missing before it.
    ///
    /// - Parameters:
    ///   - playedTo: the position up to which the device has played; nil while that isn't known.
    ///   - now: the moment.
    mutating func isGap(before block: Range<Nanoseconds>, playedTo: Nanoseconds?, at now: Nanoseconds) -> Bool {
        defer { (end, givenAt) = (block.upperBound, now) }
        guard let end, let playedTo, block.lowerBound == end else { return false }
        return playedTo >= end && now - givenAt < Self.longest
    }

    /// True if a gap that is seen now is to be counted: one may be seen by several, and in pieces.
    mutating func isAnotherGap(at now: Nanoseconds) -> Bool {
        if let countedAt, now - countedAt < Self.oneGap { return false }
        countedAt = now
        return true
    }

    private static let oneGap: Nanoseconds = .milliseconds(500)

    /// The next block need not join on: there was a pause, a jump, a wait for the song, or the device was closed.
    mutating func interrupt() { end = nil }
}
