import LibraryIndex
package import Logging
package import MusicModel
package import Playback
package import ServerLoop
package import UserLibrary

/// Fills the queues of partitions up that the configuration wants to be full: an empty one at the start, and any when
/// it begins to play.
///
/// - Isolation: ServerActor.
@ServerActor
package final class QueueFiller: PlayerObserver {
    @ServerActor
    private final class State {
        let partition: Partition
        let filling: PartitionPlan.Filling
        let capacity: Int
        var wasPlaying = false
        /// Whether its queue has been empty since the start.
        var isNew = true
        var isBusy = false

        init(_ partition: Partition, _ filling: PartitionPlan.Filling, _ capacity: Int) {
            (self.partition, self.filling, self.capacity) = (partition, filling, capacity)
        }
    }

    /// A queue without a capacity is filled up to so many songs.
    private nonisolated static let usualCapacity = 120
    /// How many artists of a queue count.
    private nonisolated static let mostArtists = 20

    private let plans: [PartitionPlan]
    private let library: Library
    private let log: Logger
    private var states: [ObjectIdentifier: State] = [:]

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
        if isPlaying, !state.wasPlaying { fill(state) }
    }

    /// Takes in that the library has other songs, or that all queues are as they were saved.
    package func libraryChanged() {
        for state in states.values where state.isNew && state.partition.player.count == 0 {
            // Without a name the artists are those of songs that are still to come.
            if state.filling != .artist(nil) { fill(state) }
        }
    }

    private func fill(_ state: State) {
        let player = state.partition.player
        guard !state.isBusy, player.count < state.capacity else { return }
        state.isBusy = true
        Task {
            defer { state.isBusy = false }
            do {
                let present = Set(player.entries.compactMap { $0.item.librarySong })
                let found = try await candidates(state, present)
                // Clients may have changed the queue meanwhile.
                let missing = state.capacity - player.count
                let songs = found.filter { $0.item.librarySong.map { !present.contains($0) } ?? true }.shuffled()
                guard missing > 0, !songs.isEmpty else { return }
                _ = try await player.edit(.insert(Array(songs.prefix(missing)), at: nil))
            } catch {
                player.tellProblem("The queue can't be filled up: \(error)")
                log.warning("the queue of \(state.partition.name) can't be filled up: \(chain: error)")
            }
        }
    }

    private func candidates(_ state: State, _ present: Set<SongID>) async throws -> [QueueCandidate] {
        switch state.filling {
        case .library:
            let songs = try await library.songsByChance(state.capacity + present.count)
            let found = try await library.index.queueable(songs)
            return songs.compactMap { found[$0] }.map { Self.candidate($0) }
        case .playlist(let name):
            return try await library.queueable(inStoredPlaylist: name, 0..<Int.max).map {
                QueueCandidate($0.item, duration: $0.duration, replayGain: $0.replayGain)
            }
        case .artist(let name):
            let names = if let name { [name] } else { try await artists(of: Array(present)) }
            var songs: [QueueCandidate] = []
            for name in names {
                let filter = SongFilter.text(.tag(.artist), .init(.equals, name))
                songs += try await library.index.findQueueable(SongQuery(filter)).map { Self.candidate($0) }
            }
            return songs
        }
    }

    private func artists(of songs: [SongID]) async throws -> [String] {
        var names: [String] = []
        for song in try await library.index.songs(songs) {
            guard let name = song?.first(.artist), !names.contains(name) else { continue }
            names.append(name)
            if names.count == Self.mostArtists { break }
        }
        return names
    }

    private nonisolated static func candidate(_ song: QueueableSong) -> QueueCandidate {
        QueueCandidate(.song(song.id), duration: song.duration, replayGain: song.replayGain)
    }
}

extension QueueItem {
    fileprivate var librarySong: SongID? {
        if case .song(let song) = self { song } else { nil }
    }
}
