import Foundation
import GStreamerAudio
import Library
import LibrarySync
import Logging
import MPDCommands
import MPDProtocol
import MPDServer
import MusicModel
import NIOCore
import Playback
import Scrobbling
import SegueConfiguration
import ServerLoop
import ServiceLifecycle
import Subsonic
import TrackCache

/// The running server, put together from a configuration.
///
/// `start` brings it to the point where clients are accepted; `run` keeps it going until a signal ends it.
/// - Isolation: ServerActor; the parts have their own threads and actors.
@ServerActor
final class Daemon {
    let configuration: Configuration
    let sources: Sources
    let players: PartitionPlayers
    let context: ServerContext
    let server: MPDServer
    let sync: LibrarySync
    let scrobbler: Scrobbler?
    /// Saves the queue on the server and shows that of others; nil without one.
    let queueKeeper: QueueKeeper?
    /// Sends what clients change to the server; nil without one.
    let upstream: Upstream?
    let log: Logger
    let signals: ProcessSignals
    /// Checks what clients send as passwords.
    let passwords = PasswordGate()
    private let state: StateDirectory

    /// Puts everything together; nothing is audible and no client is connected yet.
    ///
    /// - Parameter missingSource: what clients are told when there is no source to play from; nil when there is one.
    /// - Throws: `CommandFailure` and the parts' own errors, each a line that names the cure.
    init(
        _ configuration: Configuration, missingSource: String? = nil, state: StateDirectory, signals: ProcessSignals,
        log: Logger
    ) async throws {
        self.configuration = configuration
        self.signals = signals
        self.state = state
        self.log = log
        sources = try Sources(configuration, state: state, log: log)
        let library = sources.library
        let hub = IdleHub()
        try await sources.keepStations()
        players = PartitionPlayers(
            configuration, library: library, tracks: sources.tracks,
            resolver: StreamResolver(files: sources.outsideFiles), hub: hub, log: log)
        let pictures = LibraryPictures(library: library, covers: sources.covers)
        let lyrics = LibraryLyrics(library: library, cache: sources.lyrics)
        players.upcoming = UpcomingSongs(
            pictures: pictures, lyrics: lyrics, songsChanged: { [sources] in sources.bookmarks?.lookSoon() })
        players.bookmarks = try configuration.playback.resumeLongSongs.map {
            try SongBookmarks(library: library, shortestSong: $0, log: log)
        }
        queueKeeper = sources.makeQueueKeeper(changed: {
            ServerActor.eventLoop.execute {
                ServerActor.assumeIsolated { hub.notify(.storedPlaylist, partition: nil) }
            }
        })
        players.queueReporter = queueKeeper.map { QueueReporter($0) }
        try await players.restore()
        guard let first = players.partitions.first else { throw CommandFailure("the database has no partition") }
        let relay = Relay(hub: hub, players: players)

        sync = sources.makeSync(observer: relay.observer, interval: configuration.navidrome?.syncInterval, log: log)
        scrobbler = sources.client.map { client in
            Scrobbler(
                library: library, client: client,
                settings: ScrobbleSettings(isEnabled: configuration.navidrome?.scrobble ?? false),
                stickersChanged: { relay.observer.subsystemsChanged(.sticker) },
                logger: Logger(label: "segue.scrobble"))
        }
        upstream = sources.makeUpstream(observer: relay.observer)
        relay.serverIsBack = { [scrobbler, upstream, sources, queueKeeper] in
            queueKeeper?.serverIsBack()
            sources.requests.serverIsBack()
            scrobbler?.retryNow()
            upstream?.wake()
            sources.marks?.lookSoon()
        }
        context = ServerContext(
            library: library, partition: first, updating: sync,
            pictures: pictures,
            notify: { hub.notify($0, partition: $1) })
        context.lyrics = lyrics
        context.otherQueue = queueKeeper.map { OtherQueueLook(keeper: $0) }
        relay.serverTroubleChanged = { [context, sources] in
            context.setServerTrouble($0 ?? missingSource)
            if $0 != nil { sources.requests.serverIsAway() }
        }
        server = MPDServer(
            context: context, hub: hub, options: MPDServerOptions(configuration.server),
            logger: Logger(label: "segue.server"))
        configureContext()
    }

