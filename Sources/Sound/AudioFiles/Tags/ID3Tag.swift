import Glibc
import MusicModel

/// The ID3 tag of a file, for what GStreamer 1.22 does not read of it.
///
/// - Source: ID3 tag version 2.3.0 and 2.4.0, main structure and native frames.
struct ID3Tag {
    /// One frame with its bytes as the tag's writer meant them.
    struct Frame: Equatable {
        let name: String
        let body: [UInt8]
    }

    /// Larger ones hold pictures.
    static let maxFrameSize = 1 << 20

    /// The frames of the names that were asked for, in the file's order.
    private(set) var frames: [Frame] = []

    /// Reads the frames of these names; nil where no file, tag or version is known.
    ///
    /// - Isolation: blocks for the reading of the tag; what is in other frames is passed over.
    init?(path: String, frames wanted: Set<String>) {
        guard let tag = HeaderBytes.reading(path, { ID3Tag($0, frames: wanted) }) else { return nil }
        self = tag
    }

    /// Reads the frames of these names from a whole file; nil where no tag or version is known.
    ///
    /// - Parameter largest: in bytes; larger frames are passed over.
    init?(_ source: HeaderBytes, frames wanted: Set<String>, largest: Int = maxFrameSize) {
        guard let position = ID3Place.find(in: source) else { return nil }
        let start = position.lowerBound
        let head = source.bytes(at: start, count: 10)
        guard head.count == 10, (3...4).contains(head[3]) else { return nil }
        let told = Self.number(head[6...], bits: 7)
        guard told <= ID3Bounds.maxTagSize else { return nil }
        let size = min(told, position.count - 10)
        let isScrambled = head[5] & 0x80 != 0
        let isNew = head[3] == 4
        if isScrambled, !isNew {
            // The older version scrambles the frames' heads, too, so that their sizes count what is meant.
            let plain = Self.withoutUnsynchronisation(source.bytes(at: start + 10, count: size))
            read(
                wanted, largest, isNew: isNew, isScrambled: false, hasExtension: head[5] & 0x40 != 0, size: plain.count
            ) { offset, count in plain.count - offset >= count ? Array(plain[offset..<(offset + count)]) : nil
            }
        } else {
            read(
                wanted, largest, isNew: isNew, isScrambled: isScrambled, hasExtension: head[5] & 0x40 != 0, size: size
            ) { offset, count in
                let found = source.bytes(at: start + 10 + Int64(offset), count: count)
                return found.count == count ? found : nil
            }
        }
    }

    private mutating func read(
        _ wanted: Set<String>, _ largest: Int, isNew: Bool, isScrambled: Bool, hasExtension: Bool, size: Int,
        bytes: (_ offset: Int, _ count: Int) -> [UInt8]?
    ) {
        let sizeBits = isNew ? 7 : 8
        var position = 0
        if hasExtension, let length = bytes(0, 4) {
            position = Self.number(length[...], bits: sizeBits) + (isNew ? 0 : 4)
        }
        for _ in 0..<ID3Bounds.maxFrames {
            guard position + 10 <= size, let head = bytes(position, 10), head[0] != 0 else { return }
            let length = Self.number(head[4..<8], bits: sizeBits)
            let body = position + 10
            guard length > 0, length <= size - body else { return }
            position = body + length
            let name = String(decoding: head[..<4], as: UTF8.self)
            // Compressed, encrypted and grouped frames are rare and left alone.
            let isPlain = head[9] & (isNew ? 0x4C : 0xE0) == 0
            guard wanted.contains(name), isPlain, length <= largest, var text = bytes(body, length) else {
                continue
            }
            if isNew, head[9] & 0x01 != 0 { text.removeFirst(min(4, text.count)) }
            if isNew, isScrambled || head[9] & 0x02 != 0 { text = Self.withoutUnsynchronisation(text) }
            frames.append(Frame(name: name, body: text))
        }
    }

    /// Unsynchronisation puts a zero behind each 0xFF.
    static func withoutUnsynchronisation(_ bytes: [UInt8]) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count)
        for (index, byte) in bytes.enumerated() {
            if byte == 0, index > 0, bytes[index - 1] == 0xFF { continue }
            result.append(byte)
        }
        return result
    }

    private static func number(_ bytes: ArraySlice<UInt8>, bits: Int) -> Int {
        bytes.prefix(4).reduce(0) { $0 << bits | Int($1) }
    }
}

extension ID3Tag {
    /// The cue sheet of a whole disc, as foobar2000 writes it into a frame of its own; nil without one.
    var cueSheet: CueSheet? {
        let texts = frames.lazy.filter { $0.name == "TXXX" }.map(\.texts)
        return CueSheet(tag: texts.first { $0.count > 1 && $0[0].uppercased() == "CUESHEET" }?[1])
    }
}

extension ID3Tag.Frame {
    /// The texts of a frame of text, which zeros divide; behind the description in `TXXX`.
    var texts: [String] {
        guard let encoding = body.first else { return [] }
        return Self.texts(body.dropFirst(), encoding: encoding)
    }

    /// The text behind the language and the description of a frame of lyrics.
    var lyrics: String? {
        guard let encoding = body.first, body.count > 4 else { return nil }
        let parts = Self.texts(body.dropFirst(4), encoding: encoding, atMost: 2)
        return parts.count == 2 ? parts[1] : nil
    }

    private static func texts(_ bytes: ArraySlice<UInt8>, encoding: UInt8, atMost limit: Int = 256) -> [String] {
        switch encoding {
        case 0, 3:
            return bytes.split(separator: 0, maxSplits: limit - 1, omittingEmptySubsequences: false).map { part in
                encoding == 3 ? String(decoding: part, as: UTF8.self) : latin(part)
            }
        default:
            let units = stride(from: bytes.startIndex, to: bytes.endIndex - 1, by: 2).map { (bytes[$0], bytes[$0 + 1]) }
            return units.split(maxSplits: limit - 1, omittingEmptySubsequences: false) { $0 == (0, 0) }
                .map { utf16($0, isBig: encoding == 2) }
        }
    }

    /// A text that says it is Latin-1, which has always been the charset of the machine; see
    /// `AudioFileReader.useLegacyCharset`.
    private static func latin(_ bytes: ArraySlice<UInt8>) -> String {
        if let charset { return TextDecoding.text(Array(bytes), charset: charset) }
        return String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
    }

    private static let charset = getenv(AudioFileReader.charsetVariable).map { String(cString: $0) }

    private static func utf16(_ units: ArraySlice<(UInt8, UInt8)>, isBig: Bool) -> String {
        var units = units
        var isBig = isBig
        if let mark = units.first, mark == (0xFE, 0xFF) || mark == (0xFF, 0xFE) {
            isBig = mark.0 == 0xFE
            units = units.dropFirst()
        }
        return String(
            decoding: units.map { isBig ? UInt16($0) << 8 | UInt16($1) : UInt16($1) << 8 | UInt16($0) }, as: UTF16.self)
    }
}
