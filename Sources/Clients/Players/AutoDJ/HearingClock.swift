/// Measures how long an entry of the queue has been heard, by what its player reports.
struct HearingClock {
    private var heard = Duration.zero
    private var since: ContinuousClock.Instant?

    /// Notes whether the entry sounds from now on.
    mutating func update(isPlaying: Bool, _ now: ContinuousClock.Instant) {
        if let since { heard += since.duration(to: now) }
        since = isPlaying ? now : nil
    }

    func total(_ now: ContinuousClock.Instant) -> Duration { heard + (since?.duration(to: now) ?? .zero) }
}
