import LibraryIndex
package import Logging
package import MusicModel
package import UserLibrary

/// Keeps what was heard, and when, in the index: of every source, and whether plays are reported to a server or not.
///
/// A play is noted once it counts, as for a scrobble, and gets its full length at its end.
package actor PlayHistory {
    private struct Play {
        let song: SongID
        let startedAt: Int64
        var heard = Duration.zero
        /// The time that must be heard for it to count; nil before that was looked up.
        var threshold: Duration?
        var entry: Int64?
    }

    private let library: Library
    private let logger: Logger
    private var plays: [UInt64: Play] = [:]

    /// Makes the service; nothing happens before `run`.
    package init(library: Library, logger: Logger) {
        self.library = library
        self.logger = logger
    }

    /// Notes what `events` tell until they end or the task is cancelled; then also how far the last plays got.
    package func run(events: AsyncStream<PlaybackEvent>) async {
        for await event in events {
            switch event {
            case .started(let play, let song, let time): plays[play] = Play(song: song, startedAt: time)
            case .heard(let play, _, let total): await note(play, heard: total)
            case .moved: break
            case .ended(let play, _): await end(play)
            }
        }
        // Not in this task, which may be cancelled: its last writes would be, too.
        await Task { for play in plays.keys { await end(play) } }.value
    }

    private func note(_ play: UInt64, heard: Duration) async {
        guard var current = plays[play] else { return }
        current.heard = heard
        plays[play] = current
        guard current.entry == nil else { return }
        do {
            if current.threshold == nil {
                let length = try await library.index.queueable([current.song])[current.song]?.duration
                current.threshold = ScrobbleTracker.threshold(forLength: length)
                plays[play]?.threshold = current.threshold
            }
            guard let threshold = current.threshold, heard >= threshold else { return }
            let entry = try await library.addHistory(song: current.song, startedAt: current.startedAt, heard: heard)
            plays[play]?.entry = entry
        } catch {
            logger.error("can't save a play in the history: \(chain: error)")
        }
    }

    private func end(_ play: UInt64) async {
        guard let ended = plays.removeValue(forKey: play), let entry = ended.entry else { return }
        do {
            try await library.updateHistory(entry, heard: ended.heard)
        } catch {
            logger.error("can't save the length of a play in the history: \(chain: error)")
        }
    }
}
