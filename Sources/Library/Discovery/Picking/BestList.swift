import Glibc
import Coordination

/// Keeps the best of many scored items, of equal ones those with the lowest slots: a heap with the worst on top.
struct BestList {
    private let limit: Int
    private var heap: [(score: Float, slot: Int)] = []

    init(_ limit: Int) {
        self.limit = max(limit, 1)
        heap.reserveCapacity(self.limit)
    }

    private(set) var minValue = -Float.infinity

    @inline(__always)
    mutating func offer(_ slot: Int, _ score: Float) { if score >= minValue { take(slot, score) } }

    private mutating func take(_ slot: Int, _ score: Float) {
        if heap.count < limit {
            heap.append((score, slot))
            rise(heap.count - 1)
        } else if Self.isWorse(heap[0], (score, slot)) {
            heap[0] = (score, slot)
            sink()
        }
        if heap.count == limit { minValue = heap[0].score }
    }

    private static func isWorse(_ one: (score: Float, slot: Int), _ other: (score: Float, slot: Int)) -> Bool {
        one.score < other.score || one.score == other.score && one.slot > other.slot
    }

    var sorted: [(score: Float, slot: Int)] { heap.sorted { Self.isWorse($1, $0) } }

    private mutating func rise(_ start: Int) {
        var index = start
        while index > 0, Self.isWorse(heap[index], heap[(index - 1) / 2]) {
            heap.swapAt(index, (index - 1) / 2)
            index = (index - 1) / 2
        }
    }

    private mutating func sink() {
        var index = 0
        while true {
            var worst = index
            for child in (2 * index + 1)...(2 * index + 2)
            where child < heap.count && Self.isWorse(heap[child], heap[worst]) { worst = child }
            if worst == index { return }
            heap.swapAt(index, worst)
            index = worst
        }
    }
}

func logarithm(_ value: Float) -> Float { logf(value) }

/// The random numbers behind picks, which a test can repeat by their seed.
package struct PickGenerator: RandomNumberGenerator, Sendable {
    private var numbers: SplitMix64

    /// Starts from a seed; nil takes one from the system.
    package init(seed: UInt64? = nil) { numbers = seed.map(SplitMix64.init) ?? SplitMix64() }
    /// The next number.
    package mutating func next() -> UInt64 { numbers.next() }

    /// A number from 0 to 1, neither included.
    @inline(__always)
    mutating func unit() -> Float { (Float(Int32(truncatingIfNeeded: next() >> 41)) + 0.5) / Float(1 << 23) }
    /// Gumbel noise: the item with the largest sum of score and noise is a draw by softmax.
    mutating func gumbel() -> Float { Self.gumbel(unit()) }
    static func gumbel(_ unit: Float) -> Float { -logarithm(-logarithm(unit)) }

    /// A bound that this noise is not above, without a logarithm: as -log(u) is at least 1 - u, the noise is at most
    /// -log(1 - u), of which the exponent tells enough.
    @inline(__always)
    static func maxGumbel(_ unit: Float) -> Float { Float((1 - unit).exponent) * -0.6932 + 0.001 }
}
