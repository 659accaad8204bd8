import MPDProtocol
import MusicModel
import Playback
import ServerLoop

/// Queues as they were before an edit, for those who take it back. A snapshot shares its memory with the queue until
/// that changes; four are kept, for two minutes at most.
@ServerActor
final class QueueSnapshots {
    private static let maxSnapshots = 4
    private static let lifetime = Duration.seconds(120)
    /// How many runs of songs are put back one by one; beyond, the queue is replaced.
    private nonisolated static let maxRuns = 500
    /// How many songs that were added leave again while the rest stays; beyond, the queue is replaced.
    private nonisolated static let maxAdded = 5000

    private struct Snapshot {
        var partition: ObjectIdentifier
        var entries: ReleasedOffLoop<QueueEntries>
        var status: PlayerStatus
        var after: ReleasedOffLoop<QueueEntries>?
        var version: UInt32 = 0
        var number = 0
    }

    private var snapshots: [(id: String, snapshot: Snapshot)] = []
    private var edits = 0

    nonisolated init() {}

    /// Makes an edit of a partition's queue, and keeps the queue as it was before under the id that is returned.
    /// Together with an `earlier` edit it is undone as one, unless the queue has changed since.
    func keeping<Result>(
        _ partition: Partition, joining earlier: String? = nil, _ edit: () async throws -> Result
    ) async throws -> (result: Result, undo: String) {
        let player = partition.player
        let version = player.status.queueVersion
        let joined = snapshots.first {
            $0.id == earlier && $0.snapshot.partition == ObjectIdentifier(partition) && $0.snapshot.version == version
        }
        let id = joined?.id ?? String(UInt64.random(in: .min ... .max), radix: 36)
        var snapshot =
            joined?.snapshot
            ?? Snapshot(
                partition: ObjectIdentifier(partition), entries: ReleasedOffLoop(player.entries), status: player.status)
        let result = try await edit()
        edits += 1
        (snapshot.after, snapshot.version) = (ReleasedOffLoop(player.entries), player.status.queueVersion)
        snapshot.number = edits
        snapshots.removeAll { $0.id == id }
        if snapshots.count >= Self.maxSnapshots { snapshots.removeFirst() }
        snapshots.append((id, snapshot))
        ServerActor.after(Self.lifetime) { [weak self, number = edits] in
            self?.snapshots.removeAll { $0.snapshot.number == number }
        }
        return (result, id)
    }

    /// Takes an edit back: what it removed goes to its places, or what it added leaves, while the rest stays; otherwise
    /// the queue becomes as it was. The song that was the current one is so again.
    func undo(_ id: String, _ partition: Partition) async throws {
        guard let index = snapshots.firstIndex(where: { $0.id == id }),
            snapshots[index].snapshot.partition == ObjectIdentifier(partition)
        else {
            var error = APIError.missing("This can no longer be undone.")
            error.name = "undo_gone"
            throw error
        }
        let snapshot = snapshots.remove(at: index).snapshot
        let player = partition.player
        let difference = ReleasedOffLoop(await Self.difference(of: snapshot.after?.value, to: snapshot.entries.value))
        // The runs below are no more than a second owner.
        defer { withExtendedLifetime(difference) {} }
        switch difference.value {
        case .missing(let runs): for run in runs { try await insert(run, player) }
        case .added(let ids): try await player.edit(ids.count > 1 ? .all() : .entries(1)) { $0.delete(ids) }
        case .other: try await replace(by: snapshot, player)
        }
        try goBack(to: snapshot.status, player)
    }

    private func insert(_ run: Run, _ player: Player) async throws {
        let position = run.before.flatMap { player.position(of: $0) }.map { $0 + 1 } ?? min(run.position, player.count)
        let ids = try await player.edit(.entries(run.songs.count)) {
            try $0.insert(run.songs, at: .absolute(position))
        }
        let priorities = Dictionary(grouping: zip(ids, run.priorities).filter { $0.1 > 0 }, by: \.1)
        for (priority, entries) in priorities {
            try await player.edit(.entries(entries.count)) { try $0.setPriority(priority, ids: entries.map(\.0)) }
        }
    }

