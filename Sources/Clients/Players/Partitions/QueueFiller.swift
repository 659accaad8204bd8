import LibraryIndex
package import Logging
import MPDCommands
package import MusicModel
package import Playback
package import ServerLoop
package import UserLibrary

/// Keeps the queues full that the configuration wants so: an empty one at the start, and any that begins to play.
@ServerActor
package final class QueueFiller: PlayerObserver {
    @ServerActor
    private final class State {
        let partition: Partition
        let filling: PartitionPlan.Filling
        let capacity: Int
        var wasPlaying = false
        /// True if its queue has been empty since the start.
        var isNew = true
        var isBusy = false
        /// The queue as it was filled from a library that may not be complete; nil once it is, or the music has played.
        var filled: [Mark]?
        /// True if the library has got other songs since the queue was filled.
        var isOutdated = false
        /// True if the library was complete while the queue was being filled.
        var isDueAgain = false

        init(_ partition: Partition, _ filling: PartitionPlan.Filling, _ capacity: Int) {
            (self.partition, self.filling, self.capacity) = (partition, filling, capacity)
        }
    }

    /// The part of an entry that clients can edit.
    private struct Mark: Hashable {
        let id: QueueEntryID
        let priority: Int
        let range: SongRange?
    }

    /// The length to which a queue without a capacity is filled.
    private nonisolated static let usualCapacity = 120
    private nonisolated static let maxArtists = 20

    private let plans: [PartitionPlan]
    private let library: Library
    private let log: Logger
    private var states: [ObjectIdentifier: State] = [:]

    var isFilling: Bool { states.values.contains(where: \.isBusy) }

    /// Makes it; partitions tell it of themselves.
    package init(_ plans: [PartitionPlan], library: Library, log: Logger) {
        self.plans = plans
        self.library = library
        self.log = log
    }

    package func opened(_ partition: Partition) {
        guard let plan = plans.first(where: { $0.name == partition.name }), let filling = plan.filling else { return }
        states[ObjectIdentifier(partition)] = State(partition, filling, plan.capacity ?? Self.usualCapacity)
    }

    package func closed(_ partition: Partition) { states[ObjectIdentifier(partition)] = nil }

    package func changed(_ partition: Partition, _ subsystems: Subsystem) {
        guard let state = states[ObjectIdentifier(partition)] else { return }
        if partition.player.count > 0 { state.isNew = false }
        let isPlaying = partition.player.isPlaying
        defer { state.wasPlaying = isPlaying }
        if isPlaying { state.filled = nil }
        if isPlaying, !state.wasPlaying { fill(state) }
    }

    /// The library has other songs, or all queues have been restored.
    package func libraryChanged() {
        for state in states.values {
            state.isOutdated = true
            // Without a name the artists are those of songs that are still to come.
            if state.isNew, state.partition.player.count == 0, state.filling != .artist(nil) { fill(state) }
        }
    }

    /// The library is complete: queues that were filled from a part of it, and neither played nor edited, are refilled.
    package func libraryIsComplete() {
        for state in states.values { if state.isBusy { state.isDueAgain = true } else { refill(state) } }
    }

    private func refill(_ state: State) {
        if state.isOutdated, isUntouched(state) { fill(state, replacing: true) } else { state.filled = nil }
    }

    private func isUntouched(_ state: State) -> Bool {
        state.filled.map { $0 == marks(state.partition.player) } ?? false
    }

    private func marks(_ player: Player) -> [Mark]? {
        // Comparing more would hold up the event loop.
        guard player.count < Player.manyEntries else { return nil }
        return player.entries.map { Mark(id: $0.id, priority: $0.priority, range: $0.range) }
    }

    private func fill(_ state: State, replacing: Bool = false) {
        let player = state.partition.player
        guard !state.isBusy, replacing || player.count < state.capacity else { return }
        (state.isBusy, state.isOutdated) = (true, false)
        Task {
            do { try await edit(state, replacing: replacing) } catch {
                player.tellProblem("The queue can't be filled up: \(error)")
                log.warning("the queue of \(state.partition.name) can't be filled up: \(chain: error)")
            }
            state.isBusy = false
            guard state.isDueAgain else { return }
            state.isDueAgain = false
            refill(state)
        }
    }

    /// Adds songs to a queue, or puts them in place of those that were added from a part of the library.
    private func edit(_ state: State, replacing: Bool) async throws {
        let player = state.partition.player
        let present = replacing ? [] : Set(player.entries.compactMap { $0.item.songID })
        let found = try await candidates(state, present)
        let songs = found.filter { $0.item.songID.map { !present.contains($0) } ?? true }.shuffled()
        // Clients may have changed the queue meanwhile.
        if replacing {
            defer { state.filled = nil }
            guard !songs.isEmpty, isUntouched(state) else { return }
            let chosen = Array(songs.prefix(state.capacity))
            try await player.edit(.all(and: chosen.count)) { try $0.replace(chosen) }
        } else {
            let missing = state.capacity - player.count
            guard missing > 0, !songs.isEmpty else { return }
            let isAlone = player.count == 0
            let chosen = Array(songs.prefix(missing))
            try await player.edit(.entries(chosen.count)) { try $0.insert(chosen, at: nil) }
            if isAlone { state.filled = marks(player) }
        }
    }

    private func candidates(_ state: State, _ present: Set<SongID>) async throws -> [QueueCandidate] {
        switch state.filling {
        case .library:
            let songs = try await library.songsByChance(state.capacity + present.count)
            let found = try await library.index.queueable(songs)
            return songs.compactMap { found[$0] }.map { QueueCandidate($0) }
        case .playlist(let name):
            return try await library.queueable(inStoredPlaylist: name, 0..<Int.max).map {
                QueueCandidate($0.item, duration: $0.duration, replayGain: $0.replayGain)
            }
        case .artist(let name):
            let names = if let name { [name] } else { try await artists(of: Array(present)) }
            var songs: [QueueCandidate] = []
            for name in names {
                let filter = SongFilter.text(.tag(.artist), .init(.equals, name))
                songs += try await library.index.findQueueable(SongQuery(filter)).map { QueueCandidate($0) }
            }
            return songs
        }
    }

    private func artists(of songs: [SongID]) async throws -> [String] {
        var names: [String] = []
        for song in try await library.index.songs(songs) {
            guard let name = song?.first(.artist), !names.contains(name) else { continue }
            names.append(name)
            if names.count == Self.maxArtists { break }
        }
        return names
    }
}
