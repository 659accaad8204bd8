import LibraryIndex
import MusicModel

/// The result of a sync, for `segue sync` and the log.
package struct SyncSummary: Hashable, Sendable {
    /// Songs that the sources have.
    package var songs = 0
    /// Songs that are new to the index, that have another content, or that are gone.
    package var added = 0, updated = 0, removed = 0
    /// Files or songs that could not be read and were skipped.
    package var skipped = 0
    /// True if stored playlists of the server changed.
    package var playlistsChanged = false
    /// True if nothing was walked because the server says that nothing changed.
    package var wasUnchanged = false

    /// True if the sync wrote any song.
    package var changedSongs: Bool { added + updated + removed > 0 }

    mutating func add(_ other: SyncSummary) {
        songs += other.songs
        added += other.added
        updated += other.updated
        removed += other.removed
        skipped += other.skipped
        playlistsChanged = playlistsChanged || other.playlistsChanged
        wasUnchanged = wasUnchanged && other.wasUnchanged
    }
}

struct SourceOutcome: Sendable {
    var summary = SyncSummary()
    var updated: Set<SongID> = []
    var removed: Set<SongID> = []
    /// True if playlist files of the folder came, changed or went.
    var changedPlaylistFiles = false

    mutating func add(_ applied: AppliedChanges) {
        summary.added += applied.added
        summary.updated += applied.updated.count
        summary.removed += applied.removed.count
        updated.formUnion(applied.updated)
        removed.formUnion(applied.removed)
    }
}
