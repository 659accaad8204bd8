import Glibc

/// Measures how loud the beginning and the end of a song are, for MixRamp.
///
/// Each tenth of a second is weighted alone as ReplayGain 1 weights, and is as loud as the louder one of its
/// halves; 0 dB is what ReplayGain leaves as it is. For each of 15 levels it notes when the song reaches it first, and
/// last. Other rates than 44.1 kHz are brought to that one, as the filters are made for it.
/// - Isolation: one thread at a time.
/// - Source: MPD v0.24.9 src/pcm/MixRampAnalyzer.cxx for what is noted; the ReplayGain 1 proposal for the filters.
final class RampMeter {
    /// A tenth of a second.
    private struct Moment: Hashable {
        var decibels: Double
        /// Its number from the song's start.
        var tenth: Int
    }

    private static let rate = 44_100
    private static let half = rate / 20
    private static let chunk = 2 * half
    private static let levels: [Double] = [-90, -60, -40, -30, -24, -21, -18, -15, -12, -9, -6, -3, 0, 3, 6]
    /// A song of a day has no later end.
    private static let longest = 24 * 36_000

    private var starts = [Moment?](repeating: nil, count: levels.count)
    private var ends = [Moment?](repeating: nil, count: levels.count)
    private var tenths = 0
    private var fill = 0
    private let filter = LoudnessFilter(frames: chunk)
    private var thinned: (left: Float, right: Float, count: Int) = (0, 0, 0)
    private var previous: (left: Float, right: Float) = (0, 0)
    private var phase = 0.0

    /// Takes frames in; samples that are no numbers count as silence.
    func take(_ samples: UnsafeBufferPointer<Float>, rate: Int, channels: Int) {
        guard rate >= 1000, channels > 0, tenths < Self.longest else { return }
        let thinning = max(1, rate / Self.rate)
        let step = Double(rate) / Double(thinning) / Double(Self.rate)
        for frame in 0..<samples.count / channels {
            let sides = Self.sides(samples, frame * channels, channels)
            guard thinning > 1 else {
                bring(sides.left, sides.right, step)
                continue
            }
            thinned = (thinned.left + sides.left, thinned.right + sides.right, thinned.count + 1)
            guard thinned.count >= thinning else { continue }
            bring(thinned.left / Float(thinned.count), thinned.right / Float(thinned.count), step)
            thinned = (0, 0, 0)
        }
    }

    /// One channel stands for both sides; a third one, in the middle, belongs to both.
    private static func sides(
        _ samples: UnsafeBufferPointer<Float>, _ start: Int, _ channels: Int
    ) -> (left: Float, right: Float) {
        let left = sound(samples[start])
        let right = channels > 1 ? sound(samples[start + 1]) : left
        guard channels > 2 else { return (left, right) }
        let middle = 0.707 * sound(samples[start + 2])
        return (left + middle, right + middle)
    }

    private static func sound(_ sample: Float) -> Float { sample.isFinite ? max(-8, min(8, sample)) : 0 }

    /// Brings samples to 44.1 kHz, along the line between two of them.
    private func bring(_ left: Float, _ right: Float, _ step: Double) {
        if step == 1 { return add(left, right) }
        while phase < 1 {
            let share = Float(phase)
            add(previous.left + share * (left - previous.left), previous.right + share * (right - previous.right))
            phase += step
        }
        phase -= 1
        previous = (left, right)
    }

    private func add(_ left: Float, _ right: Float) {
        filter.set(fill, left, right)
        fill += 1
        guard fill == Self.chunk else { return }
        fill = 0
        filter.run()
        let loudest = max(decibels(0..<Self.half), decibels(Self.half..<Self.chunk))
        note(Moment(decibels: loudest, tenth: tenths))
        tenths += 1
    }

    /// How much louder a piece is than what ReplayGain leaves as it is, in steps of a hundredth.
    private func decibels(_ frames: Range<Int>) -> Double {
        let power = (1e-16 + filter.power(frames)) / Double(frames.count)
        let level = (100 * (10 * log10(power) + 87)).rounded(.down) / 100
        return max(-64, min(24, level - 64.54))
    }

    private func note(_ moment: Moment) {
        for (index, level) in Self.levels.enumerated() where moment.decibels >= level {
            if starts[index] == nil { starts[index] = moment }
            ends[index] = moment
        }
    }

    /// How loud it is at times after the start, as the tag `MIXRAMP_START` has it; nil for less than a tenth of a
    /// second.
    var start: String? { text(starts) { $0.tenth } }

    /// How loud it is at times before the end, as the tag `MIXRAMP_END` has it.
    var end: String? { text(ends) { tenths - $0.tenth } }

    private func text(_ moments: [Moment?], _ tenth: (Moment) -> Int) -> String? {
        var (text, last) = ("", Moment?.none)
        for case let moment? in moments where moment != last {
            last = moment
            text += Self.hundredths(moment.decibels) + " " + Self.hundredths(Double(tenth(moment)) / 10) + ";"
        }
        return text.isEmpty ? nil : text
    }

    private static func hundredths(_ value: Double) -> String {
        let whole = Int((abs(value) * 100).rounded())
        let digits = whole % 100
        return (value < 0 && whole > 0 ? "-" : "") + "\(whole / 100)." + (digits < 10 ? "0" : "") + "\(digits)"
    }
}
