package import MusicModel

/// The fields that a song needs to enter the queue.
package struct QueueableSong: Hashable, Sendable {
    /// The song's number in the index.
    package var id: SongID
    /// The playing time, if known.
    package var duration: Duration?
    /// Loudness values.
    package var replayGain: ReplayGain = ReplayGain()
}

/// The figures of `stats` for the library.
package struct LibraryStatistics: Hashable, Sendable {
    /// Distinct values of the tag Artist.
    package var artists: Int
    /// Distinct values of the tag Album.
    package var albums: Int
    /// Songs that clients can see.
    package var songs: Int
    /// The playing time of all songs together.
    package var playtime: Duration
    /// When the library changed last, in Unix seconds; 0 if never. It never goes back.
    package var updated: Int64
}

/// One line of `list` within its groups, sorted as MPD prints them: by bytes, the last `group` argument outermost.
package struct GroupedValue: Hashable, Sendable {
    /// The values of the `group` tags, in the order of the arguments; empty where a song lacks the tag.
    package var groups: [String]
    /// The value of the listed tag; empty stands for songs without it.
    package var value: String
}

/// One group of `count ... group`; the only one of `count` without groups.
package struct GroupedCount: Hashable, Sendable {
    /// The values of the `group` tags, in the order of the arguments.
    package var groups: [String]
    /// How many songs.
    package var songs: Int
    /// Their playing time together.
    package var playtime: Duration
}

/// The kind of entry at a path of the tree.
package enum EntryKind: Hashable, Sendable {
    case directory, song, playlist
}

/// The detail of a walk: `listall` has URIs only, `listallinfo` whole blocks.
package enum WalkDetail: Hashable, Sendable {
    case uris, blocks
}

/// Where a picture is.
package enum PictureSource: Hashable, Sendable {
    case navidrome(coverArtID: String)
    /// A file with an embedded picture, or in whose folder a cover file lies.
    case local(songPath: String)
    case localFolder(path: String)
}
