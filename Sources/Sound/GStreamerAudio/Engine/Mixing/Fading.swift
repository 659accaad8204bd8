import MusicModel

/// Fades before a pause or a stop: the one that is under way, and what follows on it.
///
/// For the player the music holds already while it fades.
/// - Isolation: the engine's thread.
struct Fading {
    /// The state that a fade leads to.
    enum Goal: Equatable {
        /// The music waits where the fade has ended.
        case pause
        /// The tracks are discarded.
        case stop
    }

    let settings: FadeSettings
    /// The goal of the fade that is under way; nil while there is none.
    private(set) var goal: Goal?
    /// The place in the timeline at which the fade ends; there is no end while there is none.
    private(set) var end = Int64.max
    /// When it ends in any case, on the monotonic clock.
    private var deadline = Int64.max

    init(_ settings: FadeSettings) { self.settings = settings }

    /// How long the sound fades before that, in nanoseconds; 0 is not at all.
    func length(before goal: Goal) -> Int64 { max(0, (goal == .pause ? settings.pause : settings.stop).nanoseconds) }

    /// Begins to fade; an output that doesn't play on is not waited for.
    mutating func begin(_ goal: Goal, from heard: Int64, to end: Int64, at now: Int64) {
        (self.goal, self.end) = (goal, end)
        deadline = now.addingClamped(end - heard).addingClamped(Self.patience)
    }

    private static let patience: Int64 = 500_000_000

    /// Something else follows on the fade that is under way; false if there is none.
    mutating func turn(to goal: Goal) -> Bool {
        guard self.goal != nil else { return false }
        self.goal = goal
        return true
    }

    /// Whether the fade that is under way has been heard, or takes too long.
    func isOver(heard: Int64, at now: Int64) -> Bool { goal != nil && (heard >= end || now >= deadline) }

    /// Ends the fade; gives what follows on it, if there was one.
    mutating func finish() -> Goal? {
        defer { (goal, end, deadline) = (nil, .max, .max) }
        return goal
    }
}
