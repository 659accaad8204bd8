import MPDProtocol
import MusicModel
import Playback
import ServerLoop

extension Arguments {
    mutating func entryID() throws(AckError) -> QueueEntryID {
        QueueEntryID(rawValue: UInt32(truncatingIfNeeded: try unsigned()))
    }
}

extension ArgumentRange {
    @ServerActor
    func positions(in player: Player) throws(AckError) -> Range<Int> {
        guard let positions = clipped(to: player.count) else { throw AckError(.argument, "Bad song index") }
        return positions
    }
}

extension ArgumentPosition {
    /// Where new entries go, by MPD's `ParseInsertPosition`.
    @ServerActor
    func insertion(in player: Player) throws(AckError) -> Int {
        switch self {
        case .absolute(let position): return try Self.check(position, maximum: player.count)
        case .afterCurrent(let offset):
            let current = try Self.current(of: player)
            return current + 1 + (try Self.check(offset, maximum: player.count - current - 1))
        case .beforeCurrent(let offset):
            let current = try Self.current(of: player)
            return current - (try Self.check(offset, maximum: current))
        }
    }

    /// Where the first entry of `range` is once they moved, by MPD's `ParseMoveDestination`: `-N` is bound like `+N`.
    @ServerActor
    func destination(of range: Range<Int>, in player: Player) throws(AckError) -> Int {
        if case .absolute(let position) = self {
            return try Self.check(position, maximum: player.count - range.count)
        }
        var current = try Self.current(of: player)
        guard !range.contains(current) else { throw AckError(.argument, "Cannot move current song relative to itself") }
        if current >= range.upperBound { current -= range.count }
        let rest = player.count - current - range.count
        switch self {
        case .absolute(let position): return position
        case .afterCurrent(let offset): return current + 1 + (try Self.check(offset, maximum: rest))
        case .beforeCurrent(let offset): return current - (try Self.check(offset, maximum: rest))
        }
    }

    /// Checks a number against a bound; a negative bound is none, as MPD's arithmetic has no sign.
    private static func check(_ value: Int, maximum: Int) throws(AckError) -> Int {
        guard value <= maximum || maximum < 0 else { throw AckError(.argument, "Number too large: \(value)") }
        return value
    }

    @ServerActor
    private static func current(of player: Player) throws(AckError) -> Int {
        guard let current = player.current else { throw AckError(.playerSync, "No current song") }
        return current.position
    }
}

extension CommandContext {
    /// Checks a move of entries after which the first of them is at `target`; false where nothing moves. An empty
    /// range, which clients can write as `3:3`, is refused only where MPD's check of its last position fails.
    @ServerActor
    func checkMove(of range: Range<Int>, to target: Int) throws(AckError) -> Bool {
        let valid = 0..<player.count
        guard valid.contains(range.lowerBound), valid.contains(range.upperBound - 1),
            target >= 0, valid.contains(target + range.count - 1)
        else { throw AckError(.argument, "Bad song index") }
        return !range.isEmpty
    }
}
