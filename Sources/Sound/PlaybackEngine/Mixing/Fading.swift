import Coordination
import MusicModel
import Playback

/// Fades before a pause or a stop, and what follows on them; for the player the music holds already.
struct Fading {
    enum Goal: Equatable {
        /// The music waits where the fade has ended.
        case pause
        /// The tracks are discarded.
        case stop
    }

    let settings: FadeSettings
    private(set) var goal: Goal?
    /// The position in the timeline at which the fade ends; there is no end while there is none.
    private(set) var end = Nanoseconds.max
    /// When it ends in any case, on the engine's clock.
    private var deadline = Nanoseconds.max

    init(_ settings: FadeSettings) { self.settings = settings }

    func length(before goal: Goal) -> Nanoseconds {
        max(.zero, Nanoseconds(goal == .pause ? settings.pause : settings.stop))
    }

    /// Begins to fade; an output that doesn't play on is not waited for.
    mutating func begin(_ goal: Goal, from heard: Nanoseconds, to end: Nanoseconds, at now: Nanoseconds) {
        (self.goal, self.end) = (goal, end)
        deadline = now + (end - heard) + Self.patience
    }

    private static let patience: Nanoseconds = .milliseconds(500)

    /// Something else follows on the fade that is under way; false if there is none.
    mutating func turn(to goal: Goal) -> Bool {
        guard self.goal != nil else { return false }
        self.goal = goal
        return true
    }

    func isOver(heard: Nanoseconds, at now: Nanoseconds) -> Bool { goal != nil && (heard >= end || now >= deadline) }

    mutating func finish() -> Goal? {
        defer { (goal, end, deadline) = (nil, .max, .max) }
        return goal
    }
}
