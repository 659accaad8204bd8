import Glibc

/// Curves that are drawn by points, as AutoEQ's `GraphicEQ.txt` has them.
extension EqualizerCurve {
    /// A position that the curve runs through.
    package struct Point: Hashable, Sendable {
        /// In hertz.
        package var frequency: Double
        /// In decibels.
        package var gain: Double

        /// Makes a point.
        package init(frequency: Double, gain: Double) { (self.frequency, self.gain) = (frequency, gain) }
    }

    /// The most points that a curve may have.
    package static let maxPoints = 4096

    /// The gain of points at a frequency, in decibels: between two of them straight over the frequency's logarithm,
    /// beyond the ends that of the last one; 0 without points.
    package static func gain(of points: [Point], at frequency: Double) -> Double {
        guard let first = points.first, let last = points.last else { return 0 }
        if frequency <= first.frequency { return first.gain }
        if frequency >= last.frequency { return last.gain }
        var (low, high) = (0, points.count - 1)
        while high - low > 1 {
            let middle = (low + high) / 2
            if points[middle].frequency <= frequency { low = middle } else { high = middle }
        }
        let (one, other) = (points[low], points[high])
        let share = log(frequency / one.frequency) / log(other.frequency / one.frequency)
        return one.gain + (other.gain - one.gain) * share
    }

    /// The points of a line such as `GraphicEQ: 20 -1.2; 21 -1.3`, by rising frequency; nil for any other line.
    ///
    /// - Throws: `EqualizerProblem` for what is no pair of numbers, for numbers that are out of range, and for a
    ///   frequency that stands there twice.
    static func points(of line: Substring) throws(EqualizerProblem) -> [Point]? {
        let line = line.drop { $0 == " " || $0 == "\t" }
        guard line.lowercased().hasPrefix("graphiceq") else { return nil }
        var points: [Point] = []
        for pair in line.dropFirst("graphiceq".count).split(separator: ";" as Character) {
            let words = pair.split(whereSeparator: { " \t,:".contains($0) }).map { String($0) }
            if words.isEmpty { continue }
            guard words.count == 2 else { throw unknown(words, example: "20 -1.5") }
            points.append(
                Point(frequency: try number(words[0], 1...192_000), gain: try number(words[1], gains)))
        }
        guard (1...maxPoints).contains(points.count) else {
            throw EqualizerProblem("it has \(points.count) points; from 1 to \(maxPoints) make a curve")
        }
        points.sort { $0.frequency < $1.frequency }
        for (one, next) in zip(points, points.dropFirst()) where one.frequency == next.frequency {
            throw EqualizerProblem("\(one.frequency) Hz stands there twice")
        }
        return points
    }
}
