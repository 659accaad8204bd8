package import Coordination
import MusicModel

/// The rate and channel count of 32-bit float samples, interleaved.
package struct SampleLayout: Hashable, Sendable {
    /// Frames a second.
    package var rate: Int
    /// Samples a frame, 1 to 8, in the order of `Speaker.layout(channels:)`.
    package var channels: Int

    /// Makes a layout of 1 to 8 channels.
    package init(rate: Int, channels: Int) { (self.rate, self.channels) = (rate, channels) }

    /// True if sound of another layout can be mixed with it: its rate is changed, but no surround is put into stereo.
    package func overlaps(_ other: SampleLayout) -> Bool {
        channels == other.channels || max(channels, other.channels) <= 2
    }

    /// The length of a number of frames.
    package func length(frames: Int) -> Nanoseconds {
        let (seconds, rest) = frames.quotientAndRemainder(dividingBy: max(1, rate))
        return .seconds(seconds) + .seconds(rest) / max(1, rate)
    }

    /// How many frames fit best into a length.
    package func frames(in length: Nanoseconds) -> Int {
        let (seconds, rest) = length.count.quotientAndRemainder(dividingBy: Nanoseconds.seconds(1).count)
        return Int(seconds).multipliedClamped(by: rate).addingClamped(
            Int(saturating: (Double(rest) * Double(rate) / 1e9).rounded()))
    }

    /// How many frames a block of that length has: at least one, or there would be no end of blocks.
    package func blockFrames(in length: Nanoseconds) -> Int { max(1, frames(in: length)) }
}
