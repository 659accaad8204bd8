import Glibc
import Outputs

/// A filter of the second order, computed in double precision.
/// - Source: R. Bristow-Johnson, "Cookbook formulae for audio EQ biquad filter coefficients", which AutoEQ's files and
///   Equalizer APO mean.
struct Biquad {
    /// The coefficients, divided by a0.
    let (b0, b1, b2, a1, a2): (Double, Double, Double, Double, Double)

    init?(_ band: EqualizerCurve.Band, rate: Int) {
        guard band.gain != 0, band.frequency < Double(rate) * 0.49 else { return nil }
        let w = 2 * Double.pi * band.frequency / Double(rate)
        let alpha = sin(w) / (2 * band.q)
        let gain = pow(10, band.gain / 40)
        let numerator: (Double, Double, Double)
        let denominator: (Double, Double, Double)
        switch band.shape {
        case .peak:
            numerator = (1 + alpha * gain, -2 * cos(w), 1 - alpha * gain)
            denominator = (1 + alpha / gain, -2 * cos(w), 1 - alpha / gain)
        case .lowShelf, .highShelf:
            // A high shelf is a low one with the frequencies reversed.
            let sign: Double = band.shape == .lowShelf ? 1 : -1
            let (plus, minus, slope) = (gain + 1, gain - 1, 2 * gain.squareRoot() * alpha)
            let turn = sign * cos(w)
            numerator = (
                gain * (plus - minus * turn + slope), sign * 2 * gain * (minus - plus * turn),
                gain * (plus - minus * turn - slope)
            )
            denominator = (plus + minus * turn + slope, sign * -2 * (minus + plus * turn), plus + minus * turn - slope)
        }
        (b0, b1, b2) = (numerator.0 / denominator.0, numerator.1 / denominator.0, numerator.2 / denominator.0)
        (a1, a2) = (denominator.1 / denominator.0, denominator.2 / denominator.0)
    }
}

struct Equalizer: FilterStage {
    private let channels: Int
    private let preamp: Float
    private let filters: [Biquad]
    private var memory: [(Double, Double)]

    init(_ curve: EqualizerCurve, rate: Int, channels: Int) {
        self.channels = channels
        preamp = Float(pow(10, curve.preamp / 20))
        filters = curve.bands.compactMap { Biquad($0, rate: rate) }
        memory = Array(repeating: (0, 0), count: filters.count * channels)
    }

    mutating func process(_ samples: inout [Float]) {
        let (channels, preamp) = (channels, preamp)
        samples.withUnsafeMutableBufferPointer { samples in
            if preamp != 1 {
                var index = 0
                while index < samples.count {
                    samples[index] *= preamp
                    index += 1
                }
            }
            for (number, filter) in filters.enumerated() {
                for channel in 0..<channels {
                    var (one, two) = memory[number * channels + channel]
                    var index = channel
                    while index < samples.count {
                        let input = Double(samples[index])
                        let output = filter.b0 * input + one
                        one = filter.b1 * input - filter.a1 * output + two
                        two = filter.b2 * input - filter.a2 * output
                        samples[index] = Float(output)
                        index += channels
                    }
                    // Values this small, left long after the sound, would be slow to calculate with.
                    memory[number * channels + channel] = (abs(one) < 1e-30 ? 0 : one, abs(two) < 1e-30 ? 0 : two)
                }
            }
        }
    }
}
