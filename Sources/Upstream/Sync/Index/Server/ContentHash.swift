import Coordination

/// A hash of all that the index shows of a song.
///
/// The index keeps it with each song, so that a walk can tell changed songs from unchanged ones.
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

    /// Adds eight bytes, the lowest first.
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

    /// Adds a text that may be absent.
    mutating func combine(_ text: String?) {
        combine(byte: text == nil ? 0 : 1)
        if let text { combine(text) }
    }
}
