package import AudioFiles
package import Coordination
package import MusicModel

/// Sound on its way from a deck to the outputs, with what is known of it so far.
package struct SampleBlock: Sendable {
    /// The position of sound that has none in the timeline.
    package static let nowhere = Nanoseconds(count: -1)
    /// The position of the first frame in the timeline.
    package var start: Nanoseconds
    /// The position of the first frame in its track.
    package var place: Nanoseconds = .zero
    /// How many times as fast as recorded the track continues within it.
    package var speed = 1.0
    /// How long it lasts.
    package var duration: Nanoseconds
    /// Rate and channels.
    package var layout: SampleLayout
    /// The samples, interleaved; outputs apply the volume.
    package var samples: [Float] { didSet { integers = nil } }
    /// The song's own samples as 32-bit integers, before ReplayGain, where floats don't hold them; nil once changed.
    package var integers: [Int32]?
    /// The same without ReplayGain, where that differs and some output wants it so.
    package var plainSamples: [Float]?
    /// True if ReplayGain has changed the samples.
    package var isLevelled = false
    /// The play that it belongs to.
    package var play: UInt64 = 0
    /// The tags of the song; empty while none are known.
    package var tags: [TagValue] = []
    /// The factor of the song's ReplayGain, for outputs whose device applies it; nil while ReplayGain is off.
    package var gain: Float?
    /// The format of the song's samples before they became floats.
    package var source = AudioFormat.Sample.unknown
    /// True if the samples are DoP, which nothing may change but for their markers.
    package var isDoP = false
    /// True if its song had to be waited for, so that outputs ran dry before it through no fault of theirs.
    package var followsWait = false
    /// For how long its song's sound was missing when it was to be mixed.
    package var missing: Nanoseconds = .zero
    /// When it was mixed, on the engine's clock.
    package var mixedAt: Nanoseconds = .zero

    /// Sound of no song, as long as nothing else is said.
    package init(start: Nanoseconds = nowhere, duration: Nanoseconds? = nil, layout: SampleLayout, samples: [Float]) {
        (self.start, self.layout, self.samples) = (start, layout, samples)
        self.duration = duration ?? layout.length(frames: samples.count / layout.channels)
    }

    /// The position after the last frame.
    package var end: Nanoseconds { start + duration }
    /// How many frames it holds.
    package var frames: Int { samples.count / layout.channels }

    /// The parts before and behind a position within it, to the exact frame; nil if one of them would be empty.
    func split(at place: Nanoseconds) -> (before: SampleBlock, behind: SampleBlock)? {
        let count = layout.frames(in: place - start).multipliedClamped(by: layout.channels)
        guard place > start, place < end, count > 0, count < samples.count else { return nil }
        var (before, behind) = (self, self)
        before.keep(0..<count)
        before.duration = place - start
        behind.keep(count..<samples.count)
        (behind.start, behind.duration, behind.followsWait) = (place, end - place, false)
        return (before, behind)
    }

    mutating func keep(_ range: Range<Int>) {
        let kept = integers.map { Array($0[range]) }
        change { $0 = Array($0[range]) }
        integers = kept
    }

    /// Changes the samples, with ReplayGain and without.
    package mutating func change(_ body: (inout [Float]) -> Void) {
        body(&samples)
        guard var plain = plainSamples else { return }
        body(&plain)
        plainSamples = plain
    }

    /// Brings the sound that an output gets into `samples`: without ReplayGain where it is to have it so.
    mutating func choose(plain wantsPlain: Bool) {
        let own = integers
        if wantsPlain, let plainSamples {
            samples = plainSamples
            integers = own
        } else if isLevelled {
            integers = nil
        }
    }
}
