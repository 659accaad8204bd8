package import MusicModel

/// A song before it enters the queue.
package struct QueueCandidate: Hashable, Sendable {
    /// The item that it plays.
    package var item: QueueItem
    /// The part of it that is played; nil is all of it.
    package var range: SongRange?
    /// How long all of it lasts, if known.
    package var duration: Duration?
    /// Loudness values.
    package var replayGain: ReplayGain
    /// The tags that a cue sheet has for a song of the library, which go before the song's own.
    package var sheetTags: [TagValue]

    /// Makes a candidate.
    package init(
        _ item: QueueItem, range: SongRange? = nil, duration: Duration? = nil, replayGain: ReplayGain = ReplayGain(),
        sheetTags: [TagValue] = []
    ) {
        (self.sheetTags, self.item, self.range, self.duration) = (sheetTags, item, range, duration)
        self.replayGain = replayGain
    }

    /// Takes over all of an entry but its id, version and priority.
    package init(_ entry: QueueEntry) {
        self.init(
            entry.item, range: entry.range, duration: entry.duration, replayGain: entry.replayGain,
            sheetTags: entry.sheetTags)
    }
}

/// One entry of the queue as commands see it.
package struct QueueEntry: Hashable, Sendable {
    /// The id that clients know it by.
    package var id: QueueEntryID
    /// The item that it plays.
    package var item: QueueItem
    /// The priority in random order, 0 to 255.
    package var priority: Int
    /// The queue's version at the entry's last change.
    package var version: UInt32
    /// The part of it that is played; nil is all of it.
    package var range: SongRange?
    /// How long all of it lasts, if known.
    package var duration: Duration?
    /// Loudness values.
    package var replayGain: ReplayGain
    /// The tags that a cue sheet has for a song of the library, which go before the song's own.
    package var sheetTags: [TagValue] = []

    /// How long what is played of it lasts, if known.
    package var playingTime: Duration? { range.map { $0.duration(within: duration) } ?? duration }

    /// The song of the library that it plays; nil for a stream.
    package var songID: SongID? { item.songID }
}

/// Where a new entry goes, or a moved one.
package enum QueuePosition: Hashable, Sendable {
    /// An absolute position.
    case absolute(Int)
    /// A number of positions after the current song (`+0` is directly behind it).
    case afterCurrent(Int)
    /// A number of positions before the current song (`-0` is directly before it).
    case beforeCurrent(Int)
}