    /// Accepts clients.
    func listen() async throws {
        try await server.listen(on: configuration.server.listen.map { ServerAddress($0) })
    }

    /// Runs until SIGTERM or SIGINT, or until another service comes to its end, then ends every part in order.
    nonisolated func run(besides other: (any Service)? = nil) async throws {
        let parts: [any Service] =
            await services + [other].compactMap { $0 } + [EndingSignal(endings: signals.endings)]
        let group = ServiceGroup(
            configuration: .init(
                services: parts.map { .init(service: $0, successTerminationBehavior: .gracefullyShutdownGroup) },
                logger: quietLog))
        try await group.run()
    }

    /// The parts, those that end last first: clients go before the music, and the state is saved after it.
    private var services: [DaemonService] {
        var parts = [
            DaemonService("library", end: { [sources] in await sources.close() }),
            DaemonService("audio", end: { [players] in await players.shutDown() }),
            DaemonService("state", end: { [players] in await players.save() }),
            DaemonService("players", end: { [players] in await players.stopListening() }),
        ]
        let history = PlayHistory(library: sources.library, logger: Logger(label: "segue.history"))
        parts.append(DaemonService("history", work: { [players] in await history.run(events: players.heardPlays) }))
        if let scrobbler {
            parts.append(
                DaemonService("scrobbling", work: { [players] in await scrobbler.run(events: players.plays) }))
        }
        if let upstream {
            parts.append(
                DaemonService(
                    "upstream", work: { [sources] in await upstream.run(work: sources.library.upstreamWork) }))
        }
        if let queueKeeper { parts.append(DaemonService("queue", work: { await queueKeeper.run() })) }
        if let marks = sources.marks {
            let interval = configuration.navidrome?.syncInterval ?? .seconds(60)
            parts.append(
                DaemonService(
                    "marks",
                    work: { [context] in
                        await marks.run(interval: interval) { await context.notify(.sticker, nil) }
                    }))
        }
        if let bookmarks = sources.bookmarks {
            let interval = configuration.navidrome?.syncInterval ?? .seconds(60)
            parts.append(
                DaemonService(
                    "bookmarks",
                    work: { [players] in
                        await bookmarks.run(interval: interval) { await players.bookmarks?.reload() }
                    }))
        }
        parts += [
            DaemonService("sync", work: { [sync] in await sync.run() }),
            DaemonService("reload", work: { [self] in await reloadOnHangUp() }),
            DaemonService("server", end: { [server] in await server.shutDown() }),
        ]
        return parts
    }

    /// The group's own lines say nothing to users below warnings.
    private nonisolated var quietLog: Logger { Logger(label: "segue.lifecycle") { _ in WarningsOnly() } }

    private func configureContext() {
        passwords.replace(configuration.server.passwords.map { PasswordEntry($0) })
        context.passwords = passwords
        context.shutDown = { _ = kill(getpid(), SIGTERM) }
        for partition in players.partitions.dropFirst() { context.add(partition) }
        context.partitionHost = players
        context.mounts = sources.mounts
        context.mounting = sync
        context.decoders = AudioFileReader.decoderList
        context.playtime = { [players] in players.playtime }
        context.musicDirectory = configuration.local?.musicDirectory
        context.outsideFiles = sources.outsideFiles
        context.fingerprints = SongFingerprints(tracks: sources.tracks)
    }
}

/// Passes on warnings and errors of the service group.
private struct WarningsOnly: LogHandler {
    private var inner = StandardErrorLog(label: "segue")
    var logLevel = Logger.Level.warning
    var metadata: Logger.Metadata {
        get { inner.metadata }
        set { inner.metadata = newValue }
    }
    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { inner[metadataKey: key] }
        set { inner[metadataKey: key] = newValue }
    }
    func log(event: LogEvent) { inner.log(event: event) }
}
