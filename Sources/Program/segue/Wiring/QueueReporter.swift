import Coordination
import IndexSync
import MPDCommands
import MusicModel
import NIOCore
import Playback
import ServerLoop
import UserSync

/// Has the default partition's queue saved on the server when music pauses or stops, and every minute while it plays.
///
/// - Isolation: ServerActor.
@ServerActor
final class QueueReporter {
    /// Where the music was when the player last said something.
    private struct Place {
        var entry: QueueEntryID
        var elapsed: Duration
        var time: ContinuousClock.Instant
    }

    /// A queue to save.
    private struct Snapshot {
        var entries: QueueEntries
        var current: Int
        var elapsed: Duration
    }

    private let keeper: QueueKeeper
    private var player: Player?
    private var wasPlaying = false
    private var place: Place?
    private var isTimed = false
    private var saving: Task<Void, Never>?
    /// What is saved after what is being saved now: a silent server has one queue wait, and not all that were.
    private var next: Snapshot?

    private static let interval = TimeAmount.seconds(60)
    private static let longestGoodbye = Duration.milliseconds(500)

    /// Reports to a keeper.
    init(_ keeper: QueueKeeper) { self.keeper = keeper }

    /// Names the player whose queue it is.
    func adopt(_ player: Player) { self.player = player }

    /// The player changed something.
    func look() {
        guard let player else { return }
        let status = player.status
        if status.state == .play {
            wasPlaying = true
            if let id = status.songID, let elapsed = status.elapsed {
                place = Place(entry: id, elapsed: elapsed, time: .now)
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
        ServerActor.eventLoop.scheduleTask(in: Self.interval) {
            ServerActor.assumeIsolated {
                self.isTimed = false
                guard self.wasPlaying else { return }
                self.save()
                self.look()
            }
        }
    }

    /// Saves the queue once more if music plays, but does not hold the program's end up for long.
    func finish() async {
        if wasPlaying { save() }
        guard let saving else { return }
        _ = await withTimeLimit(Self.longestGoodbye) { await saving.value }
        next = nil
        saving.cancel()
    }

    private func save() {
        guard let player, let current = player.status.songPosition, player.count > 0 else { return }
        let entries = player.entries
        next = Snapshot(entries: entries, current: current, elapsed: elapsed(of: entries.id(at: current), in: player))
        guard saving == nil else { return }
        saving = Task { @ServerActor in
            while !Task.isCancelled, let snapshot = self.next.take() {
                await self.keeper.save(await Self.copy(snapshot))
            }
            self.saving = nil
        }
    }

    /// Copies the queue away from the event loop.
    @concurrent
    private nonisolated static func copy(_ queue: Snapshot) async -> QueueSnapshot {
        QueueSnapshot(items: queue.entries.map(\.item), current: queue.current, elapsed: queue.elapsed)
    }

    /// How far into the song; after a stop, how far it had come by then.
    private func elapsed(of entry: QueueEntryID, in player: Player) -> Duration {
        let status = player.status
        if let elapsed = status.elapsed { return elapsed }
        guard let place, place.entry == entry else { return .zero }
        return place.elapsed + (ContinuousClock.now - place.time)
    }
}

/// Asks the keeper for another client's queue when a client of ours loads it.
struct OtherQueueLook: OtherQueueProviding {
    let keeper: QueueKeeper

    /// How long a client waits for the server at most; what is known is loaded then.
    private static let longestWait = Duration.seconds(3)

    var playlistName: String { QueueKeeper.playlistName }

    func look() async -> OtherQueuePlace? {
        _ = await withTimeLimit(Self.longestWait) { [keeper] in _ = await keeper.refresh() }
        guard let shown = keeper.shown, let index = shown.current else { return nil }
        return OtherQueuePlace(index: index, elapsed: shown.elapsed)
    }
}
