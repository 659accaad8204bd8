import Coordination
import Discovery
import Extensions
import Glibc
import Sync
import LibraryIndex
import Logging
import MPDCommands
import MPDSessions
import MusicModel
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
                // Its own lines tell users nothing.
                logger: Logger(label: "segue.lifecycle") { _ in SwiftLogNoOpLogHandler() }))
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

    /// The background services; a new one is a line here.
    private var services: BackgroundServices {
        let (sources, playback, upstream, reports) = (sources, playback, upstream, reports)
        let interval = configuration.navidrome?.syncInterval ?? .seconds(60)
        let started = StartedServer(
            context, ports: server.portsForOtherMachines, pagePorts: web.portsForOtherMachines)
        let history = PlayHistory(library: sources.library, logger: Logger(label: "segue.history"))
        let own: [BackgroundService?] = [
            BackgroundService("history") { await history.run(events: playback.heardPlays) },
            BackgroundService("sync") { await upstream.sync.run() },
            sources.storages.map { storages in
                BackgroundService("storages") {
                    await storages.run { _ = upstream.sync.startUpdate(uri: $0, rescan: false) }
                }
            },
            BackgroundService("library's reports") { await reports.run() },
            BackgroundService("sync's progress") { [pageEvents] in
                while !Task.isCancelled {
                    await upstream.events.progress.changes.wait()
                    pageEvents.report(.sync)
                }
            },
            BackgroundService("reload") { [self] in await reloadOnHangUp() },
            BackgroundService("service manager") { [self] in await managerReport.run { await self.statusSentence() } },
            BackgroundService("addresses") { await upstream.followAddresses() },
            playback.mixes.map { mixes in BackgroundService("discovery") { await mixes.run() } },
            playback.analysis.map { analysis in
                BackgroundService("analysis") { await analysis.run(playback.gains, sources.library) }
            },
            BackgroundService("auto-DJ") { [context] in await playback.channel.run(context) },
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
        ]
        return BackgroundServices(own + additions.services(of: started))
    }
}
