import Glibc

/// Makes soft passages louder and loud ones softer, and looks a little ahead so that nothing is cut off.
///
/// The loudness of the last seconds sets a gain that changes slowly; silence leaves it as it is. A limiter behind that
/// turns down before a peak is there, so its sound is five milliseconds late.
struct Levelling: FilterStage {
    /// The loudness that is aimed at, as the root of the mean square.
    private static let target = 0.126
    /// Sound below is taken for silence.
    private static let silence = 0.001
    /// The most that is taken or added, as factors.
    private static let gains = 0.25...4.0
    private let channels: Int
    private let window: Int
    /// By how much of the way the gain follows in a window.
    private let slow: Double = 1 - exp(-0.2 / 3)
    private var (sum, count) = (0.0, 0)
    private var power = 0.0
    private var (gain, step) = (1.0, 0.0)
    private var limiter: LookAheadLimiter

    init(rate: Int, channels: Int) {
        self.channels = channels
        // A fifth of a second is measured at a time; the gain follows within about three seconds.
        window = max(1, rate / 5)
        limiter = LookAheadLimiter(rate: rate, channels: channels)
    }

    var latency: Int { limiter.latency }

    mutating func process(_ samples: inout [Float]) {
        for start in stride(from: 0, to: samples.count, by: channels) {
            for index in start..<start + channels {
                sum += Double(samples[index]) * Double(samples[index])
                samples[index] *= Float(gain)
            }
            gain = min(max(gain + step, Self.gains.lowerBound), Self.gains.upperBound)
            count += 1
            if count == window { measure() }
        }
        limiter.process(&samples)
    }

    private mutating func measure() {
        let loudness = sum / Double(count * channels)
        (sum, count, step) = (0, 0, 0)
        guard loudness > Self.silence * Self.silence else { return }
        power = power == 0 ? loudness : power + (loudness - power) * slow
        let goal = min(max(Self.target / power.squareRoot(), Self.gains.lowerBound), Self.gains.upperBound)
        step = (goal - gain) * slow / Double(window)
    }
}

/// Turns down around samples that are too loud: the least factor of the frames that are coming, averaged over as many,
/// so that it is reached when they are there and changes without a step.
struct LookAheadLimiter: FilterStage {
    static let ceiling: Float = 0.98
    private let channels: Int
    private let ahead: Int
    private let release: Float
    private var line: [Float]
    private var factors: [Float]
    private var sum: Double
    private var place = 0
    /// The last factor before the mean, and the frames that want a smaller one than those behind them, with theirs.
    private var last: Float = 1
    private var wanted: [(frame: Int, factor: Float)] = []
    private var frame = 0

    init(rate: Int, channels: Int) {
        self.channels = channels
        ahead = max(1, rate / 200)
        // Back from silence within a fifth of a second.
        release = 5 / Float(max(1, rate))
        line = Array(repeating: 0, count: ahead * channels)
        factors = Array(repeating: 1, count: ahead)
        sum = Double(ahead)
    }

    var latency: Int { ahead }

    mutating func process(_ samples: inout [Float]) {
        for start in stride(from: 0, to: samples.count, by: channels) {
            var peak: Float = 0
            for index in start..<start + channels { peak = max(peak, abs(samples[index])) }
            let factor = next(peak)
            for channel in 0..<channels {
                let late = place * channels + channel
                (samples[start + channel], line[late]) = (line[late] * factor, samples[start + channel])
            }
            place = place + 1 == ahead ? 0 : place + 1
        }
    }

    /// The factor of the frame that leaves, now that one of this peak has come.
    private mutating func next(_ peak: Float) -> Float {
        let own = peak > Self.ceiling ? Self.ceiling / peak : 1
        if own < 1 {
            while let before = wanted.last, before.factor >= own { wanted.removeLast() }
            wanted.append((frame, own))
        }
        while let first = wanted.first, first.frame < frame - ahead { wanted.removeFirst() }
        frame += 1
        last = min(wanted.first?.factor ?? 1, last + release)
        sum += Double(last) - Double(factors[place])
        factors[place] = last
        return Float(sum / Double(ahead))
    }
}
