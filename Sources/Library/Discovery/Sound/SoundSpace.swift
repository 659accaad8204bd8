import Glibc

/// What songs sound like, as points that are near each other where the sound is alike, by their slots.
///
/// Each number that was measured is brought to the library's mean and deviation, so that all weigh alike. Comparing one
/// song with all others is a walk through memory: there is no index to keep.
/// - Isolation: any; it never changes.
package struct SoundSpace: Sendable {
    /// One song's numbers; what is beyond those that are measured is zero.
    typealias Point = SIMD32<Float>

    /// Numbers further out than so many deviations count as that many.
    private static let furthest: Float = 4

    private let points: ContiguousArray<Point>
    private let isKnown: ContiguousArray<Bool>
    private let dimensions: Float
    /// How many songs have been measured.
    package let count: Int

    /// Makes a space of the songs of a catalogue that were measured; vectors of another length than the first, or with
    /// what is no number, are left out.
    package init(slots: Int, _ vectors: [(slot: Int, vector: [Float])]) {
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
            var point = Point()
            for index in 0..<length where deviations[index] > 1e-6 {
                let value = (vector[index] - Float(mean[index])) / deviations[index]
                point[index] = max(-Self.furthest, min(Self.furthest, value))
            }
            points[slot] = point
            isKnown[slot] = true
        }
        (self.points, self.isKnown) = (points, isKnown)
        dimensions = Float(max(deviations.filter { $0 > 1e-6 }.count, 1))
        count = usable.count
    }

    /// A space without songs.
    package init() { self.init(slots: 0, []) }

    /// Where the mean of some songs lies, by their weights; nil where none of them was measured.
    func centre(of slots: [(slot: Int, weight: Float)]) -> Point? {
        var (sum, total) = (Point(), Float(0))
        for (slot, weight) in slots where slot < isKnown.count && isKnown[slot] {
            sum += points[slot] * weight
            total += weight
        }
        return total > 0 ? sum / total : nil
    }

    /// How alike a song sounds to a point, from 0 to 1; nil where it was not measured.
    func likeness(_ slot: Int, to point: Point) -> Float? {
        guard slot < isKnown.count, isKnown[slot] else { return nil }
        let difference = points[slot] - point
        // Two songs by chance differ by about two in each number's square.
        return expf(-(difference * difference).sum() / dimensions)
    }

    /// How alike two songs sound, from 0 to 1; nil where one of them was not measured.
    package func likeness(_ first: Int, _ second: Int) -> Float? {
        centre(of: [(second, 1)]).flatMap { likeness(first, to: $0) }
    }

    /// The songs that sound most like one, the nearest first; none where it was not measured.
    package func nearest(_ slot: Int, _ count: Int) -> [Int] {
        guard let point = centre(of: [(slot, 1)]) else { return [] }
        var best = BestList(count)
        for other in 0..<points.count where other != slot {
            if let likeness = likeness(other, to: point) { best.offer(other, likeness) }
        }
        return best.sorted.map(\.slot)
    }
}
