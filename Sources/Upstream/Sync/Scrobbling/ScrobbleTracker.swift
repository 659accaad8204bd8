import MusicModel

/// Decides when a play counts: once half of the song, or four minutes of it, have been heard.
///
/// Heard time counts, not the position: seeking to the end is not listening. Each play counts at most once.
struct ScrobbleTracker {
    /// The time after which a song counts, however long it is.
    static let maxThreshold = Duration.seconds(240)

    struct Play: Hashable {
        let song: SongID
        /// Unix milliseconds.
        let startedAt: Int64
        /// Heard time that makes it count; nil while the song's length has not been looked up.
        var threshold: Duration?
        var isCounted = false
    }

    private(set) var plays: [UInt64: Play] = [:]

    mutating func start(_ play: UInt64, song: SongID, at milliseconds: Int64) {
        plays[play] = Play(song: song, startedAt: milliseconds)
    }

    /// The song's length became known; nil or zero if it is unknown.
    mutating func setLength(_ length: Duration?, of play: UInt64) {
        plays[play]?.threshold = Self.threshold(forLength: length)
    }

    func due(_ play: UInt64, heard: Duration) -> Play? {
        guard let current = plays[play], !current.isCounted, let threshold = current.threshold, heard >= threshold
        else { return nil }
        return current
    }

    mutating func count(_ play: UInt64) { plays[play]?.isCounted = true }
    /// The play is over, or none of ours.
    mutating func end(_ play: UInt64) { plays[play] = nil }

    static func threshold(forLength length: Duration?) -> Duration {
        guard let length, length > .zero else { return maxThreshold }
        return min(length / 2, maxThreshold)
    }
}
