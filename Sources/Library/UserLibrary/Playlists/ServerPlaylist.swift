/// A playlist of the server as it was read there.
public struct ServerPlaylist: Hashable, Sendable {
    /// The server's id of the playlist.
    public var serverID: String
    /// Its name there; clients see `/` as `∕`.
    public var name: String
    /// When it changed last, in Unix milliseconds; 0 where the server does not say.
    public var changed: Int64
    /// The same in the server's words, to see whether it is still the same; nil where the server does not say.
    public var stamp: String?
    /// Why it can't be edited: empty for a smart playlist, otherwise whose it is; nil when it can.
    public var locked: String?
    /// The server's ids of its songs, without those whose files are missing.
    public var songIDs: [String]

    /// Describes a playlist.
    public init(
        serverID: String, name: String, changed: Int64, stamp: String? = nil, locked: String? = nil, songIDs: [String]
    ) {
        self.serverID = serverID
        self.name = name
        self.changed = changed
        self.stamp = stamp
        self.locked = locked
        self.songIDs = songIDs
    }
}

/// A stored playlist as far as the sync has to know it.
public struct PlaylistOverview: Hashable, Sendable {
    /// Its number in the index.
    public var id: Int64
    /// The name that clients use.
    public var name: String
    /// The server's id; nil while the server does not have it.
    public var serverID: String?
    /// When it was edited last without the server knowing, in Unix milliseconds.
    public var edited: Int64?
    /// Whether it can't be edited here.
    public var isLocked: Bool
    /// The server's name of it when both were the same last.
    public var serverName: String?
    /// `ServerPlaylist.stamp` when both were the same last.
    public var stamp: String?
    /// When it was read from the server last, in Unix seconds.
    public var fetched: Int64
}

/// What the server has to be told of a playlist.
public struct PlaylistPush: Hashable, Sendable {
    /// Its number in the index.
    public var id: Int64
    /// The name that clients use, for the log.
    public var shownName: String
    /// The server's id; nil for one that has to be made there.
    public var serverID: String?
    /// The name that it is to have there; nil when it has it.
    public var name: String?
    /// The songs that it is to have there; nil when it has them.
    public var songIDs: [String]?
    /// The songs of those that the index has, which the server must know.
    public var knownSongIDs: [String]
    /// What the server has now.
    public var present: [String]
    /// Which edit this is.
    public var edited: Int64
}

/// What came of bringing a server's playlist and ours together.
public struct PlaylistMergeOutcome: Hashable, Sendable {
    /// Whether clients see anything else than before.
    public var isVisible = false
    /// The name of the copy that keeps what lost; nil when nothing did.
    public var conflictCopy: String?
    /// What the server has to be told now.
    public var push: PlaylistPush?
    /// Whether it was deleted here while the server made it, so that it must be deleted there.
    public var isUnwanted = false

    /// Nothing came of it.
    public init() {}
}
