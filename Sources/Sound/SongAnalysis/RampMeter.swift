import Glibc

/// Measures how loud the beginning and the end of a song are, for MixRamp.
///
/// Each tenth of a second is weighted by itself as ReplayGain 1 weights, and is as loud as the louder one of its
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
    private let left = LoudnessFilter(frames: chunk)
    private let right = LoudnessFilter(frames: chunk)
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
        self.left.set(fill, left)
        self.right.set(fill, right)
        fill += 1
        guard fill == Self.chunk else { return }
        fill = 0
        self.left.run()
        self.right.run()
        let loudest = max(decibels(0..<Self.half), decibels(Self.half..<Self.chunk))
        note(Moment(decibels: loudest, tenth: tenths))
        tenths += 1
    }

    /// How much louder a piece is than what ReplayGain leaves as it is, in steps of a hundredth.
    private func decibels(_ frames: Range<Int>) -> Double {
        let power = (1e-16 + left.power(frames) + right.power(frames)) / Double(frames.count)
        let level = (100 * (10 * log10(power) + 87)).rounded(.down) / 100
        return max(-64, min(24, level - 64.54))
    }

    private func note(_ moment: Moment) {
        for (place, level) in Self.levels.enumerated() where moment.decibels >= level {
            if starts[place] == nil { starts[place] = moment }
            ends[place] = moment
        }
    }

    /// How loud it is so long after the start, as the tag `MIXRAMP_START` has it; nil for less than a tenth of a
    /// second.
    var start: String? { text(starts) { $0.tenth } }

    /// How loud it is so long before the end, as the tag `MIXRAMP_END` has it.
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

/// Weights samples of 44.1 kHz by how loud people hear them, each piece by itself.
///
/// - Isolation: one thread at a time.
/// - Source: the ReplayGain 1 proposal: a filter of the tenth order by Yule and Walker, then one of the second by
///   Butterworth.
private final class LoudnessFilter {
    private static let order = 10
    private static let yuleBack = [
        -3.47845948550071, 6.36317777566148, -8.54751527471874, 9.47693607801280, -8.81498681370155,
        6.85401540936998, -4.39470996079559, 2.19611684890774, -0.75104302451432, 0.13149317958808,
    ]
    private static let yuleFore = [
        0.05418656406430, -0.02911007808948, -0.00848709379851, -0.00851165645469, -0.00834990904936,
        0.02245293253339, -0.02596338512915, 0.01624864962975, -0.00240879051584, 0.00674613682247,
        -0.00187763777362,
    ]
    private static let butterBack = (-1.96977855582618, 0.97022847566350)
    private static let butterFore = (0.98500175787242, -1.97000351574484, 0.98500175787242)

    /// Samples, and those behind the first filter; each with silence in front.
    private let raw: UnsafeMutableBufferPointer<Double>
    private let weighted: UnsafeMutableBufferPointer<Double>
    private let frames: Int

    init(frames: Int) {
        self.frames = frames
        raw = .allocate(capacity: frames + Self.order)
        weighted = .allocate(capacity: frames + Self.order)
        raw.initialize(repeating: 0)
        weighted.initialize(repeating: 0)
    }

    deinit {
        raw.deallocate()
        weighted.deallocate()
    }

    func set(_ frame: Int, _ sample: Float) { raw[frame + Self.order] = Double(sample) }

    /// Filters the piece; afterwards `power` tells of it.
    func run() {
        Self.yuleFore.withUnsafeBufferPointer { fore in
            Self.yuleBack.withUnsafeBufferPointer { back in
                for place in Self.order..<frames + Self.order {
                    var sum = fore[0] * raw[place]
                    var step = 1
                    while step <= Self.order {
                        sum += fore[step] * raw[place - step] - back[step - 1] * weighted[place - step]
                        step += 1
                    }
                    weighted[place] = sum
                }
            }
        }
        // The samples are not needed any more.
        var (before, earlier) = (0.0, 0.0)
        for place in Self.order..<frames + Self.order {
            let fore =
                Self.butterFore.0 * weighted[place] + Self.butterFore.1 * weighted[place - 1]
                + Self.butterFore.2 * weighted[place - 2]
            let value = fore - Self.butterBack.0 * before - Self.butterBack.1 * earlier
            (earlier, before) = (before, value)
            raw[place] = value
        }
    }

    /// The sum of the squares.
    func power(_ frames: Range<Int>) -> Double {
        var sum = 0.0
        for place in frames { sum += raw[place + Self.order] * raw[place + Self.order] }
        return sum
    }
}
