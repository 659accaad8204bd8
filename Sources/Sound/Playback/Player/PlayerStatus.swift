package import MusicModel

/// Everything `status` says about a player; reading it costs the same whatever the queue's size.
package struct PlayerStatus: Hashable, Sendable {
    /// Playing, paused or stopped.
    package var state: SavedPlayer.State
    /// Volume of the software mixer, 0 to 100.
    package var volume: Int
    /// Starts again after the last song.
    package var isRepeating: Bool
    /// Plays in random order.
    package var isRandom: Bool
    /// Pauses after each song, or repeats it when repeating.
    package var single: OneshotOption
    /// Removes what has been played.
    package var consume: OneshotOption
    /// Moves with every change of the queue.
    package var queueVersion: UInt32
    /// How many entries the queue has.
    package var queueLength: Int
    /// MixRamp threshold in dB.
    package var mixRampThreshold: Double
    /// MixRamp delay in seconds; nil is off.
    package var mixRampDelay: Double?
    /// Seconds of crossfade.
    package var crossfade: Int
    /// How many times as fast as they were recorded songs play.
    package var speed: Double
    /// How long it plays until the sleep timer pauses it; nil while that is off.
    package var sleepsIn: Duration?
    /// The stored playlist that `load` brought last.
    package var lastLoadedPlaylist: String
    /// The current entry, also after `stop`.
    package var song: (position: Int, id: QueueEntryID)? { songPosition.flatMap { p in songID.map { (p, $0) } } }
    /// The current entry's position.
    package var songPosition: Int?
    /// The current entry's id.
    package var songID: QueueEntryID?
    /// The position of the entry that follows.
    package var nextPosition: Int?
    /// The id of the entry that follows.
    package var nextID: QueueEntryID?
    /// How far into the song; nil when stopped.
    package var elapsed: Duration?
    /// How long the song lasts; nil when stopped or unknown.
    package var duration: Duration?
    /// Whether the song's server converts it.
    package var isConverted: Bool
    /// The bit rate in kbit/s; nil when stopped or unknown.
    package var bitRate: Int?
    /// The format of the decoded samples; nil when stopped or unknown.
    package var audioFormat: AudioFormat?
    /// Playing, and yet waiting for sound: the song has not begun, a seek is under way, or bytes are missing.
    package var isBuffering: Bool
    /// The last error, for a person; nil while all is well.
    package var error: String?
}
