import DBus
import Foundation
package import Logging
package import MusicModel
import Partitions
package import Playback
package import ServerLoop

/// Shows the players at the desktop by MPRIS, and does what media keys, headset buttons and lock screens ask for.
///
/// Outside of a desktop session nothing happens.
/// - Isolation: ServerActor; the bus has a thread of its own.
@ServerActor
package final class DesktopControls: PlayerObserver {
    /// What is looked up for the desktop.
    package struct Lookup: Sendable {
        /// The song of that number; nil when it is gone.
        package var song: @Sendable (SongID) async -> Song?
        /// Its rating from 0 to 10; nil where nobody rated it.
        package var rating: @Sendable (SongID) async -> Int?
        /// The picture of its album; nil when it has none.
        package var picture: @Sendable (_ uri: String) async -> [UInt8]?

        /// Collects the ways.
        package init(
            song: @escaping @Sendable (SongID) async -> Song?,
            rating: @escaping @Sendable (SongID) async -> Int?,
            picture: @escaping @Sendable (_ uri: String) async -> [UInt8]?
        ) {
            self.song = song
            self.rating = rating
            self.picture = picture
        }
    }

    /// A partition that is shown.
    private final class Shown {
        let partition: Partition
        let picture: PictureFile
        var song: MediaSong?
        var isLookingSoon = false
        var lookup: Task<Void, Never>?

        init(_ partition: Partition, _ picture: PictureFile) {
            self.partition = partition
            self.picture = picture
        }
    }

    private let settings: MediaControlSettings
    private let lookup: Lookup
    private let log: Logger
    private let folder: String?
    private var shown: [ObjectIdentifier: Shown] = [:]
    private var players: DesktopPlayers?

    /// Makes it; nothing is shown before `run`.
    package init(_ settings: MediaControlSettings, _ lookup: Lookup, log: Logger) {
        self.settings = settings
        self.lookup = lookup
        self.log = log
        let environment = ProcessInfo.processInfo.environment
        folder = BusConnection.sessionAddress(environment).flatMap { _ in
            (environment["XDG_RUNTIME_DIR"] ?? NSTemporaryDirectory()) + "/segue"
        }
    }

    /// Serves the desktop until the task is cancelled.
    package func run() async {
        guard settings.isEnabled, folder != nil else { return }
        let players = DesktopPlayers(settings, log: log) { [weak self] partition, command in
            // Calls of one desktop arrive in order, and tasks of one actor start in order.
            Task { @ServerActor in self?.run(command, in: partition) }
        }
        self.players = players
        for shown in shown.values { show(shown) }
        await players.run { [weak self] in
            let isDone = DispatchSemaphore(value: 0)
            Task { @ServerActor in
                self?.pauseAll()
                isDone.signal()
            }
            _ = isDone.wait(timeout: .now() + 2)
        }
        self.players = nil
        for shown in shown.values { await shown.picture.remove() }
    }

    // MARK: Players

    package func opened(_ partition: Partition) {
        guard let folder, settings.isEnabled, settings.showsPartitions || partition.name == defaultPartition else {
            return
        }
        let picture = PictureFile(in: folder, prefix: "cover-" + DesktopPlayers.busName(partition.name), log: log)
        shown[ObjectIdentifier(partition)] = Shown(partition, picture)
        changed(partition, [])
    }

    package func changed(_ partition: Partition, _ subsystems: Subsystem) {
        guard players != nil, let shown = shown[ObjectIdentifier(partition)], !shown.isLookingSoon else { return }
        shown.isLookingSoon = true
        // A command that plays another album edits the queue many times.
        ServerActor.after(.milliseconds(30)) { [weak self] in
            shown.isLookingSoon = false
            self?.show(shown)
        }
    }

    package func closed(_ partition: Partition) {
        guard let shown = shown.removeValue(forKey: ObjectIdentifier(partition)) else { return }
        shown.lookup?.cancel()
        players?.close(partition.name)
        Task { await shown.picture.remove() }
    }

    private func show(_ shown: Shown) {
        let current = shown.partition.player.current?.entry
        guard let current else {
            if shown.song != nil { Task { await shown.picture.remove() } }
            shown.song = nil
            return tell(shown)
        }
        guard current.id.rawValue != shown.song?.entry || isStream(current) else { return tell(shown) }
        let first = MediaSong(entry: current)
        if shown.song?.entry != first.entry || shown.song?.tags != first.tags { shown.song = first }
        tell(shown)
        shown.lookup?.cancel()
        if case .song(let id) = current.item {
            shown.lookup = Task { [weak self] in await self?.lookUp(id, for: shown, first) }
        }
    }

    private func isStream(_ entry: QueueEntry) -> Bool {
        if case .stream = entry.item { true } else { false }
    }

    private func lookUp(_ id: SongID, for shown: Shown, _ first: MediaSong) async {
        guard let found = await lookup.song(id) else { return }
        var song = first
        song.uri = found.uri
        song.tags = found.tags
        song.length = first.length ?? found.duration
        song.rating = await lookup.rating(id)
        song.picture = await shown.picture.path(of: found.uri) { [lookup] in await lookup.picture(found.uri) }
        guard !Task.isCancelled, shown.song?.entry == song.entry else { return }
        shown.song = song
        tell(shown)
    }

    private func tell(_ shown: Shown) {
        // What was found out for a partition that has been deleted meanwhile would bring it back.
        guard self.shown[ObjectIdentifier(shown.partition)] === shown else { return }
        let status = shown.partition.player.status
        players?.show(
            MediaPlayerState(
                transport: status.state, isRepeating: status.isRepeating, isSingle: status.single != .off,
                isRandom: status.isRandom, volume: status.volume, song: shown.song, hasNext: status.nextID != nil,
                hasSongs: status.queueLength > 0, elapsed: status.elapsed ?? .zero, moment: .now),
            of: shown.partition.name)
    }

    // MARK: The desktop

    private func run(_ command: MediaCommand, in partition: String) {
        guard let shown = shown.values.first(where: { $0.partition.name == partition }) else { return }
        command.run(on: shown.partition.player)
    }

    private func pauseAll() {
        for shown in shown.values { MediaCommand.pause.run(on: shown.partition.player) }
    }
}

extension MediaSong {
    /// What the queue itself knows of an entry.
    fileprivate init(entry: QueueEntry) {
        self.init(entry: entry.id.rawValue, uri: "", length: entry.playingTime)
        if case .stream(let url, let tags) = entry.item { (uri, self.tags) = (url, tags) }
    }
}
