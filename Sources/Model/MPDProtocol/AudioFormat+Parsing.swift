package import MusicModel

extension AudioFormat {
    /// Reads `44100:16:2` or `dsd64:2`; with `isMask` each part may be `*`. Errors are those of MPD's AudioParser.cxx.
    package init(parsing text: String, isMask: Bool) throws(AckError) {
        let parts = text.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false).map(String.init)
        if parts[0].hasPrefix("dsd") {
            self = try Self.dsd(parts, isMask: isMask)
            return
        }
        let rate = try Self.sampleRate(parts[0], isMask: isMask)
        guard parts.count > 1 else { throw AckError(.argument, "Sample format missing") }
        let sample = try Self.sample(parts[1], isMask: isMask)
        guard parts.count > 2 else { throw AckError(.argument, "Channel count missing") }
        self.init(sampleRate: rate, sample: sample, channels: try Self.channels(parts[2], isMask: isMask))
    }

    private static func dsd(_ parts: [String], isMask: Bool) throws(AckError) -> AudioFormat {
        guard parts.count > 1 else { throw AckError(.argument, "Channel count missing") }
        guard let multiple = Int(parts[0].dropFirst(3)) else {
            throw AckError(.argument, "Failed to parse the DSD rate")
        }
        guard (32...4096).contains(multiple) else { throw AckError(.argument, "Bad DSD rate") }
        let rest = parts[1...].joined(separator: ":")
        return AudioFormat(
            sampleRate: multiple * 44_100 / 8, sample: .dsd, channels: try channels(rest, isMask: isMask))
    }

    private static func sampleRate(_ text: String, isMask: Bool) throws(AckError) -> Int {
        if isMask, text == "*" { return 0 }
        guard let rate = UInt32(text) else { throw AckError(.argument, "Failed to parse the sample rate") }
        guard rate > 0, rate < 1 << 30 else { throw AckError(.argument, "Invalid sample rate: \(rate)") }
        return Int(rate)
    }

    private static func sample(_ text: String, isMask: Bool) throws(AckError) -> Sample {
        switch text {
        case "*" where isMask: return .unknown
        case "f": return .float
        case "dsd": return .dsd
        case "8", "16", "24", "32": return .integer(bits: Int(text) ?? 0)
        case "24_3": return .integer(bits: 24)
        default: throw AckError(.argument, "Invalid sample format: \(String(text.prefix(utf8: 200)).quoted)")
        }
    }

    private static func channels(_ text: String, isMask: Bool) throws(AckError) -> Int {
        if isMask, text == "*" { return 0 }
        guard let count = UInt8(text) else { throw AckError(.argument, "Failed to parse the channel count") }
        guard (1...8).contains(count) else { throw AckError(.argument, "Invalid channel count: \(count)") }
        return Int(count)
    }
}
