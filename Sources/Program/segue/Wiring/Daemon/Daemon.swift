import AudioFiles
import Extensions
import Foundation
import LibraryIndex
import Logging
import MediaCache
import MediaLookup
import MPDCommands
import MPDSessions
import MusicModel
import Playback
import Players
import SegueConfiguration
import ServerLoop
import Supervision
import Sync
import UserLibrary
import WebAPI
import WebServer

/// The running server, put together from a configuration: every part is complete when it is made.
///
/// `listen` brings it to the point where clients are accepted; `run` keeps it going until a signal ends it.
/// - Isolation: ServerActor; the parts have their own threads and actors.
@ServerActor
final class Daemon {
    let configuration: Configuration
    /// The settings of the page; nil where nothing is kept of them.
    let settings: SettingsStore?
    let sources: Sources
    let upstream: UpstreamServices
    let playback: PlaybackServices
    let reports: LibraryReports
    let context: ServerContext
    let server: MPDServer
    let passwords: PasswordGate
    let web: WebServices
    let managerReport: ManagerReport
    let additions: ServerAdditions
    /// Tells pages of events that MPD's protocol doesn't have.
    let pageEvents: PageEvents
    let process: DaemonProcess

    /// Puts everything together; no client is connected yet. With nothing to play from, clients are told
    /// `missingSource`.
    init(
        _ configuration: Configuration, missingSource: String? = nil, settings: SettingsStore? = nil,
        state: StateDirectory, process: DaemonProcess
    ) async throws {
        self.configuration = configuration
        self.settings = settings
        self.process = process
        let hub = IdleHub()
        let pageEvents = PageEvents()
        self.pageEvents = pageEvents
        sources = try await Sources(
            configuration, state: state, written: { pageEvents.report(.waiting) }, log: process.log)
        upstream = UpstreamServices(sources, configuration, log: process.log)
        managerReport = ManagerReport(process.manager, watchdog: process.watchdog)
        let media = SongMedia(sources)
        let access = ServerAccess(
            configuration, state, version: Segue.version, sources.library, updating: upstream.sync, hub: hub,
            events: pageEvents, picture: { try? await media.pictures.albumArt(for: $0)?.bytes })
        var additions = ServerAdditions()
        for part in extensions { part.extend(access, &additions) }
        self.additions = additions
        playback = try await PlaybackServices(
            configuration, sources, upstream, additions, media: media, hub: hub, managerReport: managerReport,
            log: process.log)
        passwords = PasswordGate(configuration.server.passwords.map(\.entry))
        context = ServerContext(
            ServerParts(sources, upstream, playback, media, passwords: passwords),
            facts: ServerFacts(configuration, sources, missingSource: missingSource),
            partitions: playback.players.partitions, clients: hub)
        reports = LibraryReports(
            sources, upstream, playback, context: context, managerReport: managerReport, pageEvents: pageEvents)
        server = MPDServer(
            context: context, hub: hub, options: configuration.server.options,
            logger: Logger(label: "segue.server"))
        let (context, server, passwords, facts) = (
            context, server, passwords,
            WebFacts(configuration, settings, sources, upstream, playback, reports, media)
        )
        let (requests, dj) = (additions.requests, playback.dj)
        let pageSettings = settings.map { PageSettings(store: $0, log: process.log) }
        web = WebServices(
            configuration, sessionsPath: state.path + "/web-sessions.json", hub: hub, server: server, passwords
        ) {
            WebParts(
                context: context, server: server, passwords: passwords, sessions: $0,
                issued: IssuedSecrets(path: state.path + "/web-tokens.json"), files: $1, facts: facts,
                pageEvents: pageEvents, requests: requests, wishes: dj, settings: pageSettings)
        }
    }

    /// Accepts clients, on the sockets that the service manager passed on where there are any.
    func listen(inherited: [InheritedSocket] = []) async throws {
        // The unit of the page's socket names it so (`FileDescriptorName=`); all others are for MPD's clients.
        let pages = inherited.filter { $0.name == "web" }
        let others = inherited.filter { $0.name != "web" }
        if others.isEmpty {
            try await server.listen(on: configuration.server.listen)
            if let path = configuration.server.usersSocket { await server.listenIfPossible(at: path) }
        } else {
            try await server.listen(onInherited: others.map { ($0.duplicate(), $0.isUnix) })
        }
        await web.listen(inherited: pages)
    }
}

/// The daemon's process: signals, log, and the service manager that started it.
struct DaemonProcess: Sendable {
    /// How long the end may take in all, whatever hangs; the limits of the steps add up to less.
    static let maxEnd = Duration.seconds(3)
    static let manager = ServiceNotifier(environment: ProcessInfo.processInfo.environment)

    let signals: ProcessSignals
    let log: Logger
    let manager = Self.manager
    let watchdog: Watchdog?
    let report: ShutdownReport

    init(log: Logger) async {
        self.log = log
        report = ShutdownReport(log: log)
        watchdog =
            Self.manager.isListening
            ? Watchdog(environment: ProcessInfo.processInfo.environment, processID: getpid()) : nil
        signals = await ProcessSignals(maxEnd: Self.maxEnd)
    }
}

extension ServerParts {
    @ServerActor
    init(
        _ sources: Sources, _ upstream: UpstreamServices, _ playback: PlaybackServices, _ media: SongMedia,
        passwords: PasswordGate
    ) {
        self.init(library: sources.library, updating: upstream.sync, pictures: media.pictures)
        lyrics = media.lyrics
        comments = sources.session.map { ServerComments(library: sources.library, session: $0) }
        outsideFiles = OutsideFileReader(sources.remotePlaylists)
        outsideSongs = OutsideSongs()
        discs = Discs()
        otherQueue = upstream.queueKeeper.map { OtherQueueProvider(keeper: $0) }
        fingerprints = SongFingerprints(tracks: sources.tracks)
        mounting = upstream.sync
        storages = sources.storages
        partitionHost = playback.players
        ownChannel = playback.channel
        self.passwords = passwords
    }
}

extension ServerFacts {
    init(_ configuration: Configuration, _ sources: Sources, missingSource: String?) {
        self.init()
        mounts = sources.mounts.shown.map { ShownMount($0.name, of: $0.storage, in: $0.network?.folder) }
        decoders = AudioFileReader.decoderList
        let stations = configuration.playback.stations
        (lineInputs, discDevices) = (stations.lineInputs, stations.discDevices)
        musicDirectory = configuration.local?.musicDirectory
        if let charset = configuration.local?.folders.cueSheets.charset { legacyCharset = charset }
        missingSourceAdvice = missingSource
        shutDown = { _ = kill(getpid(), SIGTERM) }
    }
}
