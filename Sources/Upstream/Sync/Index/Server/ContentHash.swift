import Coordination

/// A hash of all that the index shows of a song, kept with it, so that a walk can tell changed songs from unchanged
/// ones.
struct ContentHash {
    private var hash = FNV1a()

    var value: UInt64 { hash.value }
    private mutating func combine(byte: UInt8) { hash.combine(byte: byte) }

    /// Adds a text and an end mark, so that ("ab", "c") and ("a", "bc") differ.
    mutating func combine(_ text: String) {
        hash.combine(text)
        // No UTF-8 text contains this byte.
        combine(byte: 0xff)
    }

    mutating func combine(_ number: Int64) {
        for shift in stride(from: 0, to: 64, by: 8) {
            combine(byte: UInt8(truncatingIfNeeded: number >> Int64(shift)))
        }
    }

    /// Adds a number that may be absent; absent differs from every number.
    mutating func combine(_ number: Int64?) {
        combine(byte: number == nil ? 0 : 1)
        if let number { combine(number) }
    }

    /// Adds a number that may be absent, by its exact bits.
    mutating func combine(_ number: Double?) {
        combine(number.map { Int64(bitPattern: $0.bitPattern) })
    }

    mutating func combine(_ text: String?) {
        combine(byte: text == nil ? 0 : 1)
        if let text { combine(text) }
    }
}

/// A song's hash in two halves: one of what every server tells, one of what only Navidrome's own API does.
///
/// Where that API is out of reach, the latter is unknown, and a song whose other half is the same is unchanged: it
/// keeps the tags that it has. The index keeps both halves as one number.
struct SplitHash: Hashable {
    private static let lower: UInt64 = 0xFFFF_FFFF

    /// Both halves; the lower one is zero where it is unknown.
    let joined: UInt64

    /// Takes a hash apart that was joined before, or one of a song that has no halves.
    init(_ joined: UInt64) { self.joined = joined }

    /// Joins two hashes, of which that of the details may be unknown.
    init(plain: UInt64, details: UInt64?) {
        joined = plain & ~Self.lower | (details.map { max(1, $0 & Self.lower) } ?? 0)
    }

    /// The hash of what is made of the song: the same halves are known of both.
    func derived(_ combine: (inout ContentHash) -> Void) -> SplitHash {
        var hash = ContentHash()
        hash.combine(Int64(bitPattern: joined & ~Self.lower))
        combine(&hash)
        return SplitHash(plain: hash.value, details: joined & Self.lower == 0 ? nil : joined ^ hash.value)
    }

    /// True if a song with this hash is the same as one that the index has.
    func isUnchanged(since known: UInt64) -> Bool {
        joined == known || joined & Self.lower == 0 && joined == known & ~Self.lower
    }
}
