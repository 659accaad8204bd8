import Extensions
import LibraryIndex
import Logging
import MediaLookup
import MPDCommands
import MPDSessions
import MusicModel
import Players
import SegueConfiguration
import ServerLoop
import Supervision
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
    /// Checks what clients send as passwords.
    let passwords: PasswordGate
    /// The page and the HTTP interface.
    let web: WebServices
    /// Tells the service manager how this one is.
    let managerReport: ManagerReport
    /// The parts that extensions add.
    let additions: ServerAdditions
    /// Tells pages of events that MPD's protocol doesn't have.
    let pageEvents: PageEvents
    /// The process around it.
    let process: DaemonProcess

    /// Puts everything together; no client is connected yet.
    ///
    /// - Parameter missingSource: what clients are told when there is no source to play from; nil when there is one.
    /// - Throws: `CommandFailure` and the parts' own errors, each a line that names the cure.
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
        let pageSettings = settings.map { PageSettings($0, log: process.log) }
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
