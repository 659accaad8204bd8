import AudioFiles
import AudioOutputs
import Coordination

/// How fast songs play, and the sound that is being stretched for that.
///
/// Stations play as fast as they send.
/// - Isolation: the engine's thread.
struct PlayingSpeed {
    /// The speed that is wanted: 1 is as it was recorded.
    var speed = 1.0
    private var stretch: TimeStretch?
    /// The state of the sound that is being stretched.
    private var (layout, stretched, hasPlain) = (SampleLayout(rate: 0, channels: 0), 1.0, false)

    /// How many frames are held back.
    private var held: Int { stretch?.held ?? 0 }

    /// True if the next sound has to go a way of its own: what is held back comes first, by `finish`.
    func mustFinish(before block: SampleBlock) -> Bool {
        stretch != nil
            && (block.layout != layout || speed != stretched || (block.plainSamples != nil) != hasPlain)
    }

    /// Takes sound and gives what it makes; nil while more is needed.
    mutating func process(_ block: SampleBlock) -> SampleBlock? {
        guard speed != 1 else { return block }
        let (layout, plain) = (block.layout, block.plainSamples)
        // Both have to be cut at the same positions.
        let width = plain == nil ? 1 : 2
        if stretch == nil {
            (self.layout, stretched, hasPlain) = (layout, speed, plain != nil)
            stretch = TimeStretch(
                speed: speed, layout: SampleLayout(rate: layout.rate, channels: layout.channels * width))
        }
        let behind = held
        let joined = plain.map { Self.join(block.samples, $0, channels: layout.channels) } ?? block.samples
        guard let output = stretch?.process(joined), !output.isEmpty else { return nil }
        return made(of: output, behind: behind, play: block.play, place: block.place, speed: block.speed * speed)
    }

    /// Gives what is held back, as it was recorded; nil if nothing is.
    ///
    /// - Parameter place: where the track continues behind it.
    mutating func finish(play: UInt64, place: Nanoseconds) -> SampleBlock? {
        defer { stretch = nil }
        let behind = held
        guard behind > 0, let output = stretch?.finish(), !output.isEmpty else { return nil }
        return made(of: output, behind: behind, play: play, place: place, speed: 1)
    }

    /// Forgets what is held back: the sound continues elsewhere.
    mutating func reset() { stretch = nil }

    /// The sound that was made, which begins before the position of the sound that came last.
    private func made(
        of output: [Float], behind: Int, play: UInt64, place: Nanoseconds, speed: Double
    ) -> SampleBlock {
        let (samples, plain) = hasPlain ? Self.part(output, channels: layout.channels) : (output, nil)
        var block = SampleBlock(layout: layout, samples: samples)
        block.plainSamples = plain
        (block.play, block.place, block.speed) = (play, place - layout.length(frames: behind), speed)
        return block
    }

    private static func join(_ one: [Float], _ other: [Float], channels: Int) -> [Float] {
        var joined: [Float] = []
        joined.reserveCapacity(one.count * 2)
        for start in stride(from: 0, to: min(one.count, other.count), by: channels) {
            joined += one[start..<start + channels]
            joined += other[start..<start + channels]
        }
        return joined
    }

    private static func part(_ joined: [Float], channels: Int) -> ([Float], [Float]?) {
        var (one, other): ([Float], [Float]) = ([], [])
        for start in stride(from: 0, to: joined.count, by: channels * 2) {
            one += joined[start..<start + channels]
            other += joined[start + channels..<start + 2 * channels]
        }
        return (one, other)
    }
}
