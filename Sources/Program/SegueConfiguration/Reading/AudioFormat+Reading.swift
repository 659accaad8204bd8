import MusicModel

extension ValueKind where Value == AudioFormat {
    /// Rate, sample and channels, each of which may be left to the song.
    ///
    /// - Source: MPD v0.24.13 src/pcm/AudioParser.cxx; DSD and 8 bits are not written here.
    static var pcmFormat: ValueKind {
        ValueKind(expected: "rate:bits:channels such as \"44100:16:2\" or \"*:24:2\"") { node throws(ValueComplaint) in
            guard let text = node.plainText else { return nil }
            return try format(text)
        }
    }

    /// Reads a format; nil where the text is none.
    fileprivate static func format(_ text: String) throws(ValueComplaint) -> AudioFormat? {
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

extension ValueKind where Value == [AudioFormat] {
    /// A list of formats, also as MPD writes it: in one text with spaces between them.
    static var pcmFormats: ValueKind {
        ValueKind(expected: "a list of formats such as [\"44100:16:2\", \"96000:*:*\"]") {
            node throws(ValueComplaint) in
            guard let texts = node.textList else { return nil }
            var formats: [AudioFormat] = []
            for text in texts.flatMap({ $0.split(separator: " ") }) where !text.contains("dsd") {
                guard let format = try ValueKind<AudioFormat>.format(String(text)) else {
                    throw ValueComplaint("\"\(text)\" is no format; write rate:bits:channels such as \"96000:24:2\"")
                }
                formats.append(format)
            }
            return formats
        }
    }
}

extension ValueKind where Value == [AudioFormat] {
    /// Those of a list of formats that a device gets as DoP, such as `dsd64:2=dop`.
    ///
    /// - Source: MPD v0.24.13 doc/plugins.rst (allowed_formats) and src/pcm/AudioParser.cxx.
    static var dopFormats: ValueKind {
        dsdFormats(for: "DoP", example: "dsd64:2=dop, dsd128:*=dop or *:dsd:*=dop") { text in
            text.hasSuffix("=dop") ? text.dropLast(4) : nil
        }
    }

    /// Those of a list of formats that a device gets as they are, such as `dsd64:2`.
    static var dsdFormats: ValueKind {
        dsdFormats(for: "DSD", example: "dsd64:2, dsd128:* or *:dsd:*, or with =dop behind it") { text in
            text.contains("dsd") && !text.hasSuffix("=dop") ? text : nil
        }
    }

    private static func dsdFormats(
        for purpose: String, example: String, _ name: @escaping @Sendable (Substring) -> Substring?
    ) -> ValueKind {
        ValueKind(expected: "a list of formats such as [\"44100:16:2\", \"dsd64:2=dop\"]") {
            node throws(ValueComplaint) in
            guard let texts = node.textList else { return nil }
            var formats: [AudioFormat] = []
            for text in texts.flatMap({ $0.split(separator: " ") }) {
                guard let name = name(text) else { continue }
                guard let format = dsd(name) else {
                    throw ValueComplaint("\"\(text)\" is no format for \(purpose); write \(example)")
                }
                formats.append(format)
            }
            return formats
        }
    }

    private static func dsd(_ text: Substring) -> AudioFormat? {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard let first = parts.first, let last = parts.last, ["*", "1", "2"].contains(last) else { return nil }
        let channels = Int(last) ?? 0
        if parts.count == 3, first == "*", parts[1] == "dsd" {
            return AudioFormat(sampleRate: 0, sample: .dsd, channels: channels)
        }
        guard parts.count == 2, first.hasPrefix("dsd"), let multiple = Int(first.dropFirst(3)),
            [64, 128, 256, 512].contains(multiple)
        else { return nil }
        return AudioFormat(sampleRate: multiple * 44_100 / 8, sample: .dsd, channels: channels)
    }
}

extension ValueKind where Value == Duration? {
    /// Whether, and after how long, a device is closed in a pause.
    static var pauseLimit: ValueKind {
        ValueKind(expected: "true, false, or seconds from 0 to 3600") { node in
            switch node.value {
            case .boolean(true), .text("true"), .text("yes"): .some(.seconds(10))
            case .boolean(false), .text("false"), .text("no"): .some(nil)
            case .integer(let number) where (0...3600).contains(number): .some(.seconds(number))
            case .text(let text): Int(text).flatMap { (0...3600).contains($0) ? .some(.seconds($0)) : nil }
            default: nil
            }
        }
    }
}
