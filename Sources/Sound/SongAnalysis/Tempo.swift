import Glibc

struct Tempo {
    let beatsPerMinute: Double
    /// How clear the beat is, from 0 to 1.
    let confidence: Double

    private static let range = 50.0...200.0
    private static let beats = 4

    /// Finds the period at which the curve is most like itself, where people tend to tap: nil for curves of less than
    /// five seconds, and for those without any beat.
    init?(onsets: [Float], perSecond: Int) {
        guard onsets.count >= 5 * perSecond else { return nil }
        let mean = onsets.reduce(0, +) / Float(onsets.count)
        let curve = onsets.map { $0 - mean }
        let lags = Int(60.0 / Self.range.lowerBound * Double(perSecond)) * Self.beats + 2
        let power = Self.correlation(curve, 0)
        guard power > 1e-6, lags < curve.count else { return nil }
        let likeness = (0...lags).map { Self.correlation(curve, $0) / power }
        var best = (score: -Double.infinity, tempo: 0.0, likeness: 0.0)
        var tempo = Self.range.lowerBound
        while tempo <= Self.range.upperBound {
            let period = 60 / tempo * Double(perSecond)
            let values = (1...Self.beats).map { Self.value(likeness, at: period * Double($0)) }
            let mean = values.reduce(0, +) / Double(Self.beats)
            // Most people tap at about 120 beats a minute.
            let octaves = log2(tempo / 120)
            let score = mean * exp(-0.5 * octaves * octaves)
            if score > best.score { best = (score, tempo, mean) }
            tempo *= 1.002
        }
        guard best.score.isFinite, best.likeness > 0.02 else { return nil }
        beatsPerMinute = best.tempo
        confidence = min(1, max(0, best.likeness))
    }

    private static func correlation(_ curve: [Float], _ lag: Int) -> Double {
        var sum: Float = 0
        curve.withUnsafeBufferPointer { curve in
            for index in 0..<curve.count - lag { sum += curve[index] * curve[index + lag] }
        }
        return Double(sum) / Double(curve.count - lag)
    }

    private static func value(_ likeness: [Double], at lag: Double) -> Double {
        let whole = Int(lag)
        guard whole + 1 < likeness.count else { return 0 }
        let part = lag - Double(whole)
        return likeness[whole] * (1 - part) + likeness[whole + 1] * part
    }
}

/// The key of a song, from how much of each pitch there is.
/// - Source: Temperley, Music and Probability, 2007: how often pitches occur, by Kostka's and Payne's corpus.
enum MusicalKey {
    private static let major = [0.748, 0.060, 0.488, 0.082, 0.670, 0.460, 0.096, 0.715, 0.104, 0.366, 0.057, 0.400]
    private static let minor = [0.712, 0.084, 0.474, 0.618, 0.049, 0.460, 0.105, 0.747, 0.404, 0.067, 0.133, 0.330]
    private static let names = ["C", "Db", "D", "Eb", "E", "F", "Gb", "G", "Ab", "A", "Bb", "B"]

    /// The key, 0 to 11 for major ones from C, 12 to 23 for minor ones; nil without pitches.
    static func find(_ chroma: [Double]) -> Int? {
        guard chroma.count == 12, chroma.allSatisfy(\.isFinite), chroma.reduce(0, +) > 1e-6 else { return nil }
        let scores = (0..<24).map { key in
            correlation(chroma, (0..<12).map { (key < 12 ? major : minor)[($0 - key % 12 + 12) % 12] })
        }
        guard let best = scores.max(), best > 0.3 else { return nil }
        return scores.firstIndex(of: best)
    }

    static func name(_ key: Int) -> String { names[key % 12] + (key < 12 ? "" : "m") }

    private static func correlation(_ first: [Double], _ second: [Double]) -> Double {
        let (mean, other) = (first.reduce(0, +) / 12, second.reduce(0, +) / 12)
        var (product, left, right) = (0.0, 0.0, 0.0)
        for (a, b) in zip(first, second) {
            product += (a - mean) * (b - other)
            left += (a - mean) * (a - mean)
            right += (b - other) * (b - other)
        }
        return left > 0 && right > 0 ? product / (left * right).squareRoot() : 0
    }
}
