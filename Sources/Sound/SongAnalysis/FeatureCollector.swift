import Glibc
import UserLibrary

/// Collects what the spectrum tells of a song: beats, harmony and timbre of its first quarter of an hour. Its one
/// channel is thinned out to about 16 kHz, where what is measured here lies.
/// - Isolation: one thread at a time.
final class FeatureCollector {
    static let hopsPerSecond = 100
    private static let longest = 15 * 60
    private static let bands = 24
    private static let coefficients = 13
    /// Those up to some 500 Hz, and how much more they weigh among what begins: hats between beats double tempos else.
    private static let (lowBands, lowWeight): (Int, Float) = (5, 4)
    /// Brings the power of a window of 1,024 to that of its samples; what is 60 dB below full scale has no beats.
    private static let loudness: Float = 1 / (512 * 512)

    private static let cosines: [Float] = (1...coefficients).flatMap { coefficient in
        (0..<bands).map { cosf(.pi * Float(coefficient) * (Float($0) + 0.5) / Float(bands)) }
    }

    private let rate: Int
    private let thinning: Int
    private let beats: Spectrum
    private let harmonies: Spectrum
    private let bandEnds: [Int]
    private let pitches: [Int]
    private var pending: [Float] = []
    private var harmonyPending: [Float] = []
    private var partial: (sum: Float, count: Int) = (0, 0)
    private var lastBands: [Float]?
    /// The same with a floor that noise between beats does not reach.
    private var lastLoudBands: [Float]?
    /// How much begins in each window, most of all at the bottom, where what people tap to begins.
    private(set) var onsets: [Float] = []
    /// How much begins in the last window, at all heights alike.
    private var rise: Float = 0
    private(set) var chroma = [Double](repeating: 0, count: 12)
    private var sums = [Double](repeating: 0, count: coefficients + 2)
    private var squares = [Double](repeating: 0, count: coefficients + 2)
    private var windows = 0

    init?(rate: Int) {
        guard rate >= 4000, let beats = Spectrum(size: 1024), let harmonies = Spectrum(size: 8192) else { return nil }
        thinning = max(1, rate / 16_000)
        self.rate = rate / thinning
        (self.beats, self.harmonies) = (beats, harmonies)
        // Bands that widen as hearing does, from 60 Hz to 7 kHz.
        let top = min(7000, Float(self.rate) / 2 - 100)
        let (low, high) = (Self.mel(60), Self.mel(top))
        bandEnds = (0...Self.bands).map { band in
            let hertz = 700 * (expf((low + (high - low) * Float(band) / Float(Self.bands)) / 1127) - 1)
            return min(512, Int(hertz * 1024 / Float(rate / max(1, rate / 16_000))))
        }
        let own = Float(self.rate)
        pitches = (0...4096).map { bin in
            let hertz = Float(bin) * own / 8192
            guard (110...2000).contains(hertz) else { return -1 }
            let semitones = Int((12 * log2f(hertz / 440)).rounded()) + 9
            return (semitones % 12 + 12) % 12
        }
    }

    private static func mel(_ hertz: Float) -> Float { 1127 * logf(1 + hertz / 700) }
    var isFull: Bool { windows >= Self.longest * Self.hopsPerSecond }

    func take(_ samples: [Float]) {
        if isFull { return }
        let thinned = thinned(samples)
        pending += thinned
        harmonyPending += thinned
        readBeats()
        readHarmonies()
    }

    private func thinned(_ samples: [Float]) -> [Float] {
        // Fields of a class are slow to change: once for all frames.
        var (sum, count) = partial
        let thinning = thinning
        let thinned = [Float](unsafeUninitializedCapacity: samples.count / thinning + 1) { target, filled in
            for sample in samples {
                sum += sample
                count &+= 1
                guard count == thinning else { continue }
                target.initializeElement(at: filled, to: sum / Float(thinning))
                filled &+= 1
                (sum, count) = (0, 0)
            }
        }
        partial = (sum, count)
        return thinned
    }

