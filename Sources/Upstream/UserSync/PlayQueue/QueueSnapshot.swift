public import MusicModel

/// The queue of this machine at one moment, to be saved on the server.
public struct QueueSnapshot: Hashable, Sendable {
    /// What the entries play, in order.
    public var items: [QueueItem]
    /// The current entry's place.
    public var current: Int
    /// How far into it.
    public var elapsed: Duration

    /// Takes down a moment.
    public init(items: [QueueItem], current: Int, elapsed: Duration) {
        self.items = items
        self.current = current
        self.elapsed = elapsed
    }
}

/// The saved queue of another client of the server, in our songs.
public struct OtherQueue: Hashable, Sendable {
    /// The songs that the index has, in order.
    public var songs: [SongID]
    /// The current song's place among them; nil when there is none.
    public var current: Int?
    /// How far into it.
    public var elapsed: Duration
    /// When it was saved, in Unix seconds.
    public var saved: Int64

    /// Describes a queue.
    public init(songs: [SongID], current: Int?, elapsed: Duration, saved: Int64) {
        self.songs = songs
        self.current = current
        self.elapsed = elapsed
        self.saved = saved
    }
}
