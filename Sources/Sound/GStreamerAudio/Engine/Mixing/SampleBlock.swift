import MusicModel

/// The rate and channel count of 32-bit float samples, interleaved.
struct SampleLayout: Hashable, Sendable {
    /// Frames a second.
    var rate: Int
    /// Samples a frame, 1 to 8, in the order of `Speaker.layout(channels:)`.
    var channels: Int

    /// Whether sound of another layout can be mixed with it: its rate is changed, but no surround is put into stereo.
    func overlaps(_ other: SampleLayout) -> Bool {
        channels == other.channels || max(channels, other.channels) <= 2
    }

    /// How long so many frames last, in nanoseconds, as far as 64 bits hold that.
    func nanoseconds(frames: Int) -> Int64 { Self.scale(Int64(frames), 1_000_000_000, by: Int64(max(1, rate))) }

    /// How many frames fit best into so many nanoseconds.
    func frames(nanoseconds: Int64) -> Int {
        let (seconds, rest) = nanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
        return Int(seconds).multipliedClamped(by: rate).addingClamped(
            Int(saturating: (Double(rest) * Double(rate) / 1e9).rounded()))
    }

    /// How many frames a block of so many nanoseconds has: at least one, or there would be no end of blocks.
    func blockFrames(nanoseconds: Int64) -> Int { max(1, frames(nanoseconds: nanoseconds)) }

    private static func scale(_ value: Int64, _ factor: Int64, by divisor: Int64) -> Int64 {
        let (whole, rest) = value.quotientAndRemainder(dividingBy: divisor)
        return whole.multipliedClamped(by: factor).addingClamped(rest.multipliedClamped(by: factor) / divisor)
    }
}

/// Samples with their place in the timeline, ready for the outputs.
struct SampleBlock: Sendable {
    /// The place of the first frame in the timeline, in nanoseconds.
    var start: Int64
    /// How long it lasts, in nanoseconds.
    var duration: Int64
    /// Rate and channels.
    var layout: SampleLayout
    /// The samples, interleaved; outputs apply the volume.
    var samples: [Float]
    /// The same without ReplayGain, where that differs and some output wants it so.
    var plainSamples: [Float]?
    /// The play that it belongs to.
    var play: UInt64 = 0
    /// The tags of the song; empty while none are known.
    var tags: [TagValue] = []
    /// The factor of the song's ReplayGain, for outputs whose device applies it; nil while ReplayGain is off.
    var gain: Float?
    /// The format of the song's samples before they became floats.
    var source = AudioFormat.Sample.unknown
    /// Whether the samples are DoP, which nothing may change but for their markers.
    var isDoP = false
    /// Whether its song had to be waited for, so that outputs ran dry before it through no fault of theirs.
    var followsWait = false
    /// For how long its song's sound was missing when it was to be mixed, in nanoseconds.
    var missing: Int64 = 0
    /// When it was mixed, on the monotonic clock.
    var mixedAt: Int64 = 0

    /// The place after the last frame, in nanoseconds.
    var end: Int64 { start.addingClamped(duration) }
    /// How many frames it holds.
    var frames: Int { samples.count / layout.channels }

    /// The parts before and behind a place within it, from the very frame; nil if one of them would be empty.
    func split(at place: Int64) -> (before: SampleBlock, behind: SampleBlock)? {
        let count = layout.frames(nanoseconds: place.subtractingClamped(start)).multipliedClamped(by: layout.channels)
        guard place > start, place < end, count > 0, count < samples.count else { return nil }
        var (before, behind) = (self, self)
        before.samples.removeLast(samples.count - count)
        before.plainSamples?.removeLast(samples.count - count)
        before.duration = place - start
        behind.samples.removeFirst(count)
        behind.plainSamples?.removeFirst(count)
        (behind.start, behind.duration, behind.followsWait) = (place, end - place, false)
        return (before, behind)
    }
}
