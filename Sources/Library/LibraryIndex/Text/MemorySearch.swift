import Glibc

func memoryOrder(_ left: UnsafePointer<UInt8>, _ right: UnsafePointer<UInt8>, _ count: Int) -> Int {
    Int(memcmp(left, right, count))
}

/// Finds a short text in a long one: searches for its two rarest bytes at their distance, 32 offsets at a time, and
/// compares where both stand. Letters are too frequent for a search by one of them: it stops in every other word.
struct ByteSearch {
    private typealias Block = SIMD32<UInt8>

    private let needle: [UInt8]
    /// The offsets of the rarest byte in the needle and of the next one.
    private let pivots: (first: Int, second: Int)

    init(_ needle: [UInt8]) {
        self.needle = needle
        let order = needle.indices.sorted { Self.rarity(needle[$0]) > Self.rarity(needle[$1]) }
        pivots = (order.first ?? 0, order.dropFirst().first ?? order.first ?? 0)
    }

    /// Letters of titles, the most frequent first; what isn't here is rare.
    private static let frequent = Array(" eaotinrshldumcgfpwbykv".utf8)

    private static func rarity(_ byte: UInt8) -> Int {
        let lower = byte &- 0x41 < 26 ? byte | 0x20 : byte
        // Other scripts share their first bytes: those are as frequent as a vowel.
        if byte >= 0xC0 { return 0 }
        return frequent.firstIndex(of: lower) ?? frequent.count
    }

    func first(in bytes: UnsafeRawBufferPointer, from start: Int) -> Int? {
        guard let base = bytes.baseAddress, !needle.isEmpty else { return nil }
        if needle.count == 1 { return bytes.firstIndex(of: needle[0], from: start) }
        return needle.withUnsafeBytes { needle in
            let last = bytes.count - needle.count
            var offset = start
            let (first, second) = (Block(repeating: needle[pivots.first]), Block(repeating: needle[pivots.second]))
            // The second load ends within the text as long as a whole block of bytes is left.
            while offset <= last - Block.scalarCount {
                let isFirst = base.loadUnaligned(fromByteOffset: offset + pivots.first, as: Block.self) .== first
                let isSecond = base.loadUnaligned(fromByteOffset: offset + pivots.second, as: Block.self) .== second
                let hit = Self.firstHit(in: isFirst .& isSecond) { isNeedle(needle, at: base + offset + $0) }
                if let hit { return offset + hit }
                offset += Block.scalarCount
            }
            while offset <= last {
                if isNeedle(needle, at: base + offset) { return offset }
                offset += 1
            }
            return nil
        }
    }

    private func isNeedle(_ needle: UnsafeRawBufferPointer, at start: UnsafeRawPointer) -> Bool {
        guard start.load(fromByteOffset: pivots.first, as: UInt8.self) == needle[pivots.first] else { return false }
        return needle.baseAddress.map { memcmp(start, $0, needle.count) == 0 } ?? false
    }

    /// The first offset in a block at which a hit passes.
    private static func firstHit(in mask: SIMDMask<SIMD32<Int8>>, where passes: (Int) -> Bool) -> Int? {
        // A byte of ones for each hit, eight offsets in a word.
        let words = unsafeBitCast(mask, to: SIMD4<UInt64>.self)
        guard words != .zero else { return nil }
        for index in 0..<4 {
            var word = words[index].littleEndian
            while word != 0 {
                let byte = word.trailingZeroBitCount / 8
                if passes(index * 8 + byte) { return index * 8 + byte }
                word &= ~(0xFF << UInt64(byte * 8))
            }
        }
        return nil
    }
}

extension UnsafeRawBufferPointer {
    func contains(_ needle: [UInt8]) -> Bool { firstIndex(of: needle, from: 0) != nil }

    func firstIndex(of needle: [UInt8], from start: Int) -> Int? {
        guard let first = needle.first else { return start }
        var start = start
        while start + needle.count <= count, let found = firstIndex(of: first, from: start) {
            if UnsafeRawBufferPointer(rebasing: self[found...]).starts(with: needle) { return found }
            start = found + 1
        }
        return nil
    }

    func starts(with prefix: [UInt8]) -> Bool {
        if prefix.isEmpty { return true }
        guard count >= prefix.count, let base = baseAddress else { return false }
        return prefix.withUnsafeBufferPointer { $0.baseAddress.map { memcmp(base, $0, prefix.count) == 0 } ?? true }
    }

    func equals(_ other: [UInt8]) -> Bool { count == other.count && starts(with: other) }

    func equals(_ other: UnsafeRawBufferPointer) -> Bool {
        guard count == other.count else { return false }
        guard let left = baseAddress, let right = other.baseAddress else { return count == 0 }
        return memcmp(left, right, count) == 0
    }

    func firstIndex(of byte: UInt8, from start: Int) -> Int? {
        guard start < count, let base = baseAddress else { return nil }
        guard let found = memchr(base + start, Int32(byte), count - start) else { return nil }
        return UnsafeRawPointer(found) - base
    }
}

/// How many bytes of its own the process may have (`RLIMIT_DATA`).
func memoryAllowance() -> Int {
    #if canImport(Glibc)
        var limits = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_DATA.rawValue), &limits) == 0 else { return .max }
        return Int(clamping: limits.rlim_cur)
    #else
        return .max
    #endif
}
