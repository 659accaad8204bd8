import Glibc

/// The sound of songs, as points that are near each other where it is alike, by their slots. Each number is brought to
/// the library's mean and deviation, so that all weigh alike. Comparing one song with all is a walk through memory.
package struct SoundSpace: Sendable {
    /// One song's numbers; what is beyond those that are measured is zero. Four vectors of eight, as those of 32 are
    /// taken apart one by one: comparing is forty times faster so.
    struct Point: Sendable {
        static let scalarCount = 32
        private var (first, second, third, fourth) = (Lane(), Lane(), Lane(), Lane())

        typealias Lane = SIMD8<Float>

        init() {}

        init(_ numbers: [Float]) {
            func lane(_ start: Int) -> Lane {
                var lane = Lane()
                for index in 0..<8 where start + index < numbers.count { lane[index] = numbers[start + index] }
                return lane
            }
            (first, second, third, fourth) = (lane(0), lane(8), lane(16), lane(24))
        }

        mutating func add(_ other: Point, _ weight: Float) {
            first += other.first * weight
            second += other.second * weight
            third += other.third * weight
            fourth += other.fourth * weight
        }

        mutating func divide(by divisor: Float) {
            first /= divisor
            second /= divisor
            third /= divisor
            fourth /= divisor
        }

        @inline(__always)
        func distance(to other: Point) -> Float {
            let (a, b) = (first - other.first, second - other.second)
            let (c, d) = (third - other.third, fourth - other.fourth)
            let sum = a * a + b * b + c * c + d * d
            let half = sum.lowHalf + sum.highHalf
            return half[0] + half[1] + (half[2] + half[3])
        }
    }

    /// Numbers further out than this many deviations count as that many.
    private static let furthest: Float = 4

    private let points: ContiguousArray<Point>
    private let isKnown: ContiguousArray<Bool>
    private let dimensions: Float
    private let traits: ContiguousArray<SongTraits>
    /// How many songs have been measured.
    package let count: Int

    /// Makes a space of measured songs; vectors of another length than the first, or with no number, are left out.
    package init(
        slots: Int, _ vectors: [(slot: Int, vector: [Float])], traits known: [(slot: Int, traits: SongTraits)] = []
    ) {
        var traits = ContiguousArray(repeating: SongTraits(), count: known.isEmpty ? 0 : slots)
        for (slot, value) in known where traits.indices.contains(slot) { traits[slot] = value }
        self.traits = traits
        let length = min(vectors.first?.vector.count ?? 0, Point.scalarCount)
        let usable = vectors.filter {
            $0.vector.count >= max(length, 1) && (0..<slots).contains($0.slot) && $0.vector.allSatisfy { $0.isFinite }
        }
        var (mean, square) = ([Double](repeating: 0, count: length), [Double](repeating: 0, count: length))
        for (_, vector) in usable {
            for index in 0..<length {
                mean[index] += Double(vector[index]) / Double(usable.count)
                square[index] += Double(vector[index]) * Double(vector[index]) / Double(usable.count)
            }
        }
        let deviations = (0..<length).map { Float(max(0, square[$0] - mean[$0] * mean[$0]).squareRoot()) }
        var points = ContiguousArray(repeating: Point(), count: slots)
        var isKnown = ContiguousArray(repeating: false, count: slots)
        for (slot, vector) in usable {
            points[slot] = Point(
                (0..<length).map { index in
                    guard deviations[index] > 1e-6 else { return 0 }
                    let value = (vector[index] - Float(mean[index])) / deviations[index]
                    return max(-Self.furthest, min(Self.furthest, value))
                })
            isKnown[slot] = true
        }
        (self.points, self.isKnown) = (points, isKnown)
        dimensions = Float(max(deviations.filter { $0 > 1e-6 }.count, 1))
        count = usable.count
    }

    /// A space without songs.
    package init() { self.init(slots: 0, []) }
    func traits(of slot: Int) -> SongTraits { traits.indices.contains(slot) ? traits[slot] : SongTraits() }
    func isKnown(_ slot: Int) -> Bool { slot < isKnown.count && isKnown[slot] }

    /// Where the mean of some songs lies, by their weights; nil where none of them was measured.
    func centre(of slots: [(slot: Int, weight: Float)]) -> Point? {
        var (sum, total) = (Point(), Float(0))
        for (slot, weight) in slots where slot < isKnown.count && isKnown[slot] {
            sum.add(points[slot], weight)
            total += weight
        }
        guard total > 0 else { return nil }
        sum.divide(by: total)
        return sum
    }

    /// How alike a song sounds to a point, from 0 to 1; nil where it was not measured.
    func likeness(_ slot: Int, to point: Point) -> Float? { withView { $0.likeness(slot, to: point) } }

    func withView<Result>(_ body: (View) -> Result) -> Result {
        points.withUnsafeBufferPointer { points in
            isKnown.withUnsafeBufferPointer { body(View(points: points, isKnown: $0, dimensions: dimensions)) }
        }
    }

    struct View {
        fileprivate let points: UnsafeBufferPointer<Point>
        fileprivate let isKnown: UnsafeBufferPointer<Bool>
        fileprivate let dimensions: Float

        @inline(__always)
        func likeness(_ slot: Int, to point: Point) -> Float? {
            guard slot < isKnown.count, isKnown[slot] else { return nil }
            // Two songs by chance differ by about two in each number's square.
            return expf(-points[slot].distance(to: point) / dimensions)
        }
    }

    /// How alike two songs sound, from 0 to 1; nil where one of them was not measured.
    package func likeness(_ first: Int, _ second: Int) -> Float? {
        centre(of: [(second, 1)]).flatMap { likeness(first, to: $0) }
    }
}
