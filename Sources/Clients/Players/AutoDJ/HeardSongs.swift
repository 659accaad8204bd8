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
