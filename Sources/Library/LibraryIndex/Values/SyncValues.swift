package import MusicModel

/// A song as a source describes it: what clients will see of it, and what the index keeps besides.
@dynamicMemberLookup
package struct IndexedSong: Sendable {
    /// The song for clients; until it is written its URI is the path as the source has it.
    package var song: Song
    /// The mount's name; empty for the only source.
    package var mount: String
    /// The source's own id: Navidrome's song id, or the path below the music folder.
    package var sourceID: String
    /// Where its bytes come from.
    package var source: SongSource
    /// The file name's suffix without the dot, such as `flac`.
    package var suffix: String
    /// The file's size in bytes.
    package var size: Int64?
    /// The server's id of the picture.
    package var coverArtID: String?
    /// True if the user marked it.
    package var starred: Bool
    /// 0 to 5; 0 is unrated.
    package var rating: Int
    /// Of everything above that clients can see; equal hashes are not written again.
    package var hash: UInt64
    /// True if a cue sheet stands for it: then it is found by its path and left out of everything else.
    package var isHidden = false
    /// The source's id of the song that this one is a track of, as a cue sheet divides it; nil of a whole song.
    package var wholeID: String?
    /// The marks of the server's user, which the hash leaves out, as they change on their own; nil without any.
    package var marks: ServerSongMarks?

    /// Collects what a source knows of a song.
    package init(
        mount: String, sourceID: String, source: SongSource, path: String, tags: [TagValue], duration: Duration?,
        lastModified: Int64?, added: Int64?, format: AudioFormat?, replayGain: ReplayGain, suffix: String,
        size: Int64?, coverArtID: String?, starred: Bool = false, rating: Int = 0, hash: UInt64
    ) {
        song = Song(
            uri: path, tags: tags, duration: duration, lastModified: lastModified, added: added, format: format,
            replayGain: replayGain)
        (self.mount, self.sourceID, self.source) = (mount, sourceID, source)
        (self.suffix, self.size, self.coverArtID) = (suffix, size, coverArtID)
        (self.starred, self.rating, self.hash) = (starred, rating, hash)
    }

    /// Its path as the source has it, cleaned by the writer (no leading slash, no line feed, unique).
    package var path: String {
        get { song.uri }
        set { song.uri = newValue }
    }

    /// A field of the song for clients.
    package subscript<Value>(dynamicMember field: WritableKeyPath<Song, Value>) -> Value {
        get { song[keyPath: field] }
        set { song[keyPath: field] = newValue }
    }
}

/// The changes that one sync makes.
package struct LibraryChanges: Sendable {
    /// The mount whose songs these are.
    package var mount: String
    /// New or changed songs.
    package var upserts: [IndexedSong]
    /// Source ids that are gone.
    package var removals: [String]

    /// Collects changes.
    package init(mount: String, upserts: [IndexedSong] = [], removals: [String] = []) {
        (self.mount, self.upserts, self.removals) = (mount, upserts, removals)
    }
}

/// The changes that a sync really made.
package struct AppliedChanges: Hashable, Sendable {
    /// Songs that clients did not see before: new ones, and ones that came back.
    package var added: Int = 0
    /// Songs whose visible contents changed.
    package var updated: Set<SongID> = []
    /// Songs that clients no longer see.
    package var removed: Set<SongID> = []
    /// True if anything was written.
    package var changedAnything: Bool = false
}
