import MusicModel

extension ValueKind where Value == AudioFormat {
    /// Rate, sample and channels, each of which may be left to the song.
    ///
    /// - Source: MPD v0.24.13 src/pcm/AudioParser.cxx; DSD and 8 bits are not written here.
    static var pcmFormat: ValueKind {
        ValueKind(expected: "rate:bits:channels such as \"44100:16:2\" or \"*:24:2\"") { node throws(ValueComplaint) in
            guard let text = node.plainText else { return nil }
            let parts = text.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
            guard parts.count == 3, parts.allSatisfy({ $0 == "*" || $0 == "f" || Int($0) != nil }) else { return nil }
            let (rate, channels) = (Int(parts[0]), Int(parts[2]))
            let sample: AudioFormat.Sample =
                parts[1] == "f" ? .float : Int(parts[1]).map { .integer(bits: $0) } ?? .unknown
            guard parts[0] == "*" || rate.map((8_000...384_000).contains) == true,
                parts[1] == "*" || parts[1] == "f" || ["16", "24", "32"].contains(parts[1]),
                parts[2] == "*" || channels.map((1...8).contains) == true
            else {
                throw ValueComplaint(
                    "\"\(text)\" is out of range: rates are 8000 to 384000, bits 16, 24, 32 or f, channels 1 to 8")
            }
            return AudioFormat(sampleRate: rate ?? 0, sample: sample, channels: channels ?? 0)
        }
    }
}
