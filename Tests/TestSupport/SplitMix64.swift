import Hashing

/// A small random generator with a seed, so that a library is the same in every run.
///
/// - Source: Steele, Lea, Flood: Fast Splittable Pseudorandom Number Generators, 2014.
package struct SplitMix64: RandomNumberGenerator, Sendable {
    private var state: UInt64

    /// Starts the sequence that belongs to `seed`.
    package init(seed: UInt64) { state = seed }

    /// The next number.
    package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }

    /// A number that belongs to a text, the same in every run.
    static func hash(_ text: String) -> UInt64 {
        var hash = FNV1a()
        hash.combine(text)
        var generator = SplitMix64(seed: hash.value)
        return generator.next()
    }

    /// An id of 22 letters and digits that belongs to a text, as Navidrome's ids look.
    static func id(for text: String) -> String {
        var generator = SplitMix64(seed: hash(text))
        let letters = Array("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz".utf8)
        var bits = generator.next()
        var id: [UInt8] = []
        for index in 0..<22 {
            if index == 11 { bits = generator.next() }
            id.append(letters[Int(bits % 62)])
            bits /= 62
        }
        return String(decoding: id, as: UTF8.self)
    }
}
