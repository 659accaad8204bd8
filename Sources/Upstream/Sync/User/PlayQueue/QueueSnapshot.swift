package import MusicModel

/// The queue of this machine at one moment, to be saved on the server.
package struct QueueSnapshot: Hashable, Sendable {
    /// The items of the entries, in order.
    package var items: [QueueItem]
    /// The current entry's place.
    package var current: Int
    /// How far into it.
    package var elapsed: Duration

    /// Takes down a moment.
    package init(items: [QueueItem], current: Int, elapsed: Duration) {
        self.items = items
        self.current = current
        self.elapsed = elapsed
    }
}

/// The saved queue of another client of the server, in our songs.
package struct OtherQueue: Hashable, Sendable {
    /// The songs that the index has, in order.
    package var songs: [SongID]
    /// The current song's place among them; nil when there is none.
    package var current: Int?
    /// How far into it.
    package var elapsed: Duration
    /// When it was saved, in Unix seconds.
    package var saved: Int64
}
