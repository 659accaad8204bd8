/// A few numbers with their weights. A bit of a mask tells most others from them, so that nothing is hashed.
struct NumberTable: Sendable {
    private var mask: UInt64 = 0
    private var numbers: ContiguousArray<UInt32> = []
    private var weights: ContiguousArray<Float> = []

    init(_ weights: [UInt32: Float]) {
        for (number, weight) in weights.sorted(by: { $0.key < $1.key }) {
            mask |= Self.bit(number)
            numbers.append(number)
            self.weights.append(weight)
        }
    }

    init(_ numbers: some Sequence<UInt32>) {
        self.init(Dictionary(numbers.map { ($0, Float(1)) }, uniquingKeysWith: { first, _ in first }))
    }

    var isEmpty: Bool { numbers.isEmpty }
    private static func bit(_ number: UInt32) -> UInt64 { 1 << UInt64(number & 63) }

    @inline(__always)
    func sum(_ column: RaggedColumn.View, _ row: Int) -> Float {
        var sum: Float = 0
        for number in column[row] where mask & Self.bit(number) != 0 { sum += weight(number) }
        return sum
    }

    private func weight(_ number: UInt32) -> Float { numbers.firstIndex(of: number).map { weights[$0] } ?? 0 }

    @inline(__always)
    func contains(anyOf column: RaggedColumn.View, _ row: Int) -> Bool {
        for number in column[row] where mask & Self.bit(number) != 0 { if numbers.contains(number) { return true } }
        return false
    }
}
