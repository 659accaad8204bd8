import Coordination

/// Says when a device's own control gets the ReplayGain of the next song: when that is heard.
struct MixerGains {
    private struct Change {
        var place: Nanoseconds
        var gain: Float?
    }

    /// The factor that the device has; nil without ReplayGain.
    private var current: Float?
    private var coming: [Change] = []

    /// How much earlier than the song is heard: outputs look at their devices now and then.
    private static let early: Nanoseconds = .milliseconds(50)

    /// Notes sound that the device got.
    mutating func note(_ block: SampleBlock) {
        guard block.gain != (coming.last.map(\.gain) ?? current) else { return }
        coming.append(Change(place: block.start, gain: block.gain))
    }

    /// Sound that was not heard was discarded.
    mutating func flush() { coming = [] }

    /// The factor that the device is to have now that it has played up to a position; nil if it has that.
    ///
    /// - Parameter place: nil while nothing is heard, and then there is no need to wait.
    mutating func due(at place: Nanoseconds?) -> Float?? {
        let passed = coming.prefix { change in place.map { $0 + Self.early >= change.place } ?? true }
        guard let last = passed.last else { return nil }
        coming.removeFirst(passed.count)
        current = last.gain
        return .some(last.gain)
    }
}
