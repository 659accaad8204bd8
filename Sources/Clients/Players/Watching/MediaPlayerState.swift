package import MusicModel

/// A partition's player as others see it at a moment.
package struct MediaPlayerState: Hashable, Sendable {
    /// Whether it plays, pauses or is stopped.
    package var transport: SavedPlayer.State
    /// Starts again after the last song.
    package var isRepeating: Bool
    /// Repeats the current song, where it repeats at all.
    package var isSingle: Bool
    /// Plays in random order.
    package var isRandom: Bool
    /// 0 to 100.
    package var volume: Int
    /// How many times as fast as they were recorded songs play.
    package var speed: Double
    /// The current song; nil when there is none.
    package var song: MediaSong?
    /// Whether a song follows.
    package var hasNext: Bool
    /// Whether the queue has entries.
    package var hasSongs: Bool
    /// How far into the song it was.
    package var elapsed: Duration
    /// `elapsed` holds for this instant; it goes on from there while the song plays.
    package var moment: ContinuousClock.Instant

    /// Collects what is known.
    package init(
        transport: SavedPlayer.State, isRepeating: Bool, isSingle: Bool, isRandom: Bool, volume: Int,
        speed: Double = 1, song: MediaSong?, hasNext: Bool, hasSongs: Bool, elapsed: Duration,
        moment: ContinuousClock.Instant
    ) {
        self.transport = transport
        self.isRepeating = isRepeating
        self.isSingle = isSingle
        self.isRandom = isRandom
        self.volume = volume
        self.speed = speed
        self.song = song
        self.hasNext = hasNext
        self.hasSongs = hasSongs
        self.elapsed = elapsed
        self.moment = moment
    }

    /// A player without songs.
    package static var empty: Self {
        Self(
            transport: .stop, isRepeating: false, isSingle: false, isRandom: false, volume: 100, song: nil,
            hasNext: false, hasSongs: false, elapsed: .zero, moment: .now)
    }

    /// How far into the song it is now, if it went on as it was.
    package func position(at now: ContinuousClock.Instant) -> Duration {
        guard transport == .play else { return elapsed }
        // Stations play at their own speed.
        let pace = song?.length == nil ? 1 : speed
        let position = elapsed + moment.duration(to: now) * pace
        return song?.length.map { min(position, $0) } ?? position
    }

    /// Whether a listener would notice that the song is not where it would be, had `earlier` gone on.
    package func hasJumped(from earlier: Self) -> Bool {
        guard let song, song.entry == earlier.song?.entry, transport != .stop, earlier.transport != .stop else {
            return false
        }
        let difference = elapsed - earlier.position(at: moment)
        return difference > .seconds(1) || difference < .seconds(-1)
    }
}
