/// Events for those that record plays.
package enum PlaybackEvent: Hashable, Sendable {
    /// A song began to sound, at this time in Unix milliseconds. `play` numbers the plays of this process.
    case started(play: UInt64, song: SongID, at: Int64)
    /// So much of it has been heard by now; sent about once a second while it plays, and at its end.
    case heard(play: UInt64, song: SongID, total: Duration)
    /// It was paused, resumed, or was sought in, and is at this place now.
    case moved(play: UInt64, song: SongID, place: Duration, isPaused: Bool)
    /// The song ended, was skipped or was stopped.
    case ended(play: UInt64, song: SongID)
}
