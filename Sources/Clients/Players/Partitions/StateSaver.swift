import Coordination
import Foundation
import Logging
import MusicModel
import Playback
import ServerLoop
import UserLibrary

/// Writes a partition's queue, options and position to the database a fifth of a second after they change, so that a
/// burst of edits is one write; while music plays the position follows every three seconds. The first edit of a run has
/// the whole queue compared with what is saved; from then on only what differs from the last save is written.
@ServerActor
final class StateSaver {
    private let key: PartitionKey
    private let player: Player
    private let library: Library
    private let clock: any ServiceClock
    private let log: Logger
    private var savedQueueChange: UInt64?
    private var savedEntries: QueueEntries?
    private var savedPlayerChange: UInt64?
    /// The entries that wait for their songs, as they were saved last.
    private var savedDeparted: [DepartedEntry] = []
    /// When it saves next; nil while nothing is to be saved.
    private var due: ContinuousClock.Instant?
    /// Counts the changes of that.
    private var turn = 0
    private var isStopped = false
    /// True if the last attempt failed, which is logged once.
    private var isFailing = false
    private var saving: Task<Void, Never>?
    /// Done when the partition itself is in the database.
    private var isKept: Task<Void, Never>?

    private static let afterChange = Duration.milliseconds(200)
    private static let whilePlaying = Duration.seconds(3)
    private static let afterFailure = Duration.seconds(10)

    init(
        partition: Partition, library: Library, isKept: Task<Void, Never>?,
        clock: any ServiceClock = ContinuousClock(), log: Logger
    ) {
        self.clock = clock
        key = partition.key
        player = partition.player
        self.library = library
        self.isKept = isKept
        self.log = log
    }

    /// Takes what was just restored as saved, with the entries that waited for their songs.
    func markSaved(departed: [DepartedEntry]) {
        savedQueueChange = player.queueChangeCount
        savedPlayerChange = player.playerChangeCount
        savedDeparted = departed
    }

    var isUntouched: Bool { savedQueueChange == player.queueChangeCount && savedEntries == nil }

    func changed() {
        // After a failure, keep the longer retry delay.
        if due == nil || !isFailing { schedule(after: Self.afterChange) }
    }

    /// Saves after a while, unless that is due before.
    private func schedule(after delay: Duration) {
        let moment = clock.now + delay
        guard !isStopped, due.map({ moment < $0 }) ?? true else { return }
        due = moment
        turn &+= 1
        let turn = turn
        Task { @ServerActor in
            try? await clock.sleep(until: moment, tolerance: nil)
            guard turn == self.turn else { return }
            self.due = nil
            self.save()
        }
    }

    private func save() {
        guard saving == nil else { return changed() }
        guard !isStopped else { return }
        saving = Task { @ServerActor in
            await self.write()
            self.saving = nil
        }
    }

    /// Writes what has changed since the last time, and comes back when it is written.
    func finish() async {
        await saving?.value
        save()
        await saving?.value
    }

    /// Writes nothing more; comes back when nothing is being written.
    func stop() async {
        isStopped = true
        await saving?.value
    }

    private func write() async {
        await isKept?.value
        isKept = nil
        do {
            try await saveQueueIfChanged()
            try await saveDepartedIfChanged()
            try await savePlayerIfChanged()
            if isFailing { log.notice("The queue and the player's state of \(key.name) are saved again.") }
            isFailing = false
        } catch {
            if !isFailing {
                log.error(
                    """
                    The queue and the player's state of \(key.name) can't be saved; it is tried again every ten seconds. \
                    \(chain: error)
                    """
                )
            }
            isFailing = true
            return schedule(after: Self.afterFailure)
        }
        if player.status.state == .play { schedule(after: Self.whilePlaying) }
    }

    private func saveQueueIfChanged() async throws {
        let change = player.queueChangeCount
        guard change != savedQueueChange else { return }
        let entries = player.entries
        try await Self.save(entries, over: savedEntries, version: player.status.queueVersion, of: key, in: library)
        (savedQueueChange, savedEntries) = (change, entries)
    }

    private func saveDepartedIfChanged() async throws {
        let departed = player.departedEntries
        guard departed != savedDeparted else { return }
        try await library.saveDeparted(departed, left: Int64(Date().timeIntervalSince1970), of: key)
        savedDeparted = departed
    }

    /// Searches for what changed, and writes it, away from the event loop.
    @concurrent
    private nonisolated static func save(
        _ entries: QueueEntries, over saved: QueueEntries?, version: UInt32, of partition: PartitionKey,
        in library: Library
    ) async throws {
        var written = entries.count
        if let saved {
            let changes = entries.changes(since: saved, version: version)
            written = changes.changed.count + changes.gone.count
            try await library.saveQueue(changes, of: partition)
        } else {
            try await library.saveQueue(SavedQueue(entries, version: version), of: partition)
        }
        if written > manyEntries { library.releaseMemory() }
    }

    /// Writing this many entries leaves tens of megabytes of copies.
    private nonisolated static let manyEntries = 50_000

    private func savePlayerIfChanged() async throws {
        let change = player.playerChangeCount
        guard change != savedPlayerChange || player.status.state == .play else { return }
        try await library.savePlayer(player.savedPlayer, of: key)
        savedPlayerChange = change
    }
}
