package import MusicModel

/// The formats that an output may get.
///
/// Rates stay in their family where they can: 176.4 kHz becomes 88.2 and not 96 kHz, since whole multiples convert with
/// the least loss.
package struct AllowedFormats: Hashable, Sendable {
    /// The formats; parts that are unknown allow any. Without formats all are allowed.
    package var formats: [AudioFormat] = []
    /// The highest rate; nil is none.
    package var maxRate: Int?

    /// True if nothing is ruled out.
    package var isAny: Bool { formats.isEmpty && maxRate == nil }

    /// The format for sound of a rate and a number of channels; unknown parts are left to the device.
    package func format(rate: Int, channels: Int) -> AudioFormat {
        guard let nearest = nearestRate(to: rate) else {
            return AudioFormat(sampleRate: 0, sample: .unknown, channels: 0)
        }
        let fitting = formats.filter { $0.sampleRate == 0 || $0.sampleRate == nearest }
        // Parts that are left free, or the same channels, or the most that there are.
        let same = fitting.filter { $0.channels == 0 || $0.channels == channels }
        let most = fitting.map(\.channels).max() ?? 0
        let chosen = (same.isEmpty ? fitting.filter { $0.channels == most } : same).max {
            Self.depth($0.sample) < Self.depth($1.sample)
        }
        return AudioFormat(sampleRate: nearest, sample: chosen?.sample ?? .unknown, channels: same.isEmpty ? most : 0)
    }

    private func nearestRate(to rate: Int) -> Int? {
        guard !isAny else { return nil }
        let isFree = formats.isEmpty || formats.contains { $0.sampleRate == 0 }
        let named = isFree ? [rate] + Self.usualRates : formats.map(\.sampleRate)
        let allowed = named.filter { $0 > 0 && $0 <= maxRate ?? .max }
        if allowed.contains(rate) { return rate }
        return Self.ordered(allowed, for: rate).first ?? maxRate
    }

    /// Rates that devices have.
    package static let usualRates = [
        8000, 11025, 16000, 22050, 32000, 44100, 48000, 88200, 96000, 176_400, 192_000, 352_800, 384_000,
    ]

    /// The rates as they suit sound of a rate that isn't among them: those of its family first, unless they would lose
    /// what can be heard; higher ones before lower ones, and near ones before far ones.
    package static func ordered(_ rates: [Int], for rate: Int) -> [Int] {
        func isKin(_ other: Int) -> Bool { family(other) == family(rate) }
        let (higher, lower) = (rates.filter { $0 > rate }.sorted(), rates.filter { $0 < rate }.sorted(by: >))
        return higher.filter(isKin) + lower.filter { isKin($0) && $0 >= 44_100 } + higher.filter { !isKin($0) }
            + lower.filter { !isKin($0) || $0 < 44_100 }
    }

    /// 1 for 44.1 kHz and its multiples, 2 for 48 kHz and its, 0 for others.
    private static func family(_ rate: Int) -> Int { rate % 11_025 == 0 ? 1 : rate % 8_000 == 0 ? 2 : 0 }

    private static func depth(_ sample: AudioFormat.Sample) -> Int {
        switch sample {
        case .unknown: 64
        case .float: 33
        case .integer(let bits): bits
        default: 0
        }
    }
}
