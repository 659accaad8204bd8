/// How ReplayGain is applied, whatever the mode.
package struct ReplayGainSettings: Hashable, Sendable {
    /// Decibels added to songs that have values.
    package var preamp: Double
    /// Decibels added to songs that have none.
    package var missingPreamp: Double
    /// True if a song is made no louder than its peak allows.
    package var limitsPeaks: Bool

    /// Makes settings; without arguments those of MPD.
    package init(preamp: Double = 0, missingPreamp: Double = 0, limitsPeaks: Bool = true) {
        (self.preamp, self.missingPreamp, self.limitsPeaks) = (preamp, missingPreamp, limitsPeaks)
    }
}
