import Coordination
import Discovery
import Glibc
import HomeAutomation
import Sync
import LibraryIndex
import Lidarr
import Logging
import Desktop
import MPDCommands
import MPDSessions
import MusicModel
import NetworkStorages
import Players
import Playback
import Supervision
import SegueConfiguration
import ServerLoop
import ServiceLifecycle
import SongAnalysis
import UserLibrary
import WebAPI

extension Daemon {
    /// Runs until SIGTERM or SIGINT, or until another service comes to its end, then ends every part in order.
    nonisolated func run(besides other: (any Service)? = nil) async throws {
        let signal = EndingSignal(process.signals.endings) { [manager = process.manager] in manager.stopping() }
        let parts: [any Service] = await steps.reversed() + [other].compactMap { $0 } + [signal]
        let group = ServiceGroup(
            configuration: .init(
                services: parts.map { .init(service: $0, successTerminationBehavior: .gracefullyShutdownGroup) },
                logger: quietLog))
        try await group.run()
    }

    /// Ends the process at once if a part was left behind, whose threads would run into what the usual end frees.
    nonisolated func exitIfLeftovers() {
        guard process.report.hasLeftovers else { return }
        StandardErrorLog.flush()
        _exit(0)
    }

    /// The steps of the end, in their order.
    ///
    /// 1. The state is saved before anything can go wrong, and the server is told the queue.
    /// 2. Clients are closed: nothing changes any more.
    /// 3. Background work ends: syncs, scrobbling, whatever waits for the server.
    /// 4. The players take no more reports, no song is added any more, and what has changed since the first step is
    ///    saved.
    /// 5. Sound stops: recordings are finished, devices closed.
    /// 6. The database and the connections are closed.
    private var steps: [EndingStep] {
        let (report, playback, server, sources, web) = (process.report, playback, server, sources, web)
        return [
            EndingStep("saving the state", limit: .milliseconds(700), report: report) {
                await playback.saveAndReport()
            },
            EndingStep("closing clients", limit: .milliseconds(600), report: report) {
                async let pages: Void = web.shutDown()
                await server.shutDown()
                await pages
            },
            EndingStep(ending: services, limit: .milliseconds(300), report: report),
            EndingStep("saving what changed last", limit: .milliseconds(200), report: report) {
                await playback.saveLast()
            },
            EndingStep("closing outputs", limit: .milliseconds(800), report: report) {
                await playback.players.shutDown()
            },
            EndingStep("closing the database", limit: .milliseconds(300), report: report) { await sources.close() },
        ]
    }

    /// The services beside the clients; a new service is a line here.
    private var services: BackgroundServices {
        let (sources, playback, upstream, reports) = (sources, playback, upstream, reports)
        let interval = configuration.navidrome?.syncInterval ?? .seconds(60)
        let announcer = Announcer(announcements, log: Logger(label: "segue.zeroconf"))
        let history = PlayHistory(library: sources.library, logger: Logger(label: "segue.history"))
        return BackgroundServices([
            BackgroundService("history") { await history.run(events: playback.heardPlays) },
            BackgroundService("sync") { await upstream.sync.run() },
            BackgroundService("storages") {
                await sources.storages.run { _ = upstream.sync.startUpdate(uri: $0, rescan: false) }
            },
            BackgroundService("library's reports") { await reports.run() },
            BackgroundService("sync's progress") { [pageEvents] in
                while !Task.isCancelled {
                    await upstream.events.progress.changes.wait()
                    pageEvents.report(.sync)
                }
            },
            requests.map { requests in BackgroundService("requests") { await requests.run() } },
            BackgroundService("reload") { [self] in await reloadOnHangUp() },
            BackgroundService("service manager") { [self] in await managerReport.run { await self.statusSentence() } },
            BackgroundService("addresses") { await upstream.followAddresses() },
            BackgroundService("announcements") { await announcer.run() },
            BackgroundService("desktop") { [context] in
                await playback.desktop.run { await InternalClient(context).open($0, in: $1) }
            },
            configuration.desktop.pausesOnUnplug
                ? BackgroundService("headphones") { [context] in
                    await HeadphonePause(log: Logger(label: "segue.headphones")).run { context.partitions }
                } : nil,
            home.map { home in BackgroundService("home automation") { await home.run() } },
            playback.mixes.map { mixes in BackgroundService("discovery") { await mixes.run() } },
            playback.analysis.map { analysis in
                BackgroundService("analysis") { await analysis.run(playback.gains, sources.library) }
            },
            BackgroundService("auto-DJ") { [context] in await context.tell(messagesOf: playback.dj) },
            upstream.scrobbler.map { scrobbler in
                BackgroundService("scrobbling") { await scrobbler.run(events: playback.scrobbledPlays) }
            },
            upstream.upstream.map { upstream in
                BackgroundService("upstream") { await upstream.run() }
            },
            upstream.queueKeeper.map { keeper in BackgroundService("queue") { await keeper.run() } },
            sources.marks.map { marks in
                BackgroundService("marks") { [context] in
                    await marks.run(interval: interval) { await context.notify(.sticker, nil) }
                }
            },
            sources.bookmarks.map { bookmarks in
                BackgroundService("bookmarks") {
                    await bookmarks.run(interval: interval) { await playback.bookmarks?.reload() }
                }
            },
        ])
    }

    /// The group's own lines say nothing to users below warnings.
    private nonisolated var quietLog: Logger { Logger(label: "segue.lifecycle") { _ in WarningsOnly() } }
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
