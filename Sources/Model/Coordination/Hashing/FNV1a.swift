/// A 64-bit FNV-1a hash, the same across processes, versions and machines, unlike `Hasher`. Values that are made to
/// collide do collide.
/// - Source: the FNV-1a parameters of draft-eastlake-fnv.
package struct FNV1a: Hashable, Sendable {
    /// The hash of all bytes so far.
    package private(set) var value: UInt64 = 0xCBF2_9CE4_8422_2325

    /// Starts without a byte.
    package init() {}

    /// Adds a byte.
    package mutating func combine(byte: UInt8) { value = (value ^ UInt64(byte)) &* 0x100_0000_01B3 }

    /// Adds bytes in their order.
    package mutating func combine(_ bytes: UnsafeRawBufferPointer) {
        var hash = self
        for byte in bytes { hash.combine(byte: byte) }
        self = hash
    }

    /// Adds a text's UTF-8 without an end mark: ("ab", "c") and ("a", "bc") give the same hash.
    package mutating func combine(_ text: String) {
        var text = text
        text.withUTF8 { combine(UnsafeRawBufferPointer($0)) }
    }

    /// The hash for a table whose size is a power of two: its high bits are folded into the low ones.
    package var folded: UInt64 { value ^ (value >> 32) }

    /// The place in a table of `size` slots, a power of two.
    package func slot(of size: Int) -> Int { Int(truncatingIfNeeded: folded) & (size - 1) }
}
