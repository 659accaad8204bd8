import MusicModel

/// The songs that were heard in a partition, for the gaps between songs of an artist, and those that could not be.
struct HeardSongs {
    static let maxLineup = 60
    /// For how long a song that could not be played is not picked again.
    private static let rest = Duration.seconds(3600)

    private(set) var lineup: [SongID] = []
    var failuresInRow = 0
    /// Songs that could not be played, and until when they are not picked again; nothing else follows from that.
    private var failures: [SongID: ContinuousClock.Instant] = [:]

    mutating func hear(_ song: SongID) {
        lineup.append(song)
        if lineup.count > Self.maxLineup { lineup.removeFirst(lineup.count - Self.maxLineup) }
    }

    /// A song could not be played; it was not heard after all, and for a while others are picked.
    mutating func fail(_ song: SongID, _ now: ContinuousClock.Instant) {
        if let index = lineup.lastIndex(of: song) { lineup.remove(at: index) }
        failures = failures.filter { $0.value > now }
        failures[song] = now + Self.rest
    }

    func failed(_ now: ContinuousClock.Instant) -> Set<SongID> {
        Set(failures.lazy.filter { $0.value > now }.map(\.key))
    }
}

/// Measures how long an entry of the queue has been heard, by what its player reports.
struct HearingClock {
    private var heard = Duration.zero
    private var since: ContinuousClock.Instant?

    /// Notes whether the entry sounds from now on.
    mutating func update(isPlaying: Bool, _ now: ContinuousClock.Instant) {
        if let since { heard += since.duration(to: now) }
        since = isPlaying ? now : nil
    }

    func total(_ now: ContinuousClock.Instant) -> Duration { heard + (since?.duration(to: now) ?? .zero) }
}

/// The listener's verdicts on songs since the queue was emptied last.
struct ListenerTaste {
    private static let maxLiked = 5

    var refused: Set<SongID> = []
    private(set) var liked: [SongID] = []
    var skipsInRow = 0
    var lastHeardToEnd: SongID?

    mutating func like(_ song: SongID) {
        unlike(song)
        liked.append(song)
        if liked.count > Self.maxLiked { liked.removeFirst() }
    }

    mutating func unlike(_ song: SongID) { liked.removeAll { $0 == song } }

    mutating func refuse(_ song: SongID) {
        unlike(song)
        refused.insert(song)
    }
}
