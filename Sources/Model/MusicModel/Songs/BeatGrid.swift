/// Beats of a part of a song that come evenly.
package struct BeatGrid: Hashable, Sendable {
    /// When one of them sounds, in seconds from the song's start.
    package let beat: Double
    /// From each to the next, in seconds.
    package let period: Double
    /// How even and how clear they are, from 0 to 1.
    package let confidence: Double

    private static let sure = 0.5

    /// True if songs may be aligned by it.
    package var isSure: Bool { confidence >= Self.sure }

    /// Makes a grid; nil for numbers that no song has.
    package init?(beat: Double, period: Double, confidence: Double) {
        guard (-10...1_000_000).contains(beat), (0.2...2).contains(period), (0...1).contains(confidence) else {
            return nil
        }
        (self.beat, self.period, self.confidence) = (beat, period, confidence)
    }

    /// Reads the three numbers with spaces between them, as `text` has them; nil where they aren't there.
    package init?(_ text: String?) {
        let numbers = (text ?? "").split(separator: " ").map { Double($0) }
        guard numbers.count == 3, let beat = numbers[0], let period = numbers[1], let confidence = numbers[2] else {
            return nil
        }
        self.init(beat: beat, period: period, confidence: confidence)
    }

    /// The beat, the period and the confidence with spaces between them.
    package var text: String { "\(beat) \(period) \(confidence)" }
}

/// The beats at both ends of a song, if they come evenly there.
package struct SongBeats: Hashable, Sendable {
    /// Those at the beginning.
    package var head: BeatGrid?
    /// Those at the end.
    package var tail: BeatGrid?

    /// Names what is known; nothing by default.
    package init(head: BeatGrid? = nil, tail: BeatGrid? = nil) { (self.head, self.tail) = (head, tail) }
}
