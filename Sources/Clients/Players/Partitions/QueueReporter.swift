package import Coordination
package import MusicModel
package import Playback
package import ServerLoop

/// Has the first partition's queue saved on the server when music pauses or stops, and every minute while it plays.
@ServerActor
package final class QueueReporter: PlayerObserver {
    /// Saves a queue: its items, which of them is current, and the place in that.
    package typealias Saving = @Sendable (_ items: [QueueItem], _ current: Int, _ elapsed: Duration) async -> Void

    /// Where the music was when the player last said something.
    private struct Place {
        var entry: QueueEntryID
        var elapsed: Duration
        var time: ContinuousClock.Instant
    }

    private struct Snapshot {
        var entries: QueueEntries
        var current: Int
        var elapsed: Duration
    }

    private let saveQueue: Saving
    private let interval: Duration
    private let clock: any ServiceClock
    private var first: Partition?
    private var wasPlaying = false
    private var place: Place?
    private var isTimed = false
    private var saving: Task<Void, Never>?
    /// The snapshot to save after the one being saved: if the server is slow, only the latest waits.
    private var next: Snapshot?

    private static let finishTimeout = Duration.milliseconds(500)

    /// Reports to what saves queues on the server.
    package init(
        interval: Duration = .seconds(60), clock: any ServiceClock = ContinuousClock(), save: @escaping Saving
    ) {
        self.interval = interval
        self.clock = clock
        saveQueue = save
    }

    package func opened(_ partition: Partition) { if first == nil { first = partition } }

    package func changed(_ partition: Partition, _ subsystems: Subsystem) {
        if partition === first { report(on: partition.player) }
    }

    private func report(on player: Player) {
        let status = player.status
        if status.state == .play {
            wasPlaying = true
            if let id = status.songID, let elapsed = status.elapsed {
                place = Place(entry: id, elapsed: elapsed, time: clock.now)
            }
            schedule()
        } else if wasPlaying {
            wasPlaying = false
            save()
        }
    }

    private func schedule() {
        guard !isTimed else { return }
        isTimed = true
        Task { @ServerActor in
            try? await clock.sleep(for: interval)
            self.isTimed = false
            guard self.wasPlaying, let player = self.first?.player else { return }
            self.save()
            self.report(on: player)
        }
    }

    /// Saves the queue once more if music plays, but does not hold the program's end up for long.
    package func finish() async {
        if wasPlaying { save() }
        guard let saving else { return }
        _ = await withTimeLimit(Self.finishTimeout, clock: clock) { await saving.value }
        next = nil
        saving.cancel()
    }

    private func save() {
        guard let player = first?.player, let current = player.status.songPosition, player.count > 0 else { return }
        let entries = player.entries
        next = Snapshot(entries: entries, current: current, elapsed: elapsed(of: entries.id(at: current), in: player))
        guard saving == nil else { return }
        saving = Task { @ServerActor in
            while !Task.isCancelled, let snapshot = self.next.take() {
                await self.saveQueue(await Self.items(snapshot.entries), snapshot.current, snapshot.elapsed)
            }
            self.saving = nil
        }
    }

    @concurrent
    private nonisolated static func items(_ entries: QueueEntries) async -> [QueueItem] { entries.map(\.item) }

    /// How far into the song; after a stop, how far it had come by then.
    private func elapsed(of entry: QueueEntryID, in player: Player) -> Duration {
        let status = player.status
        if let elapsed = status.elapsed { return elapsed }
        guard let place, place.entry == entry else { return .zero }
        return place.elapsed + (clock.now - place.time)
    }
}
