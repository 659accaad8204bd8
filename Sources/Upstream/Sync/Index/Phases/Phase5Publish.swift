import Logging
import MusicModel

/// Phase 5: tells clients and services which songs changed, after it is written; playlists are announced separately.
struct Phase5Publish {
    let observer: SyncObserver
    let logger: Logger

    func run(_ outcome: SourceOutcome, source: String) {
        let summary = outcome.summary
        if summary.changedSongs {
            logger.info(
                """
                \(source): \(summary.songs) songs, \(summary.added) new, \(summary.updated) changed, \
                \(summary.removed) gone
                """
            )
        } else {
            logger.debug("\(source): nothing changed")
        }
        if !outcome.updated.isEmpty || !outcome.removed.isEmpty {
            observer.report(.songsChanged(updated: outcome.updated, removed: outcome.removed))
        }
        if summary.changedSongs || outcome.changedPlaylistFiles { observer.subsystemsChanged(.database) }
    }
}
