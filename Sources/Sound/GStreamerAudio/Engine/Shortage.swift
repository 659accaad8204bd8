/// Whether a track's sound is missing, and whether the player knows that. Moments are of the monotonic clock.
struct Shortage {
    /// Since when sound is missing; nil while there is some.
    private(set) var since: Int64?
    /// Whether the player was told that sound is waited for.
    private(set) var isTold = false

    /// Sound is missing; true if the player is to be told now.
    ///
    /// - Parameters:
    ///   - patience: How long it may be missing before that is told, in nanoseconds.
    ///   - isHeard: Whether nothing is left that bridges the gap.
    mutating func lasts(at now: Int64, patience: Int64, isHeard: Bool) -> Bool {
        let began = since ?? now
        since = began
        guard !isTold, isHeard, now - began > patience else { return false }
        isTold = true
        return true
    }

    /// Sound is missing where it should join on; true if the player is to be told now.
    mutating func begins(at now: Int64) -> Bool {
        guard !isTold else { return false }
        (since, isTold) = (now, true)
        return true
    }

    /// Sound is there; true if the player is to be told that it need not be waited for any more.
    mutating func ends() -> Bool {
        since = nil
        defer { isTold = false }
        return isTold
    }

    /// Another place is played, where nothing is known to be missing; what the player was told stays so until sound
    /// comes.
    mutating func startOver() { since = nil }

    /// Whether a track whose sound was missing should still wait, so that it doesn't break off again at once.
    ///
    /// - Parameters:
    ///   - queued: How much of the sound is there by now, in nanoseconds.
    ///   - enough: How much suffices.
    func holdsBack(queued: Int64, enough: Int64, at now: Int64) -> Bool {
        guard isTold, let since else { return false }
        return queued < enough && now - since < Self.longest
    }

    /// So long more sound is waited for, in nanoseconds, before it goes on with what there is.
    private static let longest: Int64 = 5_000_000_000
}
