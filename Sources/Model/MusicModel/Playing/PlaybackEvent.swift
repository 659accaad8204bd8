/// Events for those that record plays.
package enum PlaybackEvent: Hashable, Sendable {
    /// A song began to sound, at this time in Unix milliseconds. `play` numbers the plays of this process.
    case started(play: UInt64, song: SongID, at: Int64)
    /// So much of it has been heard by now; sent about once a second while it plays, and at its end.
    case heard(play: UInt64, song: SongID, total: Duration)
    /// It was paused, resumed, or was sought in, and is at this place now.
    case moved(play: UInt64, song: SongID, place: Duration, isPaused: Bool)
    case ended(play: UInt64, song: SongID)
}

extension PlaybackEvent {
    /// The first number of a partition's plays.
    package static func numbers(of partition: Int) -> UInt64 { UInt64(partition) << 48 }

    /// The partition, from 1, that a play of that number is in; 0 where its player stands alone.
    package static func partition(of play: UInt64) -> Int { Int(play >> 48) }
}
