import Coordination

/// The random numbers behind random order and shuffling, which a test can repeat by their seed.
struct OrderGenerator: RandomNumberGenerator, Sendable {
    private var numbers: SplitMix64

    init(seed: UInt64? = nil) { numbers = seed.map(SplitMix64.init) ?? SplitMix64() }
    mutating func next() -> UInt64 { numbers.next() }

    /// Puts what stands from `start` on into random order. The upper half of a product stands in for a remainder; among
    /// a million entries no order is likelier than another by more than one part in 2^44.
    mutating func shuffle<Item>(_ items: inout [Item], from start: Int) {
        items.withUnsafeMutableBufferPointer { items in
            for last in stride(from: items.count - 1, to: start, by: -1) {
                let count = UInt64(last - start + 1)
                items.swapAt(last, start + Int(next().multipliedFullWidth(by: count).high))
            }
        }
    }
}
