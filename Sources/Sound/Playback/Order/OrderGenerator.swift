/// The random numbers behind random order and shuffling: SplitMix64, so that a test can repeat a run by its seed.
struct OrderGenerator: RandomNumberGenerator, Sendable {
    private var state: UInt64

    /// Starts from a seed; nil takes one from the system.
    init(seed: UInt64? = nil) { state = seed ?? UInt64.random(in: .min ... .max) }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// Puts what stands from `start` on into random order.
    ///
    /// The upper half of a product stands in for a remainder; among a million entries no order is likelier than another
    /// by more than one part in 2^44.
    mutating func shuffle<Item>(_ items: inout [Item], from start: Int) {
        items.withUnsafeMutableBufferPointer { items in
            for last in stride(from: items.count - 1, to: start, by: -1) {
                let count = UInt64(last - start + 1)
                items.swapAt(last, start + Int(next().multipliedFullWidth(by: count).high))
            }
        }
    }
}
