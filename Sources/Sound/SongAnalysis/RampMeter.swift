import MusicModel

/// Notes how loud the beginning and the end of a song are, for MixRamp: when it reaches each level first and last.
/// - Source: MPD v0.24.9 src/pcm/MixRampAnalyzer.cxx, which weights sound as ReplayGain 1 does and not as EBU R 128.
struct RampMeter {
    private struct Moment: Hashable {
        var decibels: Double
        var tenth: Int
    }

    private static let levels: [Double] = [-90, -60, -40, -30, -24, -21, -18, -15, -12, -9, -6, -3, 0, 3, 6]
    /// The loudness in LUFS that ReplayGain leaves as it is, which counts as 0 dB.
    private static let reference = -18.0
    /// A song of a day has no later end.
    private static let longest = 24 * 36_000

    private var starts = [Moment?](repeating: nil, count: levels.count)
    private var ends = [Moment?](repeating: nil, count: levels.count)
    private var firstHalf: Double?
    private var tenths = 0

    /// Takes in the loudness of the next twentieth of a second, in LUFS. A tenth is as loud as its louder half.
    mutating func take(_ loudness: Double) {
        guard let first = firstHalf, tenths < Self.longest else { return firstHalf = loudness }
        firstHalf = nil
        let decibels = (max(first, loudness) - Self.reference).clamped(to: -64...24)
        let moment = Moment(decibels: (decibels * 100).rounded(.down) / 100, tenth: tenths)
        for (index, level) in Self.levels.enumerated() where moment.decibels >= level {
            if starts[index] == nil { starts[index] = moment }
            ends[index] = moment
        }
        tenths += 1
    }

    /// How loud it is at times after the start, as in the tag `MIXRAMP_START`; nil for less than a tenth of a second.
    var start: String? { text(starts) { $0.tenth } }
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
