import MusicModel

/// The header of a file with plain samples that GStreamer 1.22 does not know in that form: AIFF-C with A-law, µ-law, or
/// whole numbers of 24 or 32 bits under names of their own, and Apple's CAF. It is shown to it as an AU file, or as a
/// WAV file where the lowest byte of a sample comes first; between their headers and samples anything may stand.
/// - Source: Apple's Audio Interchange File Format AIFF-C (draft of August 1991), QuickTime's names of compressions,
///   and Core Audio Format Specification 1.0; Sun's audio file format.
enum PlainSoundHeader {
    /// Sun's number of the encoding, and the width of a sample in bytes.
    private typealias Form = (encoding: Int, isLittle: Bool, rate: Int, channels: Int, width: Int)

    /// Reads the header; nil for any other kind of file, and for those that can be read as they are.
    static func read(_ source: HeaderBytes) -> TrackHeader? {
        switch source.name(at: 0) {
        case "FORM": readAIFF(source)
        case "caff": readCAF(source)
        default: nil
        }
    }

    private static func shown(_ form: Form, samples: Range<Int64>) -> TrackHeader? {
        guard samples.lowerBound >= 64, samples.lowerBound < 1 << 31, !samples.isEmpty,
            SoundLimits.rates.contains(form.rate), SoundLimits.channels.contains(form.channels)
        else { return nil }
        let start = Int(samples.lowerBound)
        if form.isLittle, form.width > 1 {
            // A chunk of an odd size would have a byte more.
            guard start.isMultiple(of: 2) else { return nil }
            let length = samples.count <= Int(Int32.max) ? samples.count : 0
            return TrackHeader(
                patches: patches(wave(form, upTo: start - 8)) + [
                    BytePatch(offset: samples.lowerBound - 8, bytes: Array("data".utf8) + little(length, 4))
                ], end: samples.upperBound)
        }
        let words = [start, 0xFFFF_FFFF, form.encoding, form.rate, form.channels]
        return TrackHeader(patches: patches(Array(".snd".utf8) + words.flatMap { big($0, 4) }), end: samples.upperBound)
    }

    private static func wave(_ form: Form, upTo end: Int) -> [UInt8] {
        let frame = form.channels * form.width
        return Array("RIFF".utf8) + little(0xFFFF_FFFF, 4) + Array("WAVEfmt ".utf8) + little(16, 4)
            + little(form.encoding > 5 ? 3 : 1, 2) + little(form.channels, 2) + little(form.rate, 4)
            + little(form.rate * frame, 4) + little(frame, 2) + little(8 * form.width, 2)
            + Array("JUNK".utf8) + little(end - 44, 4)
    }

    private static func patches(_ head: [UInt8]) -> [BytePatch] {
        stride(from: 0, to: head.count, by: 16).map {
            BytePatch(offset: Int64($0), bytes: Array(head[$0..<min($0 + 16, head.count)]))
        }
    }

    private static let encodings: [String: (number: Int, width: Int)] = [
        "alaw": (27, 1), "ALAW": (27, 1), "ulaw": (1, 1), "ULAW": (1, 1), "in24": (4, 3), "in32": (5, 4),
    ]

    private static func readAIFF(_ source: HeaderBytes) -> TrackHeader? {
        guard source.name(at: 8) == "AIFC", let chunks = SoundChunks(source, upTo: source.isComplete ? nil : "SSND"),
            let form = chunks.body("COMM"), let sound = chunks.body("SSND"),
            let encoding = source.name(at: form.lowerBound + 18).flatMap({ encodings[$0] }),
            let channels = source.number(at: form.lowerBound, count: 2),
            let offset = source.number(at: sound.lowerBound, count: 4),
            let rate = rate(source.bytes(at: form.lowerBound + 8, count: 10)),
            case let start = sound.lowerBound.addingClamped(8 + Int64(offset)), start < sound.upperBound
        else { return nil }
        return shown(
            (encoding.number, false, rate, Int(channels), encoding.width),
            samples: start..<sound.upperBound)
    }

    /// A rate, which such files have as a float of 80 bits.
    private static func rate(_ bytes: [UInt8]) -> Int? {
        guard bytes.count == 10 else { return nil }
        let exponent = Int(highestFirst: bytes[..<2])
        let mantissa = UInt64(highestFirst: bytes[2...])
        guard (16383..<16383 + 31).contains(exponent) else { return nil }
        return Int(mantissa >> UInt64(63 - (exponent - 16383)))
    }

    private static func readCAF(_ source: HeaderBytes) -> TrackHeader? {
        guard let size = source.size, size > 8 else { return nil }
        let chunks = source.longChunks(in: 8..<size, upTo: "data")
        guard let about = chunks["desc"]?.lowerBound, let form = read(source, at: about)
        else { return PackedCAF(chunks: source.longChunks(in: 8..<size)).shown(source) }
        // A count of edits stands before the samples.
        guard let sound = chunks["data"], sound.count > 4 else { return nil }
        return shown(form, samples: sound.lowerBound + 4..<sound.upperBound)
    }

    private static func read(_ source: HeaderBytes, at position: Int64) -> Form? {
        guard let bits = source.number(at: position, count: 8), let name = source.name(at: position + 8),
            let flags = source.number(at: position + 12, count: 4),
            let channels = source.number(at: position + 24, count: 4),
            let depth = source.number(at: position + 28, count: 4)
        else { return nil }
        let rate = Int(saturating: Double(bitPattern: bits))
        let isFloat = flags & 1 != 0
        let encoding: Int
        switch (name, depth) {
        case ("alaw", _): encoding = 27
        case ("ulaw", _): encoding = 1
        case ("lpcm", 32) where isFloat: encoding = 6
        case ("lpcm", 64) where isFloat: encoding = 7
        case ("lpcm", 8), ("lpcm", 16), ("lpcm", 24), ("lpcm", 32):
            guard !isFloat else { return nil }
            encoding = 1 + Int(depth / 8)
        default: return nil
        }
        let width = name == "lpcm" ? Int(depth / 8) : 1
        return (encoding, flags & 2 != 0, rate, Int(clamping: channels), width)
    }
}
