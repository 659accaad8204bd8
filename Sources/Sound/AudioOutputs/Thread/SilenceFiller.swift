import AudioFiles
import Coordination

/// Says how much silence is missing in an output whose listeners would leave if there were no sound at all.
struct SilenceFiller {
    /// How long it waits for sound that is missing for no known reason, since silence would only delay it.
    private static let patience: Nanoseconds = .seconds(1)
    /// The shortest and the longest silence worth sending at a time.
    private static let length: ClosedRange<Nanoseconds> = .milliseconds(40) ... .milliseconds(500)

    /// Until when there is sound, on the engine's clock.
    private var soundUntil: Nanoseconds = .zero
    private var isResting = false

    /// Starts over: there is sound up to now.
    mutating func begin(at now: Nanoseconds) { (soundUntil, isResting) = (now, false) }

    /// Sound came.
    mutating func heard(_ duration: Nanoseconds, at now: Nanoseconds) {
        soundUntil = min(max(soundUntil, now) + duration, now + Self.patience)
        isResting = false
    }

    /// No sound is to be expected.
    mutating func rest() { isResting = true }

    /// How much silence is to be sent now; nil if none.
    mutating func missing(at now: Nanoseconds) -> Nanoseconds? {
        let gap = now - soundUntil
        if gap > Self.patience { isResting = true }
        guard isResting, gap >= Self.length.lowerBound else { return nil }
        soundUntil = now
        return min(gap, Self.length.upperBound)
    }
}

extension SampleBlock {
    /// Silence of no position in the timeline.
    static func silence(_ length: Nanoseconds, _ layout: SampleLayout) -> SampleBlock {
        let samples = [Float](repeating: 0, count: layout.frames(in: length) * layout.channels)
        return SampleBlock(start: nowhere, duration: length, layout: layout, samples: samples)
    }
}
