import AudioOutputs
import Glibc
import MusicModel
import Playback

extension Gain {
    /// The factor of a ReplayGain mode, limited so that the known peak stays within full scale.
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

    static func crossfade(_ progress: Double) -> (out: Float, in: Float) {
        let angle = max(0, min(1, progress)) * .pi / 2
        return (Float(cos(angle)), Float(sin(angle)))
    }

    static func applyCrossfade(_ samples: inout [Float], channels: Int, from: Double, to: Double, isRising: Bool) {
        let frames = samples.count / channels
        func factor(_ frame: Int) -> Float {
            let both = crossfade(from + (to - from) * Double(frame) / Double(frames))
            return isRising ? both.in : both.out
        }
        // Within 64 frames the curve is straight.
        for start in stride(from: 0, to: frames, by: 64) {
            let end = min(frames, start + 64)
            apply(&samples, channels: channels, frames: start..<end, from: factor(start), to: factor(end))
        }
    }

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
    /// Says how loud the song is; some servers send peaks for songs of which they know nothing else.
    var hasGain: Bool { trackGain != nil || albumGain != nil }
}

/// How loud songs are made: whose ReplayGain values apply, and how.
struct Loudness {
    var mode = EngineReplayGainMode.off
    private let settings: ReplayGainSettings

    init(_ settings: ReplayGainSettings) { self.settings = settings }

    var isOn: Bool { mode != .off }
    func factor(for values: ReplayGain) -> Float { Gain.factor(values, mode: mode, settings) }
    func decibels(for values: ReplayGain) -> Double { isOn ? 20 * log10(Double(max(factor(for: values), 1e-6))) : 0 }
}
