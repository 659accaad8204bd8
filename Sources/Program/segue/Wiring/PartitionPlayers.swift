import GStreamerAudio
import LibraryIndex
import Logging
import MPDCommands
import MPDSessions
import MusicModel
import Outputs
import Playback
import SegueConfiguration
import ServerLoop
import MediaCache
import UserLibrary

/// The players of all partitions: each with an engine, a queue and a place in the database of its own.
///
/// - Isolation: ServerActor.
@ServerActor
final class PartitionPlayers: PartitionHosting {
    /// A partition with what belongs to it.
    private struct Member {
        let partition: Partition
        let engine: GStreamerEngine
        let saver: StateSaver
        let relay: PlayerRelay
        /// Takes the engine's reports, and passes plays on.
        let tasks: [Task<Void, Never>]
    }

    /// What all partitions play, for the scrobbler; one consumer.
    let plays: AsyncStream<PlaybackEvent>
    private let playsContinuation: AsyncStream<PlaybackEvent>.Continuation
    /// The same for the history; one consumer.
    let heardPlays: AsyncStream<PlaybackEvent>
    private let heardPlaysContinuation: AsyncStream<PlaybackEvent>.Continuation
    /// Sees to what is current and next; set before the first player is made.
    var upcoming: UpcomingSongs?
    /// Keeps the places in long songs; nil where none are kept. Set before the first player is made.
    var bookmarks: SongBookmarks?
    /// Saves the first partition's queue on the server; nil without one. Set before the first player is made.
    var queueReporter: QueueReporter?
    private let configuration: Configuration
    private let library: Library
    private let tracks: SharedTracks
    /// Finds the streams in stations' playlists.
    private let resolver: any StreamResolving
    private let hub: IdleHub
    private let log: Logger
    private var members: [Member] = []
    private var lastNumber = 0
    private var earlierPlaytime = Duration.zero
    /// The last of the changes to the list of partitions that are being written, one after the other.
    private var writing: Task<Void, Never>?

    init(
        _ configuration: Configuration, library: Library, tracks: TrackCache, resolver: any StreamResolving,
        hub: IdleHub, log: Logger
    ) {
        self.resolver = resolver
        self.configuration = configuration
        self.library = library
        self.tracks = SharedTracks(tracks, library: library)
        self.hub = hub
        self.log = log
        (plays, playsContinuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(4096))
        (heardPlays, heardPlaysContinuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(4096))
    }

    /// The partitions in their order.
    var partitions: [Partition] { members.map(\.partition) }

    /// How long songs have been heard since the start.
    var playtime: Duration { members.reduce(earlierPlaytime) { $0 + $1.partition.player.playtime } }

    /// Songs changed or left the library.
    func songsChanged(updated: Set<SongID>, removed: Set<SongID>) {
        for member in members {
            if !removed.isEmpty { Self.edit(member.partition.player, .removeSongs(removed)) }
            if !updated.isEmpty { Self.edit(member.partition.player, .touchSongs(updated)) }
        }
    }

    /// Something on the network can be reached again, so stations may be as well.
    func networkIsBack() {
        for member in members { member.engine.networkIsBack() }
    }

    /// Edits a queue that no client waits for.
    private static func edit(_ player: Player, _ edit: QueueEdit) {
        guard player.isLarge(edit) else {
            _ = try? player.apply(edit)
            return
        }
        Task { try await player.edit(edit) }
    }

    // MARK: Making and closing

    func makePartition(named name: String, like other: Partition) -> Partition {
        let library = library
        let log = log
        let isKept = write {
            do { try await library.addPartition(name) } catch {
                log.error("The partition \(name) could not be saved: \(error)")
            }
        }
        let partition = add(name, outputs: [], isKept: isKept)
        partition.player.setReplayGainMode(other.player.replayGainMode)
        // Its options are kept also if no client ever touches them.
        members.last?.saver.changed()
        return partition
    }

    func close(_ partition: Partition) {
        guard let index = members.firstIndex(where: { $0.partition === partition }) else { return }
        let member = members.remove(at: index)
        earlierPlaytime += partition.player.playtime
        partition.player.stop()
        partition.player.clear()
        upcoming?.forget(partition.player)
        bookmarks?.abandon(partition.player)
        member.relay.disconnect()
        for task in member.tasks { task.cancel() }
        let library = library
        let log = log
        let name = partition.name
        Task { await member.engine.shutDown() }
        write {
            await member.saver.retire()
            do { try await library.removePartition(name) } catch {
                log.error("The partition \(name) could not be forgotten: \(error)")
            }
        }
    }

