import Library
import Logging
import MusicModel
import NIOCore
import Playback
import ServerLoop

/// Writes the queue, the options and the position to the database as they change.
///
/// A change is written a fifth of a second after it happens, so that a burst of edits is one write; while music plays
/// the position follows every three seconds. Nothing runs while nothing changes.
/// - Isolation: ServerActor; the writing itself happens on the database's own queue.
@ServerActor
final class StateSaver {
    private let player: Player
    private let library: Library
    private let log: Logger
    private var savedQueueChange: UInt64?
    private var savedPlayerChange: UInt64?
    private var isScheduled = false
    private var isSaving = false

    private static let afterChange = TimeAmount.milliseconds(200)
    private static let whilePlaying = TimeAmount.seconds(3)

    init(player: Player, library: Library, log: Logger) {
        self.player = player
        self.library = library
        self.log = log
    }

    /// Takes what was just restored as saved.
    func markSaved() {
        savedQueueChange = player.queueChangeCount
        savedPlayerChange = player.playerChangeCount
    }

    /// Tells the saver that something may have changed.
    func changed() { schedule(after: Self.afterChange) }

    private func schedule(after delay: TimeAmount) {
        guard !isScheduled else { return }
        isScheduled = true
        ServerActor.eventLoop.scheduleTask(in: delay) {
            ServerActor.assumeIsolated {
                self.isScheduled = false
                Task { @ServerActor in await self.save() }
            }
        }
    }

    /// Writes what has changed since the last time.
    func save() async {
        guard !isSaving else { return changed() }
        isSaving = true
        defer { isSaving = false }
        do {
            try await saveQueueIfChanged()
            try await savePlayerIfChanged()
        } catch {
            log.error(
                "The state could not be saved; is the disk full? It is tried again with the next change.",
                metadata: ["error": "\(error)"])
        }
        if player.status.state == .play { schedule(after: Self.whilePlaying) }
    }

    private func saveQueueIfChanged() async throws {
        let change = player.queueChangeCount
        guard change != savedQueueChange else { return }
        try await library.saveQueue(player.savedQueue)
        savedQueueChange = change
    }

    private func savePlayerIfChanged() async throws {
        let change = player.playerChangeCount
        guard change != savedPlayerChange || player.status.state == .play else { return }
        try await library.savePlayer(player.savedPlayer)
        savedPlayerChange = change
    }
}
