import Coordination

/// Applies a volume to blocks: it changes smoothly within sound that continues, and else at once.
struct BlockVolume {
    private var ramp = GainRamp(1)
    /// Where the block before ended in the timeline.
    private var end = SampleBlock.nowhere

    /// Scales the next block; the volume reaches `factor` in it.
    mutating func apply(_ factor: Float, to block: inout SampleBlock) {
        ramp.target = factor
        if block.start != end { ramp.jump() }
        end = block.end
        guard !ramp.isUnity else { return }
        ramp.apply(to: &block.samples, layout: block.layout)
    }
}
