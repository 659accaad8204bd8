import Glibc
import MusicModel

/// Finds the beats at both ends of a song: their distance, and when they sound. It looks at when energy rises, in steps
/// of five milliseconds of the first and the last 40 seconds: at low notes most, as hats are as even.
/// - Isolation: one thread at a time.
final class BeatTracker {
    private static let perSecond = 200
    private static let span = 40 * perSecond
    /// Softer sound than this counts as silence, in squares of samples and of differences between them.
    private static let floor: Float = 1e-5
    /// Where low notes end, in hertz, and how much more they weigh.
    private static let (bottom, weight): (Float, Float) = (150, 4)

    private let rate: Int
    private let pull: Float
    private var head: [Float] = []
    /// The last steps, the next one to be replaced at `count % span`.
    private var ring = [Float](repeating: 0, count: span)
    private var count = 0
    private var phase = 0
    private var energy: (all: Float, low: Float, frames: Int) = (0, 0, 0)
    private var last: Float = 0
    private var filtered: (Float, Float) = (0, 0)
    private var level: (all: Float, low: Float)?

    /// Prepares for sound of a rate; nil where it is too low to tell anything.
    init?(rate: Int) {
        guard rate >= 4000 else { return nil }
        self.rate = rate
        pull = 1 - expf(-2 * .pi * Self.bottom / Float(rate))
    }

    func take(_ samples: [Float]) {
        // Fields of a class are slow to change: only once for each step.
        var (energy, last, filtered, phase) = (energy, last, filtered, phase)
        let pull = pull
        for sample in samples {
            // Differences make the beginning of a beat stand out of long low notes.
            energy.all += (sample - last) * (sample - last)
            last = sample
            filtered.0 += pull * (sample - filtered.0)
            filtered.1 += pull * (filtered.0 - filtered.1)
            energy.low += filtered.1 * filtered.1
            energy.frames &+= 1
            phase &+= Self.perSecond
            guard phase >= rate else { continue }
            phase -= rate
            endStep(energy)
            energy = (0, 0, 0)
        }
        (self.energy, self.last, self.filtered, self.phase) = (energy, last, filtered, phase)
    }

    private func endStep(_ energy: (all: Float, low: Float, frames: Int)) {
        let frames = Float(energy.frames)
        let now = (all: logf(Self.floor + energy.all / frames), low: logf(Self.floor + energy.low / frames))
        let before = level ?? now
        let rise = max(0, now.all - before.all) + Self.weight * max(0, now.low - before.low)
        level = now
        if count < Self.span { head.append(rise) }
        ring[count % Self.span] = rise
        count += 1
    }

    /// The beats near a tempo.
    /// - Parameter beatsPerMinute: the song's tempo, known to a few per cent.
    func beats(near beatsPerMinute: Double) -> SongBeats {
        guard beatsPerMinute.isFinite, beatsPerMinute > 0 else { return SongBeats() }
        let start = max(0, count - Self.span)
        let tail = (start..<count).map { ring[$0 % Self.span] }
        return SongBeats(
            head: Self.grid(head, from: 0, near: 60 / beatsPerMinute),
            tail: Self.grid(tail, from: start, near: 60 / beatsPerMinute))
    }

    private static let minBeats = 16
    /// How far from the grid a beat may lie, in steps.
    private static let reach = 6

    private static func grid(_ curve: [Float], from start: Int, near seconds: Double) -> BeatGrid? {
        let near = seconds * Double(perSecond)
        guard near > 20, Double(curve.count) > near * Double(minBeats) else { return nil }
        var (period, first) = coarse(curve, near)
        var fit: Fit?
        for _ in 0..<3 {
            guard let found = Fit(curve, first: first, period: period, reach: reach) else { return nil }
            (period, first, fit) = (found.period, found.first, found)
        }
        guard let fit else { return nil }
        // A beat in the middle, as the ends of the grid depend most on the period.
        let middle = first + (Double(curve.count) / 2 / period).rounded() * period
        return BeatGrid(
            beat: (Double(start) + middle + 0.5) / Double(perSecond), period: period / Double(perSecond),
            confidence: fit.confidence)
    }

