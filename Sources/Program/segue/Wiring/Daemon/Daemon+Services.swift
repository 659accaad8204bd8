import Coordination
import Discovery
import Extensions
import Glibc
import LibraryIndex
import Logging
import MPDCommands
import MPDSessions
import MusicModel
import Playback
import Players
import SegueConfiguration
import ServerLoop
import ServiceLifecycle
import SongAnalysis
import Supervision
import Sync
import UnixSignals
import UserLibrary
import WebAPI
import WebServer

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
        let interval = (configuration.navidrome?.reading ?? ServerReading()).interval
        let started = StartedServer(context, ports: server.portsForOtherMachines, pagePorts: web.portsForOtherMachines)
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
                BackgroundService("analysis") {
                    await playback.gains?.reload(sources.library)
                    await analysis.run()
                }
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

extension Daemon {
    nonisolated func reloadOnHangUp() async {
        for await _ in process.signals.hangUps { await reload() }
    }

    /// Takes over what can change while the server runs, and says what can't.
    private func reload() async {
        let log = process.log
        guard let settings else {
            log.notice("SIGHUP: there is no configuration file to reread")
            return
        }
        process.manager.reloading()
        defer { process.manager.ready() }
        do {
            let loaded = try await Self.read(settings)
            await takeOver(loaded.configuration)
            if let warning = loaded.settingsWarning { log.warning("SIGHUP: \(warning)") }
            log.notice("SIGHUP: reread log_level, passwords, permissions, the certificate and the page's settings")
            let waiting = loaded.configuration.sectionsThatWaitForRestart(of: configuration)
            if !waiting.isEmpty {
                log.notice("SIGHUP: changes in \(waiting.joined(separator: ", ")) take effect after a restart")
            }
        } catch { log.error("SIGHUP: nothing was changed: \(chain: error)") }
    }

    /// Files are read off the loop, where a change on the page may be written at the same time.
    @concurrent
    private nonisolated static func read(_ settings: SettingsStore) async throws -> LoadedConfiguration {
        try settings.reload()
    }

    private func takeOver(_ new: Configuration) async {
        StandardErrorLog.level = new.server.logLevel
        passwords.replace(new.server.passwords.map(\.entry))
        server.access = new.server.options.access
        server.renewPermissions(passwords: passwords.fingerprints)
        web.endOldSessions(passwords)
        pageEvents.report(.access)
        await server.reloadCertificate(new.server.options.certificate)
    }
}

extension Daemon {
    /// The status for the service manager: "Playing Bach: Air, 12,345 songs, connected".
    func statusSentence() async -> String {
        let index = sources.library.index
        let songs = await read("the number of songs") { try await index.statistics().songs } ?? 0
        let partitions = playback.players.partitions
        let player = (partitions.first { $0.player.isPlaying } ?? partitions.first)?.player
        let state = player?.status.state ?? .stop
        var title: String?
        if state != .stop, let item = player?.current?.entry.item { title = await self.title(of: item) }
        // Where there is a folder of music, no one misses a server.
        let isLocal = reports.connection == .notConfigured && configuration.local != nil
        return StatusSentence.text(
            state, title: title, songs: songs, connection: isLocal ? nil : reports.connection.words)
    }

    private func title(of item: QueueItem) async -> String {
        switch item {
        case .song(let id):
            let index = sources.library.index
            let found = await read("the song that plays") { try await index.songs([id], alsoGone: true) }
            guard let song = found?.first ?? nil else { return "a song" }
            // The file's name of a song without tags; never the whole path, which would not fit.
            return StatusSentence.title(song.tags) ?? String(song.uri.pathName)
        case .stream(_, let tags):
            // Not the address: it may hold a password.
            return StatusSentence.title(tags) ?? "a stream"
        }
    }

    /// Reads something for the status; nil where that fails, which the log says.
    private func read<Value: Sendable>(_ what: String, _ body: @Sendable () async throws -> Value) async -> Value? {
        do { return try await body() } catch {
            process.log.warning("\(what) can't be read: \(chain: error)")
            return nil
        }
    }
}
