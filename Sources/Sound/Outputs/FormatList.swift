package import MusicModel

/// One of the formats that an output may get, as `allowed_formats` lists them.
/// - Source: MPD v0.24.13 src/lib/alsa/AllowedFormat.cxx and src/pcm/AudioParser.cxx.
package struct AllowedFormat: Hashable, Sendable {
    /// The format; parts that are unknown allow any. The rate of DSD counts bytes.
    package let format: AudioFormat
    /// True if DSD is to come as DoP.
    package let isDoP: Bool

    /// Reads an entry such as `96000:24:2`, `*:f:*`, `dsd64:2` or `*:dsd:*=dop`.
    package init(_ text: Substring) throws(SettingProblem) {
        isDoP = text.hasSuffix("=dop")
        if isDoP || text.contains("dsd") {
            format = try Self.dsd(isDoP ? text.dropLast(4) : text, of: text, isDoP: isDoP)
        } else {
            format = try Self.pcm(text)
        }
    }

    /// Reads entries with spaces between them.
    package static func list(_ text: String) throws(SettingProblem) -> [AllowedFormat] {
        var list: [AllowedFormat] = []
        for entry in text.split(separator: " ") { list.append(try AllowedFormat(entry)) }
        return list
    }

    /// The entry as clients and the configuration write it.
    package var text: String { format.wireText + (isDoP ? "=dop" : "") }

    /// Reads rate, sample and channels, each of which may be left to the song; DSD and 8 bits are not written here.
    package static func pcm(_ text: Substring) throws(SettingProblem) -> AudioFormat {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 3, parts.allSatisfy({ $0 == "*" || $0 == "f" || $0 == "24_3" || Int($0) != nil }) else {
            throw SettingProblem("\"\(text)\" is no format; write rate:bits:channels such as \"96000:24:2\"")
        }
        let (rate, channels) = (Int(parts[0]), Int(parts[2]))
        let sample = samples[parts[1]]
        guard parts[0] == "*" || rate.map((8_000...384_000).contains) == true, let sample,
            parts[2] == "*" || channels.map((1...Speaker.maxChannels).contains) == true
        else {
            throw SettingProblem(
                "\"\(text)\" is out of range: rates are 8000 to 384000, bits 16, 24, 32 or f, channels 1 to 8")
        }
        return AudioFormat(sampleRate: rate ?? 0, sample: sample, channels: channels ?? 0)
    }

    private static let samples: [Substring: AudioFormat.Sample] = [
        "*": .unknown, "f": .float, "16": .integer(bits: 16), "24": .integer(bits: 24), "24_3": .integer(bits: 24),
        "32": .integer(bits: 32),
    ]

    private static func dsd(_ text: Substring, of entry: Substring, isDoP: Bool) throws(SettingProblem) -> AudioFormat {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        let rate: Int? =
            switch parts.count {
            case 3 where parts[1] == "dsd":
                parts[0] == "*" ? 0 : Int(parts[0]).flatMap { rates.values.contains($0) ? $0 : nil }
            case 2: rates[parts[0]]
            default: nil
            }
        guard let rate, let last = parts.last, ["*", "1", "2"].contains(last) else {
            throw isDoP
                ? SettingProblem("\"\(entry)\" is no format for DoP; write dsd64:2=dop, dsd128:*=dop or *:dsd:*=dop")
                : SettingProblem(
                    "\"\(entry)\" is no format for DSD; write dsd64:2, dsd128:* or *:dsd:*, or with =dop behind it")
        }
        return AudioFormat(sampleRate: rate, sample: .dsd, channels: Int(last) ?? 0)
    }

    /// The bytes a second of the rates of DSD, by their names.
    private static let rates: [Substring: Int] = [
        "dsd64": 352_800, "dsd128": 705_600, "dsd256": 1_411_200, "dsd512": 2_822_400,
    ]
}