    /// The period and the position of a beat, to a step or so: most of the curve falls on one phase of the period.
    private static func coarse(_ curve: [Float], _ near: Double) -> (period: Double, first: Double) {
        var best: (score: Float, period: Double, first: Double) = (-1, near, 0)
        let step = near / Double(curve.count) / 2
        var period = near * 0.97
        while period <= near * 1.03 {
            let steps = Int(period)
            var sums = [Float](repeating: 0, count: steps + 2)
            let scale = Double(steps) / period
            curve.withUnsafeBufferPointer { curve in
                var position = 0.0
                for value in curve {
                    sums[Int(position * scale)] += value
                    position += 1
                    if position >= period { position -= period }
                }
            }
            for position in 0..<steps {
                let score = sums[position] + 0.7 * (sums[(position + 1) % steps] + sums[(position + steps - 1) % steps])
                if score > best.score { best = (score, period, Double(position) / scale) }
            }
            period += max(0.001, step)
        }
        return (best.period, best.first)
    }

    /// A line through the beats that lie near a grid, weighted by how clear each is.
    private struct Fit {
        let first: Double
        let period: Double
        let confidence: Double

        init?(_ curve: [Float], first: Double, period: Double, reach: Int) {
            var found: [(number: Double, position: Double, weight: Double)] = []
            let beats = Int((Double(curve.count) - first) / period)
            for number in 0..<max(0, beats) {
                let position = first + Double(number) * period
                if let peak = Self.peak(curve, near: position, reach) { found.append((Double(number), peak.0, peak.1)) }
            }
            let weight = found.reduce(0) { $0 + $1.weight }
            guard beats >= BeatTracker.minBeats, weight > 0 else { return nil }
            let number = found.reduce(0) { $0 + $1.weight * $1.number } / weight
            let position = found.reduce(0) { $0 + $1.weight * $1.position } / weight
            let spread = found.reduce(0) { $0 + $1.weight * ($1.number - number) * ($1.number - number) }
            guard spread > 0 else { return nil }
            let slope = found.reduce(0) { $0 + $1.weight * ($1.number - number) * ($1.position - position) } / spread
            guard abs(slope / period - 1) < 0.02 else { return nil }
            (self.period, self.first) = (slope, position - slope * number)
            let start = self.first
            let scatter = found.reduce(0) { sum, beat in
                let off = beat.position - start - slope * beat.number
                return sum + beat.weight * off * off
            }
            let mean = Double(curve.reduce(0, +)) / Double(max(1, curve.count))
            confidence = Self.confidence(
                scatter: (scatter / weight).squareRoot(), contrast: weight / Double(beats) / max(1e-9, 5 * mean),
                hits: Double(found.count { $0.weight > 5 * mean }) / Double(beats))
        }

        /// Beats count as clear that lie close to the line, are there each time, and stand out of what lies between.
        private static func confidence(scatter: Double, contrast: Double, hits: Double) -> Double {
            let even = max(0, 1 - scatter / 3)
            return even * min(1, max(0, (contrast - 1) / 2)) * min(1, max(0, hits))
        }

        private static func peak(_ curve: [Float], near position: Double, _ reach: Int) -> (Double, Double)? {
            let (from, to) = (
                max(2, Int(position.rounded()) - reach), min(curve.count - 3, Int(position.rounded()) + reach)
            )
            guard from <= to, let top = (from...to).max(by: { curve[$0] < curve[$1] }), curve[top] > 0
            else { return nil }
            var (sum, moment) = (0.0, 0.0)
            for step in top - 2...top + 2 {
                sum += Double(curve[step])
                moment += Double(curve[step]) * Double(step)
            }
            return (moment / sum, sum)
        }
    }
}
