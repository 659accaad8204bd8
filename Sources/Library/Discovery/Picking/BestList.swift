import Glibc
import Hashing

/// Keeps the best of many scored items: a heap with the worst of them on top.
struct BestList {
    private let limit: Int
    private var heap: [(score: Float, slot: Int)] = []

    init(_ limit: Int) {
        self.limit = max(limit, 1)
        heap.reserveCapacity(self.limit)
    }

    /// Considers an item.
    mutating func offer(_ slot: Int, _ score: Float) {
        if heap.count < limit {
            heap.append((score, slot))
            rise(heap.count - 1)
        } else if score > heap[0].score {
            heap[0] = (score, slot)
            sink()
        }
    }

    /// The items, best first.
    var sorted: [(score: Float, slot: Int)] { heap.sorted { $0.score > $1.score } }

    private mutating func rise(_ start: Int) {
        var index = start
        while index > 0, heap[index].score < heap[(index - 1) / 2].score {
            heap.swapAt(index, (index - 1) / 2)
            index = (index - 1) / 2
        }
    }

    private mutating func sink() {
        var index = 0
        while true {
            var least = index
            for child in [2 * index + 1, 2 * index + 2]
            where child < heap.count && heap[child].score < heap[least].score { least = child }
            if least == index { return }
            heap.swapAt(index, least)
            index = least
        }
    }
}

/// The natural logarithm; Foundation isn't needed for it.
func logarithm(_ value: Float) -> Float { logf(value) }

/// The random numbers behind picks, which a test can repeat by their seed.
package struct PickGenerator: RandomNumberGenerator, Sendable {
    private var numbers: SplitMix64

    /// Starts from a seed; nil takes one from the system.
    package init(seed: UInt64? = nil) { numbers = seed.map(SplitMix64.init) ?? SplitMix64() }

    /// The next number.
    package mutating func next() -> UInt64 { numbers.next() }

    /// A number from 0 to 1, neither included.
    mutating func unit() -> Float { (Float(next() >> 41) + 0.5) / Float(1 << 23) }

    /// Gumbel noise: the item with the largest sum of score and noise is a draw by softmax.
    mutating func gumbel() -> Float { -logarithm(-logarithm(unit())) }
}
