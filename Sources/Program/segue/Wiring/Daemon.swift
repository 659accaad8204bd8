import Foundation
import GStreamerAudio
import IndexSync
import LibraryIndex
import Logging
import MPDCommands
import MPDProtocol
import MPDSessions
import MusicModel
import NIOCore
import Playback
import Scrobbling
import SegueConfiguration
import ServerLoop
import ServiceManager
import Subsonic
import MediaCache
import UserLibrary
import UserSync

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
    /// Which parts did not end in time.
    let report: ShutdownReport
    private let state: StateDirectory
    /// Tells the service manager how this one is.
    let managerReport: ServiceReport

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
        report = ShutdownReport(log: log)
        sources = try Sources(configuration, state: state, log: log)
        let library = sources.library
        let hub = IdleHub()
        try await sources.keepStations()
        players = PartitionPlayers(
            configuration, library: library, tracks: sources.tracks,
            resolver: StreamResolver(playlists: sources.remotePlaylists), hub: hub, log: log)
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
        if library.rescue != nil { relay.indexChanged = { [players] in await players.restoreAgain() } }
        context = ServerContext(
            library: library, partition: first, updating: sync,
            pictures: pictures,
            notify: { hub.notify($0, partition: $1) })
        context.missingSourceAdvice = missingSource
        context.lyrics = lyrics
        context.otherQueue = queueKeeper.map { OtherQueueLook(keeper: $0) }
        relay.serverTroubleChanged = { [context, sources] in
            context.setServerTrouble($0)
            if $0 != nil { sources.requests.serverIsAway() }
        }
        managerReport = ServiceReport(context, configuration, relay, hub: hub)
        server = MPDServer(
            context: context, hub: hub, options: MPDServerOptions(configuration.server),
            logger: Logger(label: "segue.server"))
        configureContext()
        wakeOnReturn(relay)
    }

    /// Has everything that waits for the server go on when that is back, and its return looked for meanwhile.
    ///
    /// Whichever part gets the first answer, the others need not find out for themselves.
    private func wakeOnReturn(_ relay: Relay) {
        let wakeEverything = { @Sendable [scrobbler, upstream, sources, queueKeeper, players] in
            ServerActor.eventLoop.execute { ServerActor.assumeIsolated { players.networkIsBack() } }
            queueKeeper?.serverIsBack()
            sources.requests.serverIsBack()
            sources.tracks.serverIsBack()
            scrobbler?.retryNow()
            upstream?.wake()
            sources.marks?.lookSoon()
            sources.bookmarks?.lookSoon()
        }
        relay.serverIsBack = wakeEverything
        sources.client?.whenBack { [sync] in
            wakeEverything()
            Task { await sync.lookSoon() }
        }
        sources.client?.whenAwaited { [sync] in Task { await sync.lookForServer() } }
    }

    /// Accepts clients, on the sockets that the service manager passed on where there are any.
    func listen(inherited: [InheritedSocket] = []) async throws {
        guard inherited.isEmpty else {
            return try await server.listen(onInherited: inherited.map { ($0.duplicate(), $0.isUnix) })
        }
        try await server.listen(on: configuration.server.listen.map { ListenerAddress($0) })
    }

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
        context.outsideFiles = OutsideFileReader(sources.remotePlaylists)
        context.fingerprints = SongFingerprints(tracks: sources.tracks)
    }
}
