struct SongPosition: Hashable, Sendable {
    private(set) var position: Duration
    /// True if a seek is under way, so that `position` is right and the engine's reading isn't yet.
    private(set) var isSeeking = false
    /// True if a paused song was moved beyond its end, so that resuming continues with the next.
    private(set) var isAtEnd = false

    init(_ position: Duration = .zero) { self.position = position }
    mutating func progressed(to place: Duration) { if !isSeeking { position = place } }

    mutating func seek(to place: Duration, inEngine: Bool) {
        (position, isAtEnd) = (place, false)
        if inEngine { isSeeking = true }
    }

    mutating func passEnd(_ end: Duration) { (position, isSeeking, isAtEnd) = (end, true, true) }

    /// The engine has sought `target`, and is somewhere; true if clients were told of a position that is far from
    /// there. The answer to an earlier seek may come when another one is under way already.
    mutating func arrived(for target: Duration, at place: Duration) -> Bool {
        guard isSeeking, !isAtEnd, target == position else { return false }
        let difference = place - position
        (position, isSeeking) = (place, false)
        return difference > Self.tolerance || difference < .zero - Self.tolerance
    }

    private static let tolerance = Duration.milliseconds(500)
}
