package import AudioFiles
import Glibc

/// The curve of the volume, and samples multiplied by factors.
package enum Gain {
    /// The factor for a volume from 0 to 100: exponential between, 0 and 1 at the ends.
    /// - Source: the mapping of MPD v0.24.13 src/mixer/plugins/SoftwareMixerPlugin.cxx, which clients are tuned to.
    package static func factor(volume: Int) -> Float {
        if volume >= 100 { return 1 }
        if volume <= 0 { return 0 }
        return Float((exp(Double(volume) / 25) - 1) / (exp(4) - 1))
    }

    static func volume(factor: Float) -> Int {
        Int((25 * log(Double(max(0, min(1, factor))) * (exp(4) - 1) + 1)).rounded())
    }

    /// Multiplies frames by a factor that goes straight from `from` to `to`.
    package static func apply(
        _ samples: inout [Float], channels: Int, frames range: Range<Int>? = nil, from: Float, to: Float
    ) {
        if from == 1, to == 1 { return }
        let range = range ?? 0..<(samples.count / channels)
        guard !range.isEmpty else { return }
        let step = (to - from) / Float(range.count)
        samples.withUnsafeMutableBufferPointer { buffer in
            var index = range.lowerBound * channels
            var frame = 0
            while frame < range.count {
                let factor = from + step * Float(frame + 1)
                var channel = 0
                while channel < channels {
                    buffer[index] *= factor
                    index += 1
                    channel += 1
                }
                frame += 1
            }
        }
    }
}

/// A factor that follows its target within about 10 ms, so that changes don't click.
package struct GainRamp {
    private(set) var current: Float
    /// The factor to reach.
    package var target: Float

    /// Begins with a factor that is reached already.
    package init(_ factor: Float) {
        current = factor
        target = factor
    }

    /// True if the next frames stay as they are.
    package var isUnity: Bool { current == 1 && target == 1 }
    /// Goes to the target at once; for when nothing sounds.
    package mutating func jump() { current = target }

    /// Applies the factor to the next frames.
    package mutating func apply(to samples: inout [Float], layout: SampleLayout) {
        guard current != target else {
            Gain.apply(&samples, channels: layout.channels, from: current, to: current)
            return
        }
        let full = max(1, layout.rate / 100)
        let frames = samples.count / layout.channels
        let ramped = min(frames, full)
        let reached = ramped == full ? target : current + (target - current) * Float(ramped) / Float(full)
        Gain.apply(&samples, channels: layout.channels, frames: 0..<ramped, from: current, to: reached)
        Gain.apply(&samples, channels: layout.channels, frames: ramped..<frames, from: reached, to: reached)
        current = reached
    }
}
