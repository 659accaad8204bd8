/// Random numbers that a seed repeats, the same across processes and machines; an attacker may guess them.
/// - Source: Steele, Lea, Flood: Fast Splittable Pseudorandom Number Generators, 2014.
package struct SplitMix64: RandomNumberGenerator, Hashable, Sendable {
    @usableFromInline var state: UInt64

    /// Starts from a seed.
    @inlinable package init(seed: UInt64) { state = seed }

    /// Starts from a seed that the system gives.
    package init() { state = UInt64.random(in: .min ... .max) }

    /// The next number.
    @inlinable package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        return Self.mixed(state)
    }

    /// The number at a position of a seed's sequence, without those before it.
    @inlinable package static func number(at position: UInt64, seed: UInt64) -> UInt64 {
        mixed(seed &+ position &* 0x9E37_79B9_7F4A_7C15)
    }

    @inlinable static func mixed(_ state: UInt64) -> UInt64 {
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
