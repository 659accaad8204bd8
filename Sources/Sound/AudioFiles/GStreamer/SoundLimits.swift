import CSound
package import Coordination
import MusicModel

/// Limits for sound, so that no header can ask for more memory or work than music takes.
package enum SoundLimits {
    /// Sample rates, in hertz: from below the telephone's to DSD256 as a decoder gives it.
    static let rates = 1000...1_536_000
    static let channels = 1...Speaker.maxChannels
    /// The most frames that a file can say it has, about 50 years of the lowest rate.
    static let frames: Int64 = 1 << 43
    /// The largest piece of decoded sound, in bytes.
    private static let maxPieceSize: gsize = 33_554_432

    private static let times = Nanoseconds.zero...Nanoseconds(.maxFromOutside)

    /// True if a length or a position that was told can be true.
    package static func isPlausible(_ time: Nanoseconds) -> Bool { times.contains(time) }
    /// A time from outside, brought to what can be true.
    package static func plausible(_ time: Duration) -> Nanoseconds { Nanoseconds(time).clamped(to: times) }
    /// True if sound of a rate is to have two channels at most, so that what bounds time bounds memory.
    package static func isTooFast(rate: Int) -> Bool { rate > rates.upperBound * 2 / Speaker.maxChannels }

    static func refusal(rate: Int, channels: Int) -> String? {
        if !rates.contains(rate) {
            return
                "its sample rate is \(rate) Hz; rates from \(rates.lowerBound) to \(rates.upperBound) Hz can be played"
        }
        guard Self.channels.contains(channels)
        else { return "it has \(channels) channels; at most \(Self.channels.upperBound) can be played" }
        return nil
    }

    /// Has an element post an error about sound beyond the limits, in place of taking memory for it.
    package static func set(on element: ElementReference) {
        segue_limit_sound(
            element.pointer, gint(rates.lowerBound), gint(rates.upperBound), gint(channels.upperBound), maxPieceSize)
    }
}
