/// The bytes of an ID3 tag.
package struct ID3Bytes {
    /// How texts are stored.
    package enum Encoding: UInt8, CaseIterable {
        case latin, utf16, utf16BigEndian, utf8
    }

    package var version: UInt8 = 4
    /// Whether zeros are put behind each 0xFF, so that nothing looks like the beginning of sound.
    package var isUnsynchronised = false
    private var frames: [UInt8] = []

    package init(version: UInt8 = 4, isUnsynchronised: Bool = false) {
        (self.version, self.isUnsynchronised) = (version, isUnsynchronised)
    }

    package mutating func add(_ name: String, _ body: [UInt8], size: Int? = nil) {
        let isScrambled = isUnsynchronised && version == 4
        let body = isScrambled ? Self.unsynchronised(body) : body
        frames += Array(name.utf8) + number(size ?? body.count) + [0, isScrambled ? 2 : 0] + body
    }

    /// A frame of several texts, which zeros divide.
    package mutating func add(_ name: String, _ texts: String..., as encoding: Encoding = .utf8) {
        add(name, [encoding.rawValue] + Self.encoded(texts, encoding))
    }

    package mutating func addPicture(_ bytes: [UInt8]) {
        add("APIC", [0] + Array("image/png\0".utf8) + [3, 0] + bytes)
    }

    package var bytes: [UInt8] {
        let body = isUnsynchronised && version == 3 ? Self.unsynchronised(frames) : frames
        return Array("ID3".utf8) + [version, 0, isUnsynchronised ? 0x80 : 0] + Self.sevenBits(body.count) + body
    }

    package static func encoded(_ texts: [String], _ encoding: Encoding) -> [UInt8] {
        func sixteen(_ text: String, isBig: Bool) -> [UInt8] {
            text.utf16.flatMap { isBig ? [UInt8($0 >> 8), UInt8($0 & 0xFF)] : [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
        }
        let parts = texts.map { text -> [UInt8] in
            switch encoding {
            case .latin: text.unicodeScalars.map { UInt8($0.value) }
            case .utf16: [0xFF, 0xFE] + sixteen(text, isBig: false)
            case .utf16BigEndian: sixteen(text, isBig: true)
            case .utf8: Array(text.utf8)
            }
        }
        let end: [UInt8] = encoding == .utf16 || encoding == .utf16BigEndian ? [0, 0] : [0]
        return Array(parts.joined(separator: end))
    }

    private func number(_ value: Int) -> [UInt8] {
        version == 4 ? Self.sevenBits(value) : [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
    }

    private static func sevenBits(_ value: Int) -> [UInt8] { [21, 14, 7, 0].map { UInt8(value >> $0 & 0x7F) } }

    private static func unsynchronised(_ bytes: [UInt8]) -> [UInt8] { bytes.flatMap { $0 == 0xFF ? [$0, 0] : [$0] } }
}

/// The bytes of WAV and AIFF files with a second of silence, and of their chunks.
package enum ChunkBytes {
    private static let frames = 44_100
    package static let sound = [UInt8](repeating: 0, count: frames * 4)

    package static func little(_ value: Int, _ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }

    package static func big(_ value: Int, _ count: Int) -> [UInt8] { little(value, count).reversed() }

    /// A chunk of RIFF, filled up to an even length.
    package static func riff(_ name: String, _ body: [UInt8], size: Int? = nil) -> [UInt8] {
        Array(name.utf8) + little(size ?? body.count, 4) + body + (body.count % 2 == 0 ? [] : [0])
    }

    /// A chunk of IFF likewise.
    package static func iff(_ name: String, _ body: [UInt8], size: Int? = nil) -> [UInt8] {
        Array(name.utf8) + big(size ?? body.count, 4) + body + (body.count % 2 == 0 ? [] : [0])
    }

    /// A WAV file with chunks before its sound and behind it.
    package static func wav(before: [UInt8] = [], after: [UInt8] = [], form: String = "RIFF", size: Int = sound.count)
        -> [UInt8]
    {
        let isLong = form != "RIFF"
        let format: [UInt8] =
            little(1, 2) + little(2, 2) + little(44_100, 4) + little(176_400, 4) + little(4, 2) + little(16, 2)
        let sizes: [UInt8] = little(0, 8) + little(size, 8) + little(frames, 8) + little(0, 4)
        let long: [UInt8] = isLong ? riff("ds64", sizes) : []
        let data = Array("data".utf8) + little(isLong ? 0xFFFF_FFFF : size, 4) + sound
        let parts: [UInt8] = Array("WAVE".utf8) + long + riff("fmt ", format) + before + data + after
        return Array(form.utf8) + little(isLong ? 0xFFFF_FFFF : parts.count, 4) + parts
    }

    /// An AIFF file likewise.
    package static func aiff(before: [UInt8] = [], after: [UInt8] = [], kind: String = ".aif") -> [UInt8] {
        let codec: [UInt8] = kind == ".aifc" ? Array("NONE".utf8) + [0, 0] : []
        let common: [UInt8] =
            big(2, 2) + big(frames, 4) + big(16, 2) + [0x40, 0x0E, 0xAC, 0x44, 0, 0, 0, 0, 0, 0] + codec
        let parts: [UInt8] =
            Array((kind == ".aifc" ? "AIFC" : "AIFF").utf8) + iff("COMM", common) + before
            + iff("SSND", [UInt8](repeating: 0, count: 8) + sound)
            + after
        return iff("FORM", parts)
    }
}
