import Coordination

/// The mixer of a device that scales its loudness itself.
/// - Isolation: any thread; nothing here waits for the device.
package protocol OutputMixer: AnyObject, Sendable {
    /// The volume, 0 to 100; nil while the device doesn't tell.
    var volume: Int? { get }
    /// Sets the volume, 0 to 100, soon.
    func setVolume(_ volume: Int)
    /// Sets the factor for ReplayGain on top of the volume, which stays, or is `usual` if it was never set or changed.
    func setGain(_ gain: Float, usual: Int)
    /// Lets the device go.
    func close()
}

/// Says when a device's own control gets the ReplayGain of the next song: when that is heard.
struct MixerGains {
    private struct Change {
        var place: Nanoseconds
        var gain: Float?
    }

    private var current: Float?
    private var coming: [Change] = []
    /// How much earlier than the song is heard: outputs look at their devices now and then.
    private static let early: Nanoseconds = .milliseconds(50)

    mutating func note(_ block: SampleBlock) {
        guard block.gain != (coming.last.map(\.gain) ?? current) else { return }
        coming.append(Change(place: block.start, gain: block.gain))
    }

    /// Sound that was not heard was discarded.
    mutating func flush() { coming = [] }

    /// The factor that the device is to have now that it has played up to a position; nil if it has that.
    mutating func due(at place: Nanoseconds?) -> Float?? {
        let passed = coming.prefix { change in place.map { $0 + Self.early >= change.place } ?? true }
        guard let last = passed.last else { return nil }
        coming.removeFirst(passed.count)
        current = last.gain
        return .some(last.gain)
    }
}
