/// A range of positions as clients write it: `5`, `2:7`, `2:`, or `-1` for everything.
package struct ArgumentRange: Hashable, Sendable {
    /// The first position.
    package var start: Int
    /// The position behind the last one; nil is the end, wherever that is.
    package var end: Int?

    /// Makes a range; `end` is not below `start`.
    package init(_ start: Int, _ end: Int?) {
        self.start = start
        self.end = end
    }

    /// `0:`, from the first position to the end.
    package static let everything = ArgumentRange(0, nil)

    /// True if it is everything there is.
    package var isEverything: Bool { start == 0 && end == nil }

    /// True if the client left the end open.
    package var isOpenEnded: Bool { end == nil }

    /// The positions within `count`, the end clipped; nil when the start lies beyond `count`, which is an error.
    package func clipped(to count: Int) -> Range<Int>? {
        guard start <= count else { return nil }
        return start..<max(start, min(end ?? count, count))
    }

    /// The range for a query's window; nil is everything.
    package var window: Range<Int>? { isEverything ? nil : start..<(end ?? .max) }
}

/// A place in the queue as clients write it: `7`, `+0`, `-2`; its bounds are the command's to check.
package enum ArgumentPosition: Hashable, Sendable {
    case absolute(Int)
    case afterCurrent(Int)
    case beforeCurrent(Int)
}

/// Where `seekcur` goes: `12.5`, or `+5` and `-5` from where the song is.
package enum SeekTarget: Hashable, Sendable {
    /// A place in the song; may be negative if a client wrote `-0`, never otherwise.
    case absolute(Duration)
    case relative(Duration)
}
