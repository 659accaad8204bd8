import MusicModel

/// The songs that come next, as they were named to the provider so that it can fetch them ahead.
struct NamedSongs {
    /// Opens songs, and fetches them; nil where there is none.
    let provider: (any TrackProvider)?
    private var named: [SongID] = []

    init(_ provider: (any TrackProvider)?) { self.provider = provider }

    /// Names these, unless they were named last.
    mutating func name(_ songs: [SongID]) {
        guard let provider, songs != named else { return }
        named = songs
        provider.prefetch(songs)
    }
}

/// How often what is saved of a player has changed.
struct ChangeCounts: Hashable, Sendable {
    /// Changes of the queue's contents.
    private(set) var queue: UInt64 = 0
    /// Changes of options or transport, and of what goes with the queue.
    private(set) var player: UInt64 = 0

    /// Counts the changes that clients are told of; that sound is waited for is nothing to be saved.
    mutating func note(_ changes: Subsystem) {
        guard changes != .buffering else { return }
        if changes.contains(.queue) { queue += 1 }
        // Positions move with the queue, so the saved player is outdated as well.
        player += 1
    }

    /// Counts a change of anything but the queue.
    mutating func notePlayer() { player += 1 }
}
