import Coordination
import Foundation
import LibraryIndex
package import Logging
import MPDCommands
package import MusicModel
package import Playback
package import ServerLoop
package import UserLibrary

/// The players of all partitions, each with its engine, its queue and its rows in the database.
@ServerActor
package final class PartitionPlayers: PartitionHosting {
    struct Member {
        let partition: Partition
        let saver: StateSaver
        let reports: PlayerReports
        /// Takes the engine's reports, and passes plays on.
        let tasks: [Task<Void, Never>]

        @ServerActor var engine: any AudioEngine { partition.player.engine }
    }

    /// Makes an engine for a partition.
    package typealias EngineMaking = @ServerActor (EngineRequest) -> any AudioEngine

    let settings: PartitionSettings
    let library: Library
    let log: Logger
    private let tracks: SharedTracks
    private let makeEngine: EngineMaking
    let observers: [any PlayerObserver]
    private let plays: PlayBroadcast
    var members: [Member] = []
    private var lastNumber = 0
    private var earlierPlaytime = Duration.zero
    private var lastDeparture: ContinuousClock.Instant?
    let writing = SerialTasks()

    /// Brings every partition back as it was saved, or makes the default one; observers follow in this order.
    package init(
        _ settings: PartitionSettings, library: Library, tracks: any TrackProvider, plays: PlayBroadcast,
        observers: [any PlayerObserver], log: Logger, makeEngine: @escaping EngineMaking
    ) async throws {
        self.settings = settings
        self.library = library
        self.tracks = SharedTracks(tracks, library: library)
        self.plays = plays
        self.observers = observers
        self.log = log
        self.makeEngine = makeEngine
        try await restore()
    }

    /// The partitions in their order; there is always one.
    package var partitions: [Partition] { members.map(\.partition) }

    /// How long songs have been heard since the start.
    package var playtime: Duration { members.reduce(earlierPlaytime) { $0 + $1.partition.player.playtime } }

    /// Songs changed or left the library.
    package func songsChanged(updated: Set<SongID>, removed: Set<SongID>) {
        if !removed.isEmpty { lastDeparture = .now }
        for member in members {
            if !removed.isEmpty { Self.edit(member.partition.player) { $0.removeSongs(removed) } }
            if !updated.isEmpty { Self.edit(member.partition.player) { $0.songsChanged(updated) } }
        }
    }

    /// Takes note that songs left the library at a time, unless others did later.
    func noteDeparture(at time: ContinuousClock.Instant) { lastDeparture = max(lastDeparture ?? time, time) }

    /// How long after songs have left the library their entries return to queues with them.
    static let maxAbsence = Duration.seconds(24 * 3600)

    /// The library has changed: entries whose songs are there again come back to their places.
    package func bringBackSongs() async {
        for member in members {
            let player = member.partition.player
            let songs = player.departedSongs
            guard !songs.isEmpty else { continue }
            guard let lastDeparture, .now - lastDeparture < Self.maxAbsence else {
                player.forgetDeparted()
                continue
            }
            do {
                let found = try await library.index.queueable(songs)
                guard !found.isEmpty else { continue }
                let returned = found.mapValues { QueueCandidate($0) }
                Self.edit(player) { $0.bringBack(returned) }
            } catch {
                log.warning("songs that are back in the library could not be put back into the queue: \(chain: error)")
            }
        }
    }

    /// Edits a queue that no client waits for.
    private static func edit(_ player: Player, _ edit: @escaping @Sendable (inout PlayerStateMachine) -> Void) {
        // A small edit is done when this returns.
        Task.immediate { try await player.edit(.all(), edit) }
    }

    /// Something on the network can be reached again, so stations may be as well.
    package func networkIsBack() { for member in members { member.engine.networkIsBack() } }

    // MARK: Making and closing

    /// Makes an empty partition without outputs, whose ReplayGain mode is that of another one, and keeps it.
    package func makePartition(named name: String, like other: Partition) -> Partition {
        let member = addNew(name)
        member.partition.player.setReplayGainMode(other.player.replayGainMode)
        // Its options are kept also if no client ever touches them.
        member.saver.changed()
        tellRestored(member)
        return member.partition
    }

    func addNew(_ name: String) -> Member {
        let isKept = writing.add { [library, log] in
            do { try await library.addPartition(name) } catch {
                log.error("The partition \(name) could not be saved: \(chain: error)")
            }
        }
        return add(name, isKept: isKept)
    }

    func tellRestored(_ member: Member) { for observer in observers { observer.restored(member.partition) } }

    /// Ends the player of a partition and forgets the partition.
    package func close(_ partition: Partition) {
        guard let index = members.firstIndex(where: { $0.partition === partition }) else { return }
        let member = members.remove(at: index)
        earlierPlaytime += partition.player.playtime
        partition.player.stop()
        try? partition.player.editAtOnce { $0.clear() }
        for observer in observers { observer.closed(partition) }
        member.reports.disconnect()
        for task in member.tasks { task.cancel() }
        let (engine, key) = (member.engine, partition.key)
        Task { await engine.shutDown() }
        writing.add { [library, log] in
            await member.saver.stop()
            do { try await library.removePartition(key) } catch {
                log.error("The partition \(key.name) could not be forgotten: \(chain: error)")
            }
        }
    }

    /// Adds a player; `isKept` is done when the partition is in the database.
    @discardableResult
    func add(_ name: String, wasEnabled: [String: Bool] = [:], isKept: Task<Void, Never>? = nil) -> Member {
        lastNumber += 1
        let number = lastNumber
        let provider = tracks.provider(number)
        let engine = makeEngine(EngineRequest(isFirst: number == 1, wasEnabled: wasEnabled, tracks: provider))
        let reports = PlayerReports(observers)
        let player = Player(engine: engine, provider: provider, settings: settings.player(of: name)) {
            reports.playerChanged($0)
        }
        let partition = Partition(name: name, player: player)
        let saver = StateSaver(partition: partition, library: library, isKept: isKept, log: log)
        reports.connect(partition, saver)
        for observer in observers { observer.opened(partition) }
        let tasks = [
            Task { @ServerActor in await player.run() },
            Task { [plays] in for await event in player.playbackEvents { plays.send(event, of: number) } },
        ]
        let member = Member(partition: partition, saver: saver, reports: reports, tasks: tasks)
        members.append(member)
        return member
    }

    // MARK: Ending

    /// Stops taking reports of the engines.
    package func stopListening() { for member in members { member.tasks.forEach { $0.cancel() } } }

    /// Writes everything that has changed.
    package func save() async {
        await writing.finish()
        for member in members { await member.saver.finish() }
    }

    /// Stops all engines, finishes files and closes devices.
    package func shutDown() async {
        await withTaskGroup(of: Void.self) { group in
            for engine in members.map({ $0.engine }) { group.addTask { await engine.shutDown() } }
        }
    }
}

