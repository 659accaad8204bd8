package import CSound
package import MusicModel

/// Reads formats from caps.
package enum CapsFormat {
    /// Rate and channels.
    package static func layout(_ caps: UnsafeMutablePointer<GstCaps>) -> SampleLayout? {
        guard let structure = gst_caps_get_structure(caps, 0) else { return nil }
        var rate: gint = 0
        var channels: gint = 0
        guard gst_structure_get_int(structure, "rate", &rate) != 0, SoundLimits.rates.contains(Int(rate)),
            gst_structure_get_int(structure, "channels", &channels) != 0, SoundLimits.channels.contains(Int(channels))
        else { return nil }
        return SampleLayout(rate: Int(rate), channels: Int(channels))
    }

    static func hasWholeNumbers(_ caps: UnsafeMutablePointer<GstCaps>) -> Bool {
        guard let structure = gst_caps_get_structure(caps, 0) else { return false }
        return gst_structure_get_string(structure, "format").map { String(cString: $0) == "S32LE" } ?? false
    }

    /// The speakers of the channels, as GStreamer's mask of them; 0 is unknown.
    package static func channelMask(_ caps: UnsafeMutablePointer<GstCaps>) -> UInt64 {
        guard let structure = gst_caps_get_structure(caps, 0) else { return 0 }
        return UInt64(segue_channel_mask(structure))
    }

    /// The field of caps that names the speakers of more than two channels; empty for others.
    package static func maskText(_ speakers: [Speaker]) -> String {
        guard speakers.count > 2 else { return "" }
        let mask = speakers.reduce(0) { $0 | 1 << $1.rawValue }
        return ",channel-mask=(bitmask)0x" + String(mask, radix: 16)
    }

    /// The whole format.
    package static func read(_ caps: UnsafeMutablePointer<GstCaps>) -> AudioFormat? {
        guard let layout = layout(caps), let structure = gst_caps_get_structure(caps, 0) else { return nil }
        let name = gst_structure_get_string(structure, "format").map { String(cString: $0) } ?? ""
        return AudioFormat(sampleRate: layout.rate, sample: sample(name), channels: layout.channels)
    }

    private static func sample(_ name: String) -> AudioFormat.Sample {
        if name.hasPrefix("F") { return .float }
        let digits = name.drop { !$0.isNumber }.prefix { $0.isNumber }
        guard let stored = Int(digits) else { return .unknown }
        return .integer(bits: stored)
    }
}

extension AudioFormat {
    /// How many bytes a sample of every channel takes in memory.
    package var frameSize: Int { if case .integer(let bits) = sample { channels * bits / 8 } else { channels * 4 } }
    /// The format as GStreamer's caps; nil for samples that it has no name for.
    package var capsText: String? { capsText(Speaker.layout(channels: channels)) }

    /// The same for speakers other than the usual ones.
    package func capsText(_ speakers: [Speaker]) -> String? {
        let name: String
        switch sample {
        case .integer(bits: 16): name = "S16LE"
        case .integer(bits: 24): name = "S24LE"
        case .integer(bits: 32): name = "S32LE"
        case .float: name = "F32LE"
        default: return nil
        }
        return "audio/x-raw,layout=interleaved,format=\(name),rate=\(sampleRate),channels=\(channels)"
            + CapsFormat.maskText(speakers)
    }
}
