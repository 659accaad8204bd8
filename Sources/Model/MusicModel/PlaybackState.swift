/// The three-way option behind `single` and `consume`.
public enum OneshotOption: String, Hashable, Sendable {
    case off = "0"
    case on = "1"
    case oneshot
}

/// Whose ReplayGain values clients want to apply.
public enum ReplayGainMode: String, CaseIterable, Hashable, Sendable {
    /// None.
    case off
    /// The song's.
    case track
    /// The album's.
    case album
    /// The song's in random order, else the album's.
    case auto
}

/// What becomes of the song that was playing when the program ended.
public enum ResumePolicy: String, CaseIterable, Hashable, Sendable {
    /// It is paused at its place.
    case pause
    /// It goes on.
    case play
    /// Nothing plays.
    case stop
}

/// What an entry of the queue plays.
public enum QueueItem: Hashable, Sendable {
    /// A song of the index.
    case song(SongID)
    /// A stream by URL, with the tags that clients or the stream itself gave it.
    case stream(url: String, tags: [TagValue])
}

/// The part of a song that an entry of the queue plays (`rangeid`).
public struct SongRange: Hashable, Sendable {
    /// Where it begins in the song.
    public var start: Duration
    /// Where it ends in the song; nil is the song's end.
    public var end: Duration?

    /// Makes a range; nil for one that is the whole song.
    public init?(start: Duration, end: Duration?) {
        guard start > .zero || end != nil else { return nil }
        self.start = start
        self.end = end
    }

    /// How long the part lasts in a song of that length; nil if that isn't known.
    public func duration(within song: Duration?) -> Duration? {
        guard let end = [end, song].compactMap({ $0 }).min() else { return nil }
        return max(.zero, end - start)
    }
}

/// What playback keeps of the queue across restarts.
public struct SavedQueue: Hashable, Sendable {
    /// One entry with the id that clients know it by.
    public struct Entry: Hashable, Sendable {
        /// The id that clients know the entry by.
        public var id: QueueEntryID
        /// What it plays.
        public var item: QueueItem
        /// The priority in random order, 0 to 255.
        public var priority: Int
        /// The part of the song that is played; nil is all of it.
        public var range: SongRange?

        /// Makes an entry.
        public init(id: QueueEntryID, item: QueueItem, priority: Int = 0, range: SongRange? = nil) {
            self.id = id
            self.item = item
            self.priority = priority
            self.range = range
        }
    }

    /// The entries in the order of the queue.
    public var entries: [Entry]
    /// The queue's version, `playlist` in `status`.
    public var version: UInt32

    /// Makes a queue.
    public init(entries: [Entry] = [], version: UInt32 = 1) {
        self.entries = entries
        self.version = version
    }
}

/// What makes a saved queue a later one.
public struct SavedQueueChanges: Hashable, Sendable {
    /// Entries that are new or were changed, in any order.
    public var changed: [SavedQueue.Entry]
    /// Entries that are gone, in any order.
    public var gone: [QueueEntryID]
    /// All entries in the order of the later queue.
    public var order: [QueueEntryID]
    /// The later queue's version.
    public var version: UInt32

    /// Makes changes.
    public init(changed: [SavedQueue.Entry], gone: [QueueEntryID], order: [QueueEntryID], version: UInt32) {
        self.changed = changed
        self.gone = gone
        self.order = order
        self.version = version
    }
}

/// An output in a partition's list, as playback keeps it across restarts.
public struct SavedOutput: Hashable, Sendable {
    /// The output's name.
    public var name: String
    /// Whether it was enabled.
    public var isEnabled: Bool
    /// Whether it plays for another partition now and only its place is left here.
    public var isMovedAway: Bool
    /// The run-time attributes that clients have set, by name.
    public var attributes: [String: String]

    /// Makes an output.
    public init(name: String, isEnabled: Bool, isMovedAway: Bool = false, attributes: [String: String] = [:]) {
        self.name = name
        self.isEnabled = isEnabled
        self.isMovedAway = isMovedAway
        self.attributes = attributes
    }
}

/// The position and the options that playback keeps across restarts.
public struct SavedPlayer: Hashable, Sendable {
    /// What the player was doing.
    public enum State: String, Hashable, Sendable {
        case play, pause, stop
    }

    /// What the player was doing.
    public var state: State = .stop
    /// The current entry's place in the queue.
    public var position: Int?
    /// How far into the song.
    public var elapsed: Duration = .zero
    /// Starts again after the last song.
    public var isRepeating = false
    /// Plays in random order.
    public var isRandom = false
    /// Stops after each song.
    public var single = OneshotOption.off
    /// Removes what has been played.
    public var consume = OneshotOption.off
    /// Volume of the software mixer, 0 to 100.
    public var volume = 100
    /// Seconds of crossfade.
    public var crossfade = 0
    /// MixRamp threshold in dB.
    public var mixRampThreshold: Double = 0
    /// MixRamp delay in seconds; nil is off.
    public var mixRampDelay: Double?
    /// How many times as fast as they were recorded songs play.
    public var speed: Double = 1
    /// Whose ReplayGain values apply.
    public var replayGainMode = ReplayGainMode.off
    /// The stored playlist that `load` brought last.
    public var lastLoadedPlaylist = ""
    /// The partition's outputs, in the order in which clients see them.
    public var outputs: [SavedOutput] = []

    /// Makes the state of a fresh installation.
    public init() {}
}
