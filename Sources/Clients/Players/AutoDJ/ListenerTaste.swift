import MusicModel

/// The listener's verdicts on songs since the queue was emptied last.
struct ListenerTaste {
    private static let maxLiked = 5

    var refused: Set<SongID> = []
    /// Songs that were liked while they played, the newest last.
    private(set) var liked: [SongID] = []
    var skipsInRow = 0
    var lastHeardToEnd: SongID?

    mutating func like(_ song: SongID) {
        unlike(song)
        liked.append(song)
        if liked.count > Self.maxLiked { liked.removeFirst() }
    }

    mutating func unlike(_ song: SongID) { liked.removeAll { $0 == song } }

    /// Refuses a song, even one that was liked.
    mutating func refuse(_ song: SongID) {
        unlike(song)
        refused.insert(song)
    }
}