    private func readBeats() {
        let hop = max(1, rate / Self.hopsPerSecond)
        var start = 0
        while start + beats.size <= pending.count {
            beats.read(pending, from: start)
            takeWindow(beats.magnitudes)
            start += hop
        }
        pending.removeFirst(min(start, pending.count))
    }

    private func readHarmonies() {
        let hop = max(1, rate / 4)
        var start = 0
        while start + harmonies.size <= harmonyPending.count {
            harmonies.read(harmonyPending, from: start)
            let magnitudes = harmonies.magnitudes
            // Only what stands out has a pitch: drums are everywhere.
            for bin in 1..<magnitudes.count - 1 where pitches[bin] >= 0 {
                let magnitude = magnitudes[bin]
                guard magnitude > magnitudes[bin - 1], magnitude >= magnitudes[bin + 1] else { continue }
                chroma[pitches[bin]] += Double(magnitude)
            }
            start += hop
        }
        harmonyPending.removeFirst(min(start, harmonyPending.count))
    }

    private func takeWindow(_ magnitudes: UnsafeBufferPointer<Float>) {
        windows += 1
        var levels = [Float](repeating: 0, count: Self.bands)
        var loudLevels = levels
        for band in 0..<Self.bands {
            let (first, last) = (bandEnds[band], max(bandEnds[band] + 1, bandEnds[band + 1]))
            var sum: Float = 0
            for bin in first..<min(last, magnitudes.count) { sum += magnitudes[bin] * magnitudes[bin] }
            levels[band] = logf(1e-6 + sum)
            loudLevels[band] = logf(1e-6 + sum * Self.loudness)
        }
        if let lastBands { rise = Self.rise(from: lastBands, to: levels).whole }
        if let lastLoudBands {
            let rise = Self.rise(from: lastLoudBands, to: loudLevels)
            onsets.append(rise.whole + Self.lowWeight * rise.low)
        }
        (lastBands, lastLoudBands) = (levels, loudLevels)
        takeTimbre(levels, magnitudes)
    }

    private static func rise(from before: [Float], to after: [Float]) -> (whole: Float, low: Float) {
        var (whole, low): (Float, Float) = (0, 0)
        for band in 0..<bands {
            whole += max(0, after[band] - before[band])
            if band == lowBands - 1 { low = whole }
        }
        return (whole, low)
    }

    private func takeTimbre(_ levels: [Float], _ magnitudes: UnsafeBufferPointer<Float>) {
        var values: [Double] = []
        values.reserveCapacity(Self.coefficients + 2)
        for coefficient in 0..<Self.coefficients {
            var sum: Float = 0
            for band in 0..<Self.bands { sum += levels[band] * Self.cosines[coefficient * Self.bands + band] }
            values.append(Double(sum) / Double(Self.bands))
        }
        let total = magnitudes.reduce(0, +)
        var centre: Float = 0
        for bin in magnitudes.indices { centre += Float(bin) * magnitudes[bin] }
        values.append(total > 1e-4 ? Double(centre / total) / 512 : 0)
        values.append(Double(rise))
        for (index, value) in values.enumerated() where value.isFinite {
            sums[index] += value
            squares[index] += value * value
        }
    }

    /// Where the middle of the spectrum lies on average, from 0 to 1.
    var brightness: Double { windows == 0 ? 0 : sums[Self.coefficients] / Double(windows) }
    var activity: Double { windows == 0 ? 0 : sums[Self.coefficients + 1] / Double(windows) }

    /// Means and deviations of everything that was measured; empty for sound of less than a second.
    var vector: [Float] {
        guard windows >= Self.hopsPerSecond / 2 else { return [] }
        let means = sums.map { $0 / Double(windows) }
        let deviations = zip(squares, means).map { max(0, $0 / Double(windows) - $1 * $1).squareRoot() }
        return (means + deviations).map { Float($0) }
    }
}
