import Glibc
import MusicModel
import Playback

/// Loudness: the volume curve, ReplayGain, ramps and the crossfade's curve.
enum Gain {
    /// The factor for a volume from 0 to 100: exponential between, 0 and 1 at the ends.
    ///
    /// - Source: the mapping of MPD v0.24.13 src/mixer/plugins/SoftwareMixerPlugin.cxx, which clients are tuned to.
    static func factor(volume: Int) -> Float {
        if volume >= 100 { return 1 }
        if volume <= 0 { return 0 }
        return Float((exp(Double(volume) / 25) - 1) / (exp(4) - 1))
    }

    /// The volume from 0 to 100 that has this factor.
    static func volume(factor: Float) -> Int {
        Int((25 * log(Double(max(0, min(1, factor))) * (exp(4) - 1) + 1)).rounded())
    }

    /// The factor of a ReplayGain mode, limited so that the known peak stays within full scale.
    ///
    /// - Source: MPD v0.24.13 src/tag/ReplayGainInfo.cxx, which clients' users know the outcome of.
    static func factor(
        _ gain: ReplayGain, mode: EngineReplayGainMode, _ settings: ReplayGainSettings = ReplayGainSettings()
    ) -> Float {
        let track = gain.trackGain.map { ($0, gain.trackPeak) }
        let album = gain.albumGain.map { ($0, gain.albumPeak) }
        let chosen: (decibels: Double, peak: Double?)?
        switch mode {
        case .track: chosen = track ?? album
        case .album: chosen = album ?? track
        case .off: return 1
        }
        guard let chosen, chosen.decibels.isFinite else { return Float(pow(10, settings.missingPreamp / 20)) }
        let scale = min(15, pow(10, (max(-60, min(60, chosen.decibels)) + settings.preamp) / 20))
        guard settings.limitsPeaks, let peak = chosen.peak, peak > 0, scale * peak > 1 else { return Float(scale) }
        return Float(1 / peak)
    }

    /// The factors of the fading and the rising song at `progress` (0...1); their powers add up to one.
    static func crossfade(_ progress: Double) -> (out: Float, in: Float) {
        let angle = max(0, min(1, progress)) * .pi / 2
        return (Float(cos(angle)), Float(sin(angle)))
    }

    /// Applies the curve of a crossfade between two places of it (0...1).
    static func applyCrossfade(
        _ samples: inout [Float], channels: Int, from: Double, to: Double, isRising: Bool
    ) {
        let frames = samples.count / channels
        func factor(_ frame: Int) -> Float {
            let both = crossfade(from + (to - from) * Double(frame) / Double(frames))
            return isRising ? both.in : both.out
        }
        // Within so few frames the curve is straight.
        for start in stride(from: 0, to: frames, by: 64) {
            let end = min(frames, start + 64)
            apply(&samples, channels: channels, frames: start..<end, from: factor(start), to: factor(end))
        }
    }

    /// Multiplies frames by a factor that goes straight from `from` to `to`.
    static func apply(
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

    /// Adds `other` onto `samples`, which are as many.
    static func add(_ other: [Float], to samples: inout [Float]) {
        let count = min(other.count, samples.count)
        samples.withUnsafeMutableBufferPointer { buffer in
            other.withUnsafeBufferPointer { added in
                var index = 0
                while index < count {
                    buffer[index] += added[index]
                    index += 1
                }
            }
        }
    }
}

extension ReplayGain {
    /// Whether it says how loud the song is; some servers send peaks for songs of which they know nothing else.
    var hasGain: Bool { trackGain != nil || albumGain != nil }
}

/// A factor that follows its target within about 10 ms, so that changes don't click.
struct GainRamp {
    /// The factor reached so far.
    private(set) var current: Float
    /// The factor to reach.
    var target: Float

    init(_ factor: Float) {
        current = factor
        target = factor
    }

    /// Whether the next frames stay as they are.
    var isUnity: Bool { current == 1 && target == 1 }

    /// Goes to the target at once; for when nothing sounds.
    mutating func jump() { current = target }

    /// Applies the factor to the next frames.
    mutating func apply(to samples: inout [Float], layout: SampleLayout) {
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