extension PartitionPlayers {
    /// Gives a partition a name that no other has: at once, and kept in one transaction with everything that is saved.
    /// - Returns: ends when the name is kept, or throws `LibraryError`; the partition has its old name again then.
    package func rename(_ partition: Partition, to name: String) -> Task<Void, any Error> {
        show(partition, as: name)
        return Task {
            do { try await keep(partition, as: name) } catch {
                log.error("The partition \(partition.key.name) could not be renamed to \(name): \(chain: error)")
                if partition.name == name { show(partition, as: partition.key.name) }
                throw error
            }
        }
    }

    /// True if the configuration describes a partition of this name.
    package func isConfigured(_ name: String) -> Bool { settings.plans.contains { $0.name == name } }

    /// Writes the name behind the changes to the list that wait.
    private func keep(_ partition: Partition, as name: String) async throws {
        let key = partition.key
        try await withCheckedThrowingContinuation { (written: CheckedContinuation<Void, any Error>) in
            writing.add { [library] in
                do {
                    try await library.renamePartition(key, to: name)
                    written.resume()
                } catch {
                    written.resume(throwing: error)
                }
            }
        }
    }

    private func show(_ partition: Partition, as name: String) {
        let earlier = partition.name
        partition.rename(to: name)
        for observer in observers { observer.renamed(partition, from: earlier) }
    }
}

