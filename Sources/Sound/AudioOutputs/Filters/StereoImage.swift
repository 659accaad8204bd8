import Glibc
import MusicModel

/// The same for all channels; low frequencies that have a channel of their own stay there.
struct MonoMix: FilterStage {
    let channels: Int

    mutating func process(_ samples: inout [Float]) {
        let mixed = Speaker.layout(channels: channels).enumerated().filter { $0.element != .lowFrequency }.map(\.offset)
        for start in stride(from: 0, to: samples.count - channels + 1, by: channels) {
            let sum = mixed.reduce(Float(0)) { $0 + samples[start + $1] } / Float(mixed.count)
            for index in mixed { samples[start + index] = sum }
        }
    }
}

/// The channels of one side softer; those in the middle stay.
struct Balance: FilterStage {
    private let factors: [Float]

    /// - Parameter balance: -100 is the left side alone, 100 the right one.
    init(_ balance: Int, channels: Int) {
        let (left, right) = (Float(100 - max(0, balance)) / 100, Float(100 + min(0, balance)) / 100)
        factors = Speaker.layout(channels: channels).map { speaker in
            switch speaker.side {
            case .left: left
            case .middle: 1
            case .right: right
            }
        }
    }

    mutating func process(_ samples: inout [Float]) {
        for start in stride(from: 0, to: samples.count - factors.count + 1, by: factors.count) {
            for index in factors.indices { samples[start + index] *= factors[index] }
        }
    }
}

/// Later by some frames.
struct Delay: FilterStage {
    let latency: Int
    private var line: [Float]
    private var place = 0

    init(frames: Int, channels: Int) {
        latency = frames
        line = Array(repeating: 0, count: frames * channels)
    }

    mutating func process(_ samples: inout [Float]) {
        guard !line.isEmpty else { return }
        for index in samples.indices {
            (samples[index], line[place]) = (line[place], samples[index])
            place = place + 1 == line.count ? 0 : place + 1
        }
    }
}

/// Each ear hears the low notes of the other channel a little later and softer, as it does with loudspeakers.
/// - Source: B. Bauer, "Stereophonic earphones and binaural loudspeakers" (1961); the figures are the usual ones of
///   bs2b: 700 Hz and 4.5 dB.
struct Crossfeed: FilterStage {
    private static let (cut, level) = (700.0, 4.5)
    private let (lowGain, lowKeep, highGain, highBefore, highKeep, gain):
        (Double, Double, Double, Double, Double, Double)
    private var low = (0.0, 0.0)
    private var high = (0.0, 0.0)
    private var before = (0.0, 0.0)

    init(rate: Int) {
        let (lowLevel, highLevel) = (Self.level * -5 / 6 - 3, Self.level / 6 - 3)
        let (soft, loud) = (pow(10, lowLevel / 20), 1 - pow(10, highLevel / 20))
        let highCut = Self.cut * pow(2, (lowLevel - 20 * log10(loud)) / 12)
        let lowKeep = exp(-2 * Double.pi * Self.cut / Double(rate))
        let highKeep = exp(-2 * Double.pi * highCut / Double(rate))
        (self.lowKeep, lowGain) = (lowKeep, soft * (1 - lowKeep))
        (self.highKeep, highGain, highBefore) = (highKeep, 1 - loud * (1 - highKeep), -highKeep)
        gain = 1 / (1 - loud + soft)
    }

    mutating func process(_ samples: inout [Float]) {
        for start in stride(from: 0, to: samples.count - 1, by: 2) {
            let input = (Double(samples[start]), Double(samples[start + 1]))
            low = (lowGain * input.0 + lowKeep * low.0, lowGain * input.1 + lowKeep * low.1)
            high = (
                highGain * input.0 + highBefore * before.0 + highKeep * high.0,
                highGain * input.1 + highBefore * before.1 + highKeep * high.1
            )
            before = input
            samples[start] = Float((high.0 + low.1) * gain)
            samples[start + 1] = Float((high.1 + low.0) * gain)
        }
    }
}
