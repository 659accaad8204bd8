public import MusicModel

/// What a song needs to enter the queue.
public struct QueueableSong: Hashable, Sendable {
    /// The song's number in the index.
    public var id: SongID
    /// The playing time, if known.
    public var duration: Duration?
    /// Loudness values.
    public var replayGain: ReplayGain

    /// Collects what the queue needs.
    public init(id: SongID, duration: Duration? = nil, replayGain: ReplayGain = ReplayGain()) {
        self.id = id
        self.duration = duration
        self.replayGain = replayGain
    }
}

/// What `stats` says of the library.
public struct LibraryStatistics: Hashable, Sendable {
    /// Distinct values of the tag Artist.
    public var artists: Int
    /// Distinct values of the tag Album.
    public var albums: Int
    /// Songs that clients can see.
    public var songs: Int
    /// The playing time of all songs together.
    public var playtime: Duration
    /// When the library changed last, in Unix seconds; 0 if never. It never goes back.
    public var updated: Int64
}

/// One line group of `list`: the values of the `group` tags (in the order of the arguments), then the value.
///
/// Sorted as MPD prints them: by bytes, the last `group` argument outermost.
public struct GroupedValue: Hashable, Sendable {
    /// The values of the `group` tags, in the order of the arguments; empty where a song lacks the tag.
    public var groups: [String]
    /// The value of the listed tag; empty stands for songs without it.
    public var value: String

    /// Pairs a value with the groups that it stands in.
    public init(groups: [String], value: String) {
        self.groups = groups
        self.value = value
    }
}

/// One group of `count ... group`; the only one of `count` without groups.
public struct GroupedCount: Hashable, Sendable {
    /// The values of the `group` tags, in the order of the arguments.
    public var groups: [String]
    /// How many songs.
    public var songs: Int
    /// Their playing time together.
    public var playtime: Duration

    /// Collects the figures of a group.
    public init(groups: [String], songs: Int, playtime: Duration) {
        self.groups = groups
        self.songs = songs
        self.playtime = playtime
    }
}

/// What stands at a path of the tree.
public enum EntryKind: Hashable, Sendable {
    case directory, song, playlist
}

/// The detail of a walk: `listall` has URIs only, `listallinfo` whole blocks.
public enum WalkDetail: Hashable, Sendable {
    case uris, blocks
}

/// Where a picture is.
public enum PictureSource: Hashable, Sendable {
    /// A picture of the Subsonic server, by its cover art id.
    case navidrome(coverArtID: String)
    /// A file with an embedded picture, or in whose folder a cover file lies.
    case local(songPath: String)
    /// A folder in which a cover file lies.
    case localFolder(path: String)
}
