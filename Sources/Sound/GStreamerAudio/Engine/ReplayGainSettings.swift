/// How ReplayGain is applied, whatever the mode.
public struct ReplayGainSettings: Hashable, Sendable {
    /// Decibels added to songs that have values.
    public var preamp: Double
    /// Decibels added to songs that have none.
    public var missingPreamp: Double
    /// Whether a song is made no louder than its peak allows.
    public var limitsPeaks: Bool

    /// Makes settings; without arguments those of MPD.
    public init(preamp: Double = 0, missingPreamp: Double = 0, limitsPeaks: Bool = true) {
        self.preamp = preamp
        self.missingPreamp = missingPreamp
        self.limitsPeaks = limitsPeaks
    }
}
