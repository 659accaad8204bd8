/// The three-way option behind `single` and `consume`.
package enum OneshotOption: String, Hashable, Sendable {
    case off = "0"
    case on = "1"
    case oneshot
}

/// Whose ReplayGain values clients want to apply.
package enum ReplayGainMode: String, CaseIterable, Hashable, Sendable {
    case off
    case track
    case album
    /// The song's in random order, else the album's.
    case auto
}

/// The treatment at the start of the song that was playing when the program ended.
package enum ResumePolicy: String, CaseIterable, Hashable, Sendable {
    case pause
    case play
    case stop
}

/// The song or stream that an entry of the queue plays.
package enum QueueItem: Hashable, Sendable {
    case song(SongID)
    /// A stream by URL, with the tags that clients or the stream itself gave it; or a file outside of the library by
    /// its absolute path, with the tags that it had when it was added.
    case stream(url: String, tags: [TagValue])

    /// True if it is a song of the index.
    package var isSong: Bool { songID != nil }

    /// Its number; nil for a stream.
    package var songID: SongID? { if case .song(let song) = self { song } else { nil } }

    /// The path of the file outside of the library that it plays; nil for anything else.
    package var outsideFile: String? {
        if case .stream(let url, _) = self, url.utf8.first == UInt8(ascii: "/") { url } else { nil }
    }
}

/// The part of a song that an entry of the queue plays (`rangeid`).
package struct SongRange: Hashable, Sendable {
    /// Where it begins in the song.
    package var start: Duration
    /// Where it ends in the song; nil is the song's end.
    package var end: Duration?

    /// Makes a range; nil for one that is the whole song.
    package init?(start: Duration, end: Duration?) {
        guard start > .zero || end != nil else { return nil }
        (self.start, self.end) = (start, end)
    }

    /// How long the part lasts in a song of that length; nil if that isn't known.
    package func duration(within song: Duration?) -> Duration? {
        guard let end = [end, song].compactMap({ $0 }).min() else { return nil }
        return max(.zero, end - start)
    }

    /// The same between whole milliseconds, as clients see both ends.
    package func shownDuration(within song: Duration?) -> Duration? {
        guard let end = [end, song].compactMap({ $0 }).min() else { return nil }
        return max(.zero, Self.wholeMilliseconds(end) - Self.wholeMilliseconds(start))
    }

    private static func wholeMilliseconds(_ time: Duration) -> Duration {
        let (seconds, rest) = time.components
        return .seconds(seconds) + .milliseconds(rest / 1_000_000_000_000_000)
    }
}

/// The queue as playback keeps it across restarts.
package struct SavedQueue: Hashable, Sendable {
    /// One entry with the id that clients know it by.
    package struct Entry: Hashable, Sendable {
        /// The id that clients know the entry by.
        package var id: QueueEntryID
        /// The item that it plays.
        package var item: QueueItem
        /// The priority in random order, 0 to 255.
        package var priority: Int
        /// The part of the song that is played; nil is all of it.
        package var range: SongRange?
        /// The tags that a cue sheet has for a song of the index, which go before the song's own.
        package var sheetTags: [TagValue]

        /// Makes an entry that plays a whole song without a priority, unless the arguments say otherwise.
        package init(
            id: QueueEntryID, item: QueueItem, priority: Int = 0, range: SongRange? = nil, sheetTags: [TagValue] = []
        ) {
            (self.sheetTags, self.id, self.item) = (sheetTags, id, item)
            (self.priority, self.range) = (priority, range)
        }
    }

    /// The entries in the order of the queue.
    package var entries: [Entry]
    /// The queue's version, `playlist` in `status`.
    package var version: UInt32

    /// Makes a queue.
    package init(entries: [Entry] = [], version: UInt32 = 1) { (self.entries, self.version) = (entries, version) }
}

/// The difference between a saved queue and a later one.
package struct SavedQueueChanges: Hashable, Sendable {
    /// Entries that are new or were changed, in any order.
    package var changed: [SavedQueue.Entry]
    /// Entries that are gone, in any order.
    package var gone: [QueueEntryID]
    /// All entries in the order of the later queue.
    package var order: [QueueEntryID]
    /// The later queue's version.
    package var version: UInt32

    /// Makes the difference between two versions of a queue.
    package init(changed: [SavedQueue.Entry], gone: [QueueEntryID], order: [QueueEntryID], version: UInt32) {
        (self.changed, self.gone, self.order, self.version) = (changed, gone, order, version)
    }
}

/// An output in a partition's list, as playback keeps it across restarts.
package struct SavedOutput: Hashable, Sendable {
    /// The output's name.
    package var name: String
    /// True if it was enabled.
    package var isEnabled: Bool
    /// True if it plays for another partition now and only its place is left here.
    package var isMovedAway: Bool
    /// The run-time attributes that clients have set, by name.
    package var attributes: [String: String]

    /// Makes an output.
    package init(name: String, isEnabled: Bool, isMovedAway: Bool = false, attributes: [String: String] = [:]) {
        (self.name, self.isEnabled) = (name, isEnabled)
        (self.isMovedAway, self.attributes) = (isMovedAway, attributes)
    }
}

/// The position and the options that playback keeps across restarts.
@dynamicMemberLookup
package struct SavedPlayer: Hashable, Sendable {
    /// The states of the player.
    package enum State: String, Hashable, Sendable {
        case play, pause, stop
    }

    /// The state of the player.
    package var state: State = .stop
    /// The current entry's place in the queue.
    package var position: Int?
    /// How far into the song.
    package var elapsed: Duration = .zero
    /// The options, whose properties are the player's own as well.
    package var options = PlaybackOptions()
    /// The speed of other songs, while a long one has its own; nil where all have the same.
    package var otherSpeed: Double?
    /// The partition's outputs, in the order in which clients see them.
    package var outputs: [SavedOutput] = []

    /// Makes the state of a fresh installation.
    package init() {}

    package subscript<Value>(dynamicMember option: WritableKeyPath<PlaybackOptions, Value>) -> Value {
        get { options[keyPath: option] }
        set { options[keyPath: option] = newValue }
    }
}

/// The options of playback that clients can set.
package struct PlaybackOptions: Hashable, Sendable {
    /// Starts again after the last song.
    package var isRepeating = false
    /// Plays in random order.
    package var isRandom = false
    /// Pauses after each song, or repeats it when repeating.
    package var single = OneshotOption.off
    /// Removes what has been played.
    package var consume = OneshotOption.off
    /// Volume of the software mixer, 0 to 100.
    package var volume = 100
    /// Seconds of crossfade.
    package var crossfade = 0
    /// MixRamp threshold in dB.
    package var mixRampThreshold: Double = 0
    /// MixRamp delay in seconds; nil is off.
    package var mixRampDelay: Double?
    /// How many times as fast as they were recorded songs play.
    package var speed: Double = 1
    /// Whose ReplayGain values apply.
    package var replayGainMode = ReplayGainMode.off
    /// The stored playlist that `load` brought last.
    package var lastLoadedPlaylist = ""

    /// The options of a fresh installation.
    package init() {}
}
