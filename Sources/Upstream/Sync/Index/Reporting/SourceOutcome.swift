import LibraryIndex
import MusicModel

/// The outcome of the sync of one source.
struct SourceOutcome: Sendable {
    var summary = SyncSummary()
    var updated: Set<SongID> = []
    var removed: Set<SongID> = []
    /// True if playlist files of the folder came, changed or went.
    var changedPlaylistFiles = false

    /// Counts what the index wrote.
    mutating func add(_ applied: AppliedChanges) {
        summary.added += applied.added
        summary.updated += applied.updated.count
        summary.removed += applied.removed.count
        updated.formUnion(applied.updated)
        removed.formUnion(applied.removed)
    }
}
