import Glibc

/// The single measurements of a song; what is not known, or not sure, is nil.
package struct SongTraits: Hashable, Sendable {
    /// Integrated loudness in LUFS.
    package var loudness: Float?
    /// The largest sample, as a factor of full scale.
    package var peak: Float?
    /// Beats a minute, where the beat is clear.
    package var tempo: Float?
    /// Beats a minute as they were measured, clear or not.
    package var measuredTempo: Float?
    /// 0 to 11 for major keys from C, 12 to 23 for minor ones.
    package var key: Int8?
    /// How lively it is, from 0 to 1.
    package var energy: Float?

    static let sureTempo = 0.3
    /// Steps of loudness up to this many decibels are not minded, and such where ReplayGain evens songs out.
    private static let (freeStep, freeLevelledStep): (Float, Float) = (2.5, 1)
    /// Ratios of tempi up to ten per cent are not minded, in octaves.
    private static let freeTempo: Float = 0.1375

    /// How much a song jumps out behind another, from 0: by loudness, unless ReplayGain evens it out, tempo and key.
    func step(behind last: SongTraits, isLevelled: Bool) -> Float {
        var step: Float = 0
        if let one = last.loudness(isLevelled), let other = loudness(isLevelled) {
            let excess = max(0, abs(one - other) - (isLevelled ? Self.freeLevelledStep : Self.freeStep))
            step += min(2, 0.35 * excess)
        }
        if let one = last.tempo, let other = tempo, one > 0, other > 0 {
            // Half and double tempo go together.
            let octaves = log2f(other / one)
            step += 6 * max(0, abs(octaves - octaves.rounded()) - Self.freeTempo)
        }
        if let one = last.key, let other = key, !Self.areRelated(one, other) { step += 0.15 }
        return step.isFinite ? step : 0
    }

    /// The loudness that is heard: brought to 18 LUFS below full scale, without clipping a peak.
    private func loudness(_ isLevelled: Bool) -> Float? {
        guard isLevelled, let loudness else { return loudness }
        guard let peak, peak > 0 else { return -18 }
        return min(-18, loudness - 20 * log10f(peak))
    }

    /// True if two keys are one, relatives, or a fifth apart.
    static func areRelated(_ first: Int8, _ second: Int8) -> Bool {
        /// The number of fifths of the key with these notes, which a minor key shares with its relative.
        func fifths(_ key: Int8) -> Int {
            let key = Int(key)
            return (key < 12 ? key : (key % 12 + 3) % 12) * 7 % 12
        }
        return [0, 1, 11].contains((fifths(first) - fifths(second) + 12) % 12)
    }

    /// The number of a key as musicians write it, such as `Am`; nil for anything else.
    static func key(_ text: String) -> Int8? {
        let isMinor = text.hasSuffix("m")
        let names = ["C", "Db", "D", "Eb", "E", "F", "Gb", "G", "Ab", "A", "Bb", "B"]
        return names.firstIndex(of: isMinor ? String(text.dropLast()) : text).map { Int8($0 + (isMinor ? 12 : 0)) }
    }
}
