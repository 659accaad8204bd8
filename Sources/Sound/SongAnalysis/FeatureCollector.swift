import Glibc
import UserLibrary

/// Collects what the spectrum tells of a song: beats, harmony and timbre of its first quarter of an hour.
///
/// Everything is mixed to one channel and thinned out to about 16 kHz, where what is measured here lies.
/// - Isolation: one thread at a time.
final class FeatureCollector {
    /// How many windows for beats there are in a second.
    static let hopsPerSecond = 100
    private static let longest = 15 * 60
    private static let bands = 24
    private static let coefficients = 13

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
    private(set) var onsets: [Float] = []
    private(set) var chroma = [Double](repeating: 0, count: 12)
    private var sums = [Double](repeating: 0, count: coefficients + 2)
    private var squares = [Double](repeating: 0, count: coefficients + 2)
    private var windows = 0

    /// Prepares for sound of a rate; nil where it is too low to tell anything.
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

    /// Takes frames in; samples that are no numbers count as silence.
    func take(_ samples: UnsafeBufferPointer<Float>, channels: Int) {
        guard windows < Self.longest * Self.hopsPerSecond else { return }
        for frame in 0..<samples.count / channels {
            var sum: Float = 0
            for channel in 0..<channels { sum += samples[frame * channels + channel] }
            let mean = sum / Float(channels)
            partial.sum += mean.isFinite ? max(-8, min(8, mean)) : 0
            partial.count += 1
            guard partial.count == thinning else { continue }
            pending.append(partial.sum / Float(thinning))
            partial = (0, 0)
        }
        harmonyPending += pending.suffix(from: min(harmonySeen, pending.count))
        harmonySeen = pending.count
        readBeats()
        readHarmonies()
    }

    /// How much of `pending` went to the harmonies.
    private var harmonySeen = 0

    private func readBeats() {
        let hop = max(1, rate / Self.hopsPerSecond)
        var start = 0
        while start + beats.size <= pending.count {
            beats.read(pending, from: start)
            takeWindow(beats.magnitudes)
            start += hop
        }
        pending.removeFirst(min(start, pending.count))
        harmonySeen = pending.count
    }

    private func readHarmonies() {
        let hop = max(1, rate / 4)
        var start = 0
        while start + harmonies.size <= harmonyPending.count {
            harmonies.read(harmonyPending, from: start)
            for (bin, magnitude) in harmonies.magnitudes.enumerated() where pitches[bin] >= 0 {
                chroma[pitches[bin]] += Double(magnitude)
            }
            start += hop
        }
        harmonyPending.removeFirst(min(start, harmonyPending.count))
    }

    private func takeWindow(_ magnitudes: [Float]) {
        windows += 1
        var levels = [Float](repeating: 0, count: Self.bands)
        for band in 0..<Self.bands {
            let (first, last) = (bandEnds[band], max(bandEnds[band] + 1, bandEnds[band + 1]))
            var sum: Float = 0
            for bin in first..<min(last, magnitudes.count) { sum += magnitudes[bin] * magnitudes[bin] }
            levels[band] = logf(1e-6 + sum)
        }
        if let lastBands {
            onsets.append(zip(levels, lastBands).reduce(0) { $0 + max(0, $1.0 - $1.1) })
        }
        lastBands = levels
        takeTimbre(levels, magnitudes)
    }

    private func takeTimbre(_ levels: [Float], _ magnitudes: [Float]) {
        var values: [Double] = (1...Self.coefficients).map { coefficient in
            Double(
                levels.enumerated().reduce(Float(0)) { sum, level in
                    sum + level.element
                        * cosf(.pi * Float(coefficient) * (Float(level.offset) + 0.5) / Float(Self.bands))
                }) / Double(Self.bands)
        }
        let total = magnitudes.reduce(0, +)
        let centre = magnitudes.enumerated().reduce(Float(0)) { $0 + Float($1.offset) * $1.element }
        values.append(total > 1e-4 ? Double(centre / total) / 512 : 0)
        values.append(Double(onsets.last ?? 0))
        for (index, value) in values.enumerated() where value.isFinite {
            sums[index] += value
            squares[index] += value * value
        }
    }

    /// Where the middle of the spectrum lies on average, from 0 to 1.
    var brightness: Double { windows == 0 ? 0 : sums[Self.coefficients] / Double(windows) }

    /// How much begins in a window on average.
    var activity: Double { windows == 0 ? 0 : sums[Self.coefficients + 1] / Double(windows) }

    /// Means and deviations of everything that was measured; empty for sound of less than a second.
    var vector: [Float] {
        guard windows >= Self.hopsPerSecond / 2 else { return [] }
        let means = sums.map { $0 / Double(windows) }
        let deviations = zip(squares, means).map { max(0, $0 / Double(windows) - $1 * $1).squareRoot() }
        return (means + deviations).map { Float($0) }
    }
}
