import Coordination

/// The missing sound of a track, and what the player knows of it. Moments are of the engine's clock.
struct Shortage {
    /// Since when sound is missing; nil while there is some.
    private(set) var since: Nanoseconds?
    private(set) var isTold = false
    /// True if sound that was mixed before bridged the gap at its beginning.
    private var wasBridged = false
    /// Since when some sound waits while more is waited for.
    private var gatheringSince: Nanoseconds?

    /// Sound is missing; true if the player is to be told: after `patience`, once nothing is left to bridge the gap.
    mutating func lasts(at now: Nanoseconds, patience: Nanoseconds, isHeard: Bool) -> Bool {
        if since == nil { wasBridged = !isHeard }
        let began = since ?? now
        since = began
        guard !isTold, isHeard, now - began >= patience else { return false }
        isTold = true
        return true
    }

    /// Sound is there; true if the player is to be told now of a gap that ended before that was due: what bridged it
    /// did not suffice. Where nothing bridged it from its beginning, playing has just begun there.
    mutating func wasHeard(_ isHeard: Bool) -> Bool {
        guard since != nil, wasBridged, isHeard, !isTold else { return false }
        isTold = true
        return true
    }

    /// Sound is there; true if the player is to be told that it need not be waited for any more.
    mutating func ends() -> Bool {
        startOver()
        defer { isTold = false }
        return isTold
    }

    /// Another position is played; what the player was told stays so until sound comes.
    mutating func startOver() { (since, gatheringSince) = (nil, nil) }

    /// True if a track whose sound was missing should still wait, so that it doesn't break off again at once. With
    /// `countsSilence` the time without any sound counts, too: stations that are silent for long are reconnected, and
    /// would never continue otherwise.
    mutating func holdsBack(queued: Nanoseconds, enough: Nanoseconds, countsSilence: Bool = false, at now: Nanoseconds)
        -> Bool
    {
        guard isTold, let since else { return false }
        if queued > .zero, gatheringSince == nil { gatheringSince = now }
        let begin = countsSilence ? since : gatheringSince ?? now
        return queued < enough && now - begin < Self.longest
    }

    /// True if a track that has not sounded yet should wait: its decoder may not have the next sound in time.
    mutating func gathersFirst(queued: Nanoseconds, enough: Nanoseconds, at now: Nanoseconds) -> Bool {
        let begin = gatheringSince ?? now
        gatheringSince = begin
        return queued < enough && now - begin < Self.maxStart
    }

    /// How long it waits for more sound before it continues with what there is.
    private static let longest: Nanoseconds = .seconds(5)
    /// The same of the first sound, which a listener waits for.
    private static let maxStart: Nanoseconds = .milliseconds(250)
}
