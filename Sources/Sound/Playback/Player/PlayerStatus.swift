public import MusicModel

/// Everything `status` says about a player; reading it costs the same whatever the queue's size.
public struct PlayerStatus: Hashable, Sendable {
    /// Whether it plays, pauses or is stopped.
    public var state: SavedPlayer.State
    /// Volume of the software mixer, 0 to 100.
    public var volume: Int
    /// Starts again after the last song.
    public var isRepeating: Bool
    /// Plays in random order.
    public var isRandom: Bool
    /// Pauses after each song, or repeats it when repeating.
    public var single: OneshotOption
    /// Removes what has been played.
    public var consume: OneshotOption
    /// Moves with every change of the queue.
    public var queueVersion: UInt32
    /// How many entries the queue has.
    public var queueLength: Int
    /// MixRamp threshold in dB.
    public var mixRampThreshold: Double
    /// MixRamp delay in seconds; nil is off.
    public var mixRampDelay: Double?
    /// Seconds of crossfade.
    public var crossfade: Int
    /// How many times as fast as they were recorded songs play.
    public var speed: Double
    /// How long it plays until the sleep timer pauses it; nil while that is off.
    public var sleepsIn: Duration?
    /// The stored playlist that `load` brought last.
    public var lastLoadedPlaylist: String
    /// The current entry, also after `stop`.
    public var song: (position: Int, id: QueueEntryID)? { songPosition.flatMap { p in songID.map { (p, $0) } } }
    /// The current entry's position.
    public var songPosition: Int?
    /// The current entry's id.
    public var songID: QueueEntryID?
    /// The position of the entry that follows.
    public var nextPosition: Int?
    /// The id of the entry that follows.
    public var nextID: QueueEntryID?
    /// How far into the song; nil when stopped.
    public var elapsed: Duration?
    /// How long the song lasts; nil when stopped or unknown.
    public var duration: Duration?
    /// The bit rate in kbit/s; nil when stopped or unknown.
    public var bitRate: Int?
    /// The format of the decoded samples; nil when stopped or unknown.
    public var audioFormat: AudioFormat?
    /// What went wrong last, for a person; nil while all is well.
    public var error: String?
}