    /// Adds a player; `isKept` is done when the partition is in the database.
    @discardableResult
    private func add(_ name: String, outputs: [OutputSpecification], isKept: Task<Void, Never>? = nil) -> Partition {
        lastNumber += 1
        let number = lastNumber
        let provider = tracks.provider(number)
        let playback = configuration.playback
        let engine = GStreamerEngine(
            outputs: outputs, provider: provider,
            replayGain: ReplayGainSettings(
                preamp: playback.replayGainPreamp, missingPreamp: playback.replayGainMissingPreamp,
                limitsPeaks: playback.replayGainLimit),
            outputFormat: playback.audioOutputFormat,
            radio: RadioSettings(
                crossfade: playback.radioCrossfade, timeout: playback.radioTimeout, resolver: resolver),
            log: Logger(label: "segue.audio"))
        let relay = PlayerRelay(hub: hub)
        let player = Player(
            engine: engine, provider: provider, queueLimit: configuration.server.maxPlaylistLength
        ) { relay.playerChanged($0) }
        player.prefetchCount = configuration.cache.prefetch
        let partition = Partition(name: name, player: player)
        let saver = StateSaver(partition: partition, library: library, isKept: isKept, log: log)
        let queueReporter = number == 1 ? queueReporter : nil
        queueReporter?.adopt(player)
        relay.connect(partition: partition, saver: saver, upcoming: upcoming, queueReporter: queueReporter)
        bookmarks?.adopt(player)
        let consumers = [playsContinuation, heardPlaysContinuation]
        let tasks = [
            Task { @ServerActor in await player.run() },
            Task {
                for await event in player.playbackEvents {
                    for plays in consumers { plays.yield(event.numbered(by: number)) }
                }
            },
        ]
        members.append(Member(partition: partition, engine: engine, saver: saver, relay: relay, tasks: tasks))
        return partition
    }

    @discardableResult
    private func write(_ body: @escaping @Sendable () async -> Void) -> Task<Void, Never> {
        let before = writing
        let task = Task {
            await before?.value
            await body()
        }
        writing = task
        return task
    }

    // MARK: Starting and ending

    /// Brings every partition back as it was saved, or makes the default one.
    ///
    /// - Throws: `LibraryError` when the database can't be read.
    func restore() async throws {
        let names = try library.partitionNames()
        let saved = try names.map { try library.savedPlayer(of: $0) }
        var wasEnabled: [String: Bool] = [:]
        for output in saved.flatMap(\.outputs) where !output.isMovedAway { wasEnabled[output.name] = output.isEnabled }
        for (index, name) in names.enumerated() {
            var outputs = index == 0 ? configuration.outputs : []
            for place in outputs.indices {
                outputs[place].isEnabled = wasEnabled[outputs[place].name] ?? outputs[place].isEnabled
            }
            add(name, outputs: outputs)
        }
        distributeOutputs(saved.map(\.outputs))
        for (member, player) in zip(members, saved) { try await restore(member, player) }
    }

    /// Moves outputs where they were: first to every list that they were in, for the order of their places, then to
    /// the partition that they played for.
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
    func restoreAgain() async {
        for member in members where member.saver.isUntouched {
            do { try await restore(member, library.savedPlayer(of: member.partition.name)) } catch {
                log.error("The queue could not be restored: \(error)")
            }
        }
    }

    private func restore(_ member: Member, _ saved: SavedPlayer) async throws {
        let player = member.partition.player
        let queue = try library.savedQueue(of: member.partition.name)
        let songs = queue.entries.compactMap { entry in
            if case .song(let id) = entry.item { id } else { nil }
        }
        let known = try await library.index.queueable(songs)
        var saved = saved
        if try !library.hasSavedPlayer(of: member.partition.name), member.partition === partitions.first {
            // A fresh installation takes these from the configuration; later what clients chose counts.
            saved.crossfade = configuration.playback.crossfade
            saved.replayGainMode = configuration.playback.replayGain
        }
        player.restore(queue, saved, resume: configuration.playback.resume) { id in
            known[id].map { QueueCandidate(.song(id), duration: $0.duration, replayGain: $0.replayGain) }
        }
        member.saver.markSaved()
    }

    /// Stops taking reports of the engines.
    func stopListening() {
        for member in members { member.tasks.forEach { $0.cancel() } }
    }

    /// Writes everything that has changed, and meanwhile tells the server the queue.
    func saveAndReport() async {
        async let reported: Void? = queueReporter?.finish()
        await save()
        await reported
    }

    /// Writes everything that has changed.
    func save() async {
        await writing?.value
        for member in members { await member.saver.finish() }
        await bookmarks?.finish()
    }

    /// Stops all engines, finishes files and closes devices.
    func shutDown() async {
        await withTaskGroup(of: Void.self) { group in
            for engine in members.map(\.engine) { group.addTask { await engine.shutDown() } }
        }
    }
}

extension PlaybackEvent {
    /// The same event with a number that no other partition's plays have.
    fileprivate func numbered(by partition: Int) -> PlaybackEvent {
        let offset = UInt64(partition) << 48
        return switch self {
        case .started(let play, let song, let time): .started(play: play + offset, song: song, at: time)
        case .heard(let play, let song, let total): .heard(play: play + offset, song: song, total: total)
        case .ended(let play, let song): .ended(play: play + offset, song: song)
        }
    }
}
