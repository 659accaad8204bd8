import MusicModel

/// The elements of a Matroska or WebM file, some of which hold others.
/// - Source: RFC 8794 (EBML), RFC 9559 (Matroska).
struct EBML {
    typealias Element = (id: UInt32, start: Int64, body: Range<Int64>)

    enum ID {
        static let (head, segment): (UInt32, UInt32) = (0x1A45_DFA3, 0x1853_8067)
        static let (seekHead, seek, seekID): (UInt32, UInt32, UInt32) = (0x114D_9B74, 0x4DBB, 0x53AB)
        static let (seekPosition, information): (UInt32, UInt32) = (0x53AC, 0x1549_A966)
        static let (tracks, cluster): (UInt32, UInt32) = (0x1654_AE6B, 0x1F43_B675)
        static let (attachments, tags): (UInt32, UInt32) = (0x1941_A469, 0x1254_C367)
    }

    private static let maxTextLength: Int64 = 1 << 20

    let source: HeaderBytes
    private var budget: Int

    init(_ source: HeaderBytes, budget: Int = 20_000) { (self.source, self.budget) = (source, budget) }

    /// The contents of the segment, behind which nothing follows; nil for any other kind of file.
    mutating func segment() -> Range<Int64>? {
        guard source.number(at: 0, count: 4) == UInt64(ID.head), let size = source.size,
            let head = element(at: 0, limit: size), let segment = element(at: head.body.upperBound, limit: size),
            segment.id == ID.segment
        else { return nil }
        return segment.body
    }

    /// The element of a name directly in the segment: before the sound, or where the list at the beginning says.
    mutating func part(_ id: UInt32, in segment: Range<Int64>) -> Element? {
        var offset = segment.lowerBound
        var told: Int64?
        while let found = element(at: offset, limit: segment.upperBound) {
            if found.id == id { return found }
            if found.id == ID.seekHead, told == nil { told = position(of: id, in: found.body) }
            if found.id == ID.cluster { break }
            offset = found.body.upperBound
        }
        guard let told, source.isComplete,
            let found = element(
                at: segment.lowerBound.addingClamped(told), limit: segment.upperBound), found.id == id
        else { return nil }
        return found
    }

    private mutating func position(of id: UInt32, in list: Range<Int64>) -> Int64? {
        for entry in elements(in: list) where entry.id == ID.seek {
            let parts = elements(in: entry.body)
            guard number(parts, ID.seekID) == UInt64(id), let offset = number(parts, ID.seekPosition) else { continue }
            return Int64(clamping: offset)
        }
        return nil
    }

    mutating func elements(in body: Range<Int64>) -> [Element] {
        var found: [Element] = []
        var offset = body.lowerBound
        while let next = element(at: offset, limit: body.upperBound) {
            found.append(next)
            offset = next.body.upperBound
        }
        return found
    }

    func number(_ elements: [Element], _ id: UInt32) -> UInt64? {
        guard let found = elements.first(where: { $0.id == id }), (1...8).contains(found.body.count) else { return nil }
        return source.number(at: found.body.lowerBound, count: found.body.count)
    }

    /// The text that the first element of a name holds; nil without one, or one that is longer than a mebibyte.
    func text(_ elements: [Element], _ id: UInt32) -> String? {
        guard let found = elements.first(where: { $0.id == id }), Int64(found.body.count) <= Self.maxTextLength
        else { return nil }
        let bytes = source.bytes(at: found.body.lowerBound, count: found.body.count)
        return String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }

    /// The element at a position; one without a length continues to the limit.
    private mutating func element(at start: Int64, limit: Int64) -> Element? {
        guard budget > 0, start >= 0, start < limit else { return nil }
        budget -= 1
        let head = source.bytes(at: start, count: Int(min(12, limit - start)))
        guard let first = head.first, case let idLength = first.leadingZeroBitCount + 1, idLength <= 4,
            head.count > idLength, case let sizeLength = head[idLength].leadingZeroBitCount + 1, sizeLength <= 8,
            head.count >= idLength + sizeLength
        else { return nil }
        let id = UInt32(highestFirst: head[..<idLength])
        let bits = UInt64(highestFirst: head[idLength..<idLength + sizeLength])
        let unknown = (UInt64(1) << (7 * UInt64(sizeLength))) - 1
        let size = bits & unknown
        let body = start + Int64(idLength + sizeLength)
        let end = size == unknown ? limit : min(limit, body.addingClamped(Int64(clamping: size)))
        return body <= end ? (id, start, body..<end) : nil
    }
}
