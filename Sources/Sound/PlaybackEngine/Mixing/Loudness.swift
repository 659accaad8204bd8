import AudioOutputs
import Glibc
import MusicModel
import Playback

/// How loud songs are made: whose ReplayGain values apply, and how.
struct Loudness {
    /// Whose values apply.
    var mode = EngineReplayGainMode.off
    private let settings: ReplayGainSettings

    init(_ settings: ReplayGainSettings) { self.settings = settings }

    /// True if songs are made as loud as each other at all.
    var isOn: Bool { mode != .off }

    /// The factor for a song with these values.
    func factor(for values: ReplayGain) -> Float { Gain.factor(values, mode: mode, settings) }

    /// By how many decibels a song with these values is changed.
    func decibels(for values: ReplayGain) -> Double {
        isOn ? 20 * log10(Double(max(factor(for: values), 1e-6))) : 0
    }
}
