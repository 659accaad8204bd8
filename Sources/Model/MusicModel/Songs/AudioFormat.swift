/// A PCM format as MPD writes it: `44100:16:2`.
package struct AudioFormat: Hashable, Sendable {
    /// How a sample is stored.
    package enum Sample: Hashable, Sendable {
        /// Signed integers of 8, 16, 24 or 32 bits.
        case integer(bits: Int)
        /// 32-bit floating point, `f` on the wire.
        case float
        case dsd
        /// Unknown, `*` on the wire.
        case unknown
    }

    /// Frames a second; 0 is unknown and written as `*`.
    package var sampleRate: Int
    /// How a sample is stored.
    package var sample: Sample
    /// How many channels; 0 is unknown and written as `*`.
    package var channels: Int

    /// Makes a format from its three parts.
    package init(sampleRate: Int, sample: Sample, channels: Int) {
        (self.sampleRate, self.sample, self.channels) = (sampleRate, sample, channels)
    }

    /// The format with what is unknown of it taken from another.
    package func filled(_ other: AudioFormat) -> AudioFormat {
        AudioFormat(
            sampleRate: sampleRate > 0 ? sampleRate : other.sampleRate,
            sample: sample == .unknown ? other.sample : sample,
            channels: channels > 0 ? channels : other.channels)
    }

    /// The format on the wire, such as `96000:24:2` or `dsd64:2`; DSD's rate counts bytes, as in MPD.
    package var wireText: String {
        if sample == .dsd, sampleRate > 0, sampleRate % 44100 == 0 {
            return "dsd\(sampleRate * 8 / 44100):\(channels > 0 ? String(channels) : "*")"
        }
        let rate = sampleRate > 0 ? String(sampleRate) : "*"
        let bits =
            switch sample {
            case .integer(let bits): String(bits)
            case .float: "f"
            case .dsd: "dsd"
            case .unknown: "*"
            }
        return "\(rate):\(bits):\(channels > 0 ? String(channels) : "*")"
    }
}
