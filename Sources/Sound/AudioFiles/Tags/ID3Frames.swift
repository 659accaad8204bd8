import MusicModel

/// The frames of an ID3 tag of any version up to 2.4.
/// - Source: ID3 tag version 2.2.0, 2.3.0 and 2.4.0, main structure; where they leave things open, or tags break them,
///   as GStreamer 1.22's `gst_tag_list_from_id3v2_tag` goes through frames.
struct ID3Frames: Sequence, IteratorProtocol {
    struct Frame {
        let name: String
        let start: Int64
        let body: Range<Int64>
        fileprivate let flags: UInt8
    }

    static let maxTagSize: Int64 = 32 << 20
    private static let headSize: Int64 = 10

    let version: UInt8
    /// True if frames don't lie where the file has them: older versions scramble their heads, too.
    let isScrambled: Bool
    private let source: HeaderBytes
    private let hasScrambledBodies: Bool
    private var place: Int64
    private let end: Int64

    /// Goes through the tag at a position; nil where there is none, and for one of an unknown version or too large.
    init?(_ source: HeaderBytes, at start: Int64, before limit: Int64 = .max) {
        let head = source.bytes(at: start, count: Int(Self.headSize))
        guard let whole = source.sizeOfTag(at: start), head[3] <= 4 else { return nil }
        let (version, flags) = (head[3], head[5])
        let first = start + Self.headSize
        let told = whole - Self.headSize - (flags & 0x10 != 0 ? 10 : 0)
        guard told <= Self.maxTagSize, first <= limit else { return nil }
        let size = Swift.min(told, limit - first)
        self.version = version
        isScrambled = flags & 0x80 != 0 && version < 4
        hasScrambledBodies = flags & 0x80 != 0 && version == 4
        if isScrambled {
            let plain = Self.withoutUnsynchronisation(source.bytes(at: first, count: Int(size)))
            (self.source, place, end) = (HeaderBytes(plain), 0, Int64(plain.count))
        } else {
            (self.source, place, end) = (source, first, first + size)
        }
        guard flags & 0x40 != 0 else { return }
        let skipped = Self.number(self.source.bytes(at: place, count: 4), isSafe: true) + (version < 4 ? 4 : 0)
        place = skipped >= 6 && skipped <= end - place ? place + skipped : end
    }

    mutating func next() -> Frame? {
        let size: Int64 = version < 3 ? 6 : 10
        let head = end - place > size ? source.bytes(at: place, count: Int(size)) : []
        guard head.count == size, head[0] != 0, case let body = place + size,
            case let length = version < 3
                ? Self.number(head[3...], isSafe: false) : Self.number(head[4..<8], isSafe: version == 4),
            length <= end - body
        else { return nil }
        defer { place = body + length }
        return Frame(
            name: String(decoding: head.prefix(version < 3 ? 3 : 4), as: UTF8.self), start: place,
            body: body..<body + length, flags: version < 3 ? 0 : head[9])
    }

    /// False for compressed, encrypted and grouped frames, which are rare and could be anything.
    func isPlain(_ frame: Frame) -> Bool { frame.flags & (version == 4 ? 0x4C : 0xE0) == 0 }

    /// The bytes of a frame as they stand there, without the length that may precede them.
    func stored(_ frame: Frame) -> [UInt8] {
        let bytes = source.bytes(at: frame.body.lowerBound, count: frame.body.count)
        return version == 4 && frame.flags & 0x01 != 0 ? Array(bytes.dropFirst(4)) : bytes
    }

    /// The bytes of a frame as the tag's writer meant them.
    func meant(_ frame: Frame) -> [UInt8] {
        let bytes = stored(frame)
        let isScrambled = hasScrambledBodies || version == 4 && frame.flags & 0x02 != 0
        return isScrambled ? Self.withoutUnsynchronisation(bytes) : bytes
    }

    /// A size; a safe one leaves out each highest bit, unless the tag's writer did not know that.
    private static func number(_ bytes: some Collection<UInt8>, isSafe: Bool) -> Int64 {
        let bits = isSafe && bytes.allSatisfy { $0 < 0x80 } ? 7 : 8
        return bytes.reduce(0) { $0 << bits | Int64($1) }
    }

    private static func withoutUnsynchronisation(_ bytes: [UInt8]) -> [UInt8] {
        Array(bytes.indices.lazy.filter { bytes[$0] != 0 || $0 == 0 || bytes[$0 - 1] != 0xFF }.map { bytes[$0] })
    }

    /// Where a file's tag begins and where it ends at the latest: at the beginning of a stream, else in a chunk, or
    /// behind the sound of a DSF file. Nil without one.
    static func place(in source: HeaderBytes) -> Range<Int64>? {
        guard let size = source.size, let range = candidate(source, size), range.lowerBound <= size - headSize,
            source.bytes(at: range.lowerBound, count: 3).elementsEqual("ID3".utf8)
        else { return nil }
        return range.clamped(to: 0..<size)
    }

    private static func candidate(_ source: HeaderBytes, _ size: Int64) -> Range<Int64>? {
        switch source.name(at: 0) {
        case "DSD ":
            guard let offset = source.little(at: 20, count: 8), offset > 0, offset < UInt64(size) else { return nil }
            return Int64(offset)..<size
        case "FRM8": return (try? DSDHeader.read(source))?.tag
        case "RIFF", "RF64", "BW64", "FORM": return SoundChunks(source)?.body("id3 ", "ID3 ")
        default: return 0..<size
        }
    }
}