    private func replace(by snapshot: Snapshot, _ player: Player) async throws {
        let copies = ReleasedOffLoop(await Self.copies(of: snapshot.entries.value))
        // Nothing comes between the edit and the place, unless the queue is so large that it is edited elsewhere.
        let ids = try await player.edit(.all(and: copies.value.songs.count)) {
            try $0.replace(copies.value.songs, copies.value.priorities)
        }
        guard let song = snapshot.status.song, ids.indices.contains(song.position) else { return }
        try goTo(song.position, ids[song.position], snapshot.status, player)
    }

    /// Makes the song the current one that was so, where another one is now.
    private func goBack(to status: PlayerStatus, _ player: Player) throws {
        guard let song = status.song, player.status.songID != song.id, let position = player.position(of: song.id)
        else { return }
        try goTo(position, song.id, status, player)
    }

    private func goTo(_ position: Int, _ id: QueueEntryID, _ status: PlayerStatus, _ player: Player) throws {
        switch status.state {
        case .play: try player.seek(position: position, to: status.elapsed ?? .zero)
        case .pause:
            player.stop()
            try player.cue(id: id, at: status.elapsed ?? .zero)
        case .stop: break
        }
    }

    private enum Difference: Sendable {
        case missing([Run])
        case added([QueueEntryID])
        /// Both, or another order, or too much to be taken back bit by bit.
        case other
    }

    /// Songs that follow each other, the place of the first, and the entry before it.
    private struct Run: Sendable {
        var position: Int
        var before: QueueEntryID?
        var songs: [QueueCandidate] = []
        var priorities: [Int] = []
    }

    @concurrent
    private nonisolated static func difference(of after: QueueEntries?, to before: QueueEntries) async -> Difference {
        guard let after else { return .other }
        if !after.isEmpty, let gone = surplus(of: before, over: after, limit: .max),
            let runs = runs(of: gone, in: before)
        {
            return .missing(runs)
        }
        return surplus(of: after, over: before, limit: maxAdded).map { .added($0.map(\.entry.id)) } ?? .other
    }

    /// The entries that another queue lacks, which has no others, in the same order; nil otherwise, or beyond `limit`.
    private nonisolated static func surplus(
        of queue: QueueEntries, over other: QueueEntries, limit: Int
    ) -> [(position: Int, entry: QueueEntry)]? {
        var surplus: [(position: Int, entry: QueueEntry)] = []
        var rest = other.makeIterator()
        var next = rest.next()
        for (position, entry) in queue.enumerated() {
            if entry.id == next?.id {
                next = rest.next()
            } else {
                guard surplus.count < limit else { return nil }
                surplus.append((position, entry))
            }
        }
        return next == nil ? surplus : nil
    }

    /// Songs that are gone, in runs; nil for too many runs.
    private nonisolated static func runs(
        of gone: [(position: Int, entry: QueueEntry)], in queue: QueueEntries
    ) -> [Run]? {
        var runs: [Run] = []
        for (position, entry) in gone {
            if runs.last.map({ $0.position + $0.songs.count }) != position {
                guard runs.count < maxRuns else { return nil }
                runs.append(Run(position: position, before: position > 0 ? queue.id(at: position - 1) : nil))
            }
            runs[runs.count - 1].songs.append(QueueCandidate(entry))
            runs[runs.count - 1].priorities.append(entry.priority)
        }
        return runs
    }

    @concurrent
    nonisolated static func copies(of entries: QueueEntries) async -> (songs: [QueueCandidate], priorities: [Int]) {
        var copies: (songs: [QueueCandidate], priorities: [Int]) = ([], [])
        copies.songs.reserveCapacity(entries.count)
        copies.priorities.reserveCapacity(entries.count)
        for entry in entries {
            copies.songs.append(QueueCandidate(entry))
            copies.priorities.append(entry.priority)
        }
        return copies
    }
}
