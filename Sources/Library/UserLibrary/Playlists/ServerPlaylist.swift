/// A playlist of the server as it was read there.
package struct ServerPlaylist: Hashable, Sendable {
    /// The server's id of the playlist.
    package var serverID: String
    /// Its name there; clients see `/` as `∕`.
    package var name: String
    /// When it changed last, in Unix milliseconds; 0 where the server does not say.
    package var changed: Int64
    /// The same in the server's words, to see whether it is still the same; nil where the server does not say.
    package var stamp: String?
    /// Why it can't be edited: empty for a smart playlist, otherwise whose it is; nil when it can.
    package var locked: String?
    /// The server's ids of its songs, without those whose files are missing.
    package var songIDs: [String]

    /// Describes a playlist.
    package init(
        serverID: String, name: String, changed: Int64, stamp: String? = nil, locked: String? = nil, songIDs: [String]
    ) {
        (self.serverID, self.name, self.changed) = (serverID, name, changed)
        (self.stamp, self.locked, self.songIDs) = (stamp, locked, songIDs)
    }
}

/// A stored playlist as far as the sync has to know it.
package struct PlaylistOverview: Hashable, Sendable {
    /// Its number in the index.
    package var id: Int64
    /// The name that clients use.
    package var name: String
    /// The server's id; nil while the server does not have it.
    package var serverID: String?
    /// When it was edited last without the server knowing, in Unix milliseconds.
    package var edited: Int64?
    /// True if it can't be edited here.
    package var isLocked: Bool
    /// The server's name of it when both were the same last.
    package var serverName: String?
    /// `ServerPlaylist.stamp` when both were the same last.
    package var stamp: String?
    /// When it was read from the server last, in Unix seconds.
    package var fetched: Int64
}

/// The edit of a playlist that is due on the server.
package struct PlaylistPush: Hashable, Sendable {
    /// Its number in the index.
    package var id: Int64
    /// The name that clients use, for the log.
    package var shownName: String
    /// The server's id; nil for one that has to be made there.
    package var serverID: String?
    /// The name that it is to have there; nil when it has it.
    package var name: String?
    /// The songs that it is to have there; nil when it has them.
    package var songIDs: [String]?
    /// The songs of those that the index has, which the server must know.
    package var knownSongIDs: [String]
    /// The songs that the server has now.
    package var present: [String]
    /// Tells this edit from a later one, which its answer does not confirm.
    package var edited: Int64
}

/// The result of bringing a server's playlist and ours together.
package struct PlaylistMergeOutcome: Hashable, Sendable {
    /// True if clients see anything else than before.
    package var isVisible = false
    /// The name of the copy that keeps what lost; nil when nothing did.
    package var conflictCopy: String?
    /// The push that is due now; nil when the server knows all.
    package var push: PlaylistPush?
    /// True if it was deleted here while the server made it, so that it must be deleted there.
    package var isUnwanted = false
}