extension PartitionPlayers {
    func restore() async throws {
        let names = try library.partitionNames()
        let saved = try names.map { try library.savedPlayer(of: PartitionKey($0)) }
        var wasEnabled: [String: Bool] = [:]
        for output in saved.flatMap(\.outputs) where !output.isMovedAway { wasEnabled[output.name] = output.isEnabled }
        for name in names { add(name, wasEnabled: wasEnabled) }
        let made = settings.plans.filter { !names.contains($0.name) }.map { addNew($0.name) }
        // Players learn in what is restored whether they have outputs.
        distributeOutputs(saved.map(\.outputs))
        for plan in settings.plans {
            guard let index = members.firstIndex(where: { $0.partition.name == plan.name }) else { continue }
            for output in plan.outputs { move(output, to: index) }
        }
        for (member, player) in zip(members, saved) { try await restore(member, player) }
        for member in made {
            var fresh = SavedPlayer()
            fresh.replayGainMode = settings.beginning.replayGain
            try await restore(member, fresh)
            // Its options are kept also if no client ever touches them.
            member.saver.changed()
        }
        for member in members { tellRestored(member) }
        await bringBackSongs()
    }

    /// Moves outputs to every list that they were in, for the order of their places, then to where they played.
    private func distributeOutputs(_ saved: [[SavedOutput]]) {
        for (index, outputs) in saved.enumerated().dropFirst() {
            for output in outputs { move(output.name, to: index) }
        }
        for (index, outputs) in saved.enumerated() {
            for output in outputs where !output.isMovedAway { move(output.name, to: index) }
        }
    }

    private func move(_ name: String, to index: Int) {
        let owner = members.firstIndex {
            $0.engine.outputs.contains { $0.name == name && !$0.isMovedAway }
        }
        guard let owner, owner != index else { return }
        members[owner].engine.moveOutput(named: name, to: members[index].engine)
    }

    /// Restores queues once more whose songs were not in the index yet, after a rescue; not those that were edited.
    package func restoreAgain() async {
        for member in members where member.saver.isUntouched {
            do { try await restore(member, library.savedPlayer(of: member.partition.key)) } catch {
                log.error("The queue could not be restored: \(chain: error)")
            }
        }
    }

    private func restore(_ member: Member, _ saved: SavedPlayer) async throws {
        let key = member.partition.key
        let queue = try library.savedQueue(of: key)
        let known = try await library.index.queueable(queue.entries.compactMap(\.item.songID))
        var saved = saved
        if try !library.hasSavedPlayer(of: key), member.partition === partitions.first {
            // A fresh installation takes these from the configuration; later what clients chose counts.
            saved.crossfade = settings.beginning.crossfade
            saved.replayGainMode = settings.beginning.replayGain
        }
        member.partition.player.settings.fixedOptions.apply(to: &saved)
        member.partition.player.restore(queue, saved, resume: settings.beginning.resume) { id in
            known[id].map { QueueCandidate($0) }
        }
        let departed = try await library.savedDeparted(of: key)
        if !member.partition.player.departedSongs.isEmpty { noteDeparture(at: .now) }
        let absence = Duration.seconds(max(0, Int64(Date().timeIntervalSince1970).subtractingClamped(departed.left)))
        if absence < Self.maxAbsence, !departed.entries.isEmpty {
            member.partition.player.restoreDeparted(departed.entries)
            noteDeparture(at: .now - absence)
        }
        member.saver.markSaved(departed: departed.entries)
    }
}
