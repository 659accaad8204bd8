public import MusicModel

/// A song as a source describes it.
public struct IndexedSong: Sendable {
    /// The mount's name; empty for the only source.
    public var mount: String
    /// The source's own id: Navidrome's song id, or the path below the music folder.
    public var sourceID: String
    /// Where its bytes come from.
    public var source: SongSource
    /// Its path as the source has it, cleaned by the writer (no leading slash, no line feed, unique).
    public var path: String
    /// Every tag value, in the order in which clients get them.
    public var tags: [TagValue]
    /// The playing time, if known.
    public var duration: Duration?
    /// When the file changed, in Unix seconds.
    public var lastModified: Int64?
    /// When the song came into the library, in Unix seconds.
    public var added: Int64?
    /// The format of the file's samples.
    public var format: AudioFormat?
    /// Loudness values.
    public var replayGain: ReplayGain
    /// The file name's suffix without the dot, such as `flac`.
    public var suffix: String
    /// The file's size in bytes.
    public var size: Int64?
    /// The server's id of the picture.
    public var coverArtID: String?
    /// Whether the user marked it.
    public var starred: Bool
    /// 0 to 5; 0 is unrated.
    public var rating: Int
    /// Of everything above that clients can see; equal hashes are not written again.
    public var hash: UInt64
    /// What the server's user did with it; nil where that is nothing. They move by themselves, so the hash leaves them
    /// out, and whoever keeps marks takes them from there.
    public var marks: ServerSongMarks?

    /// Collects what a source knows of a song.
    public init(
        mount: String, sourceID: String, source: SongSource, path: String, tags: [TagValue], duration: Duration?,
        lastModified: Int64?, added: Int64?, format: AudioFormat?, replayGain: ReplayGain, suffix: String,
        size: Int64?, coverArtID: String?, starred: Bool = false, rating: Int = 0, hash: UInt64
    ) {
        self.mount = mount
        self.sourceID = sourceID
        self.source = source
        self.path = path
        self.tags = tags
        self.duration = duration
        self.lastModified = lastModified
        self.added = added
        self.format = format
        self.replayGain = replayGain
        self.suffix = suffix
        self.size = size
        self.coverArtID = coverArtID
        self.starred = starred
        self.rating = rating
        self.hash = hash
    }
}

/// What one sync changes.
public struct LibraryChanges: Sendable {
    /// The mount whose songs these are.
    public var mount: String
    /// New or changed songs.
    public var upserts: [IndexedSong]
    /// Source ids that are gone.
    public var removals: [String]

    /// Collects changes.
    public init(mount: String, upserts: [IndexedSong] = [], removals: [String] = []) {
        self.mount = mount
        self.upserts = upserts
        self.removals = removals
    }
}

/// What a sync really changed.
public struct AppliedChanges: Hashable, Sendable {
    /// Songs that clients did not see before: new ones, and ones that came back.
    public var added: Int
    /// Songs whose visible contents changed.
    public var updated: Set<SongID>
    /// Songs that clients no longer see.
    public var removed: Set<SongID>
    /// Whether anything was written.
    public var changedAnything: Bool

    /// Collects what changed.
    public init(added: Int = 0, updated: Set<SongID> = [], removed: Set<SongID> = [], changedAnything: Bool = false) {
        self.added = added
        self.updated = updated
        self.removed = removed
        self.changedAnything = changedAnything
    }
}
