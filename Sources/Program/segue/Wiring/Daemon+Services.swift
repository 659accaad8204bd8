import Glibc
import IndexSync
import Logging
import MPDCommands
import MPDSessions
import MusicModel
import Scrobbling
import SegueConfiguration
import ServiceLifecycle
import UserLibrary
import UserSync

extension Daemon {
    /// How long the end may take in all, whatever hangs; the limits of the parts below add up to less.
    nonisolated static let longestEnd = Duration.seconds(3)

    /// Runs until SIGTERM or SIGINT, or until another service comes to its end, then ends every part in order.
    nonisolated func run(besides other: (any Service)? = nil) async throws {
        let parts: [any Service] =
            await endings.reversed() + [other].compactMap { $0 } + [EndingSignal(endings: signals.endings)]
        let group = ServiceGroup(
            configuration: .init(
                services: parts.map { .init(service: $0, successTerminationBehavior: .gracefullyShutdownGroup) },
                logger: quietLog))
        try await group.run()
    }

    /// Ends the process at once if a part was left behind, whose threads would run into what the usual end frees.
    nonisolated func leave() {
        guard report.hasLeftovers else { return }
        StandardErrorLog.flush()
        _exit(0)
    }

    /// The parts in the order in which they end.
    ///
    /// 1. The state is saved before anything can go wrong, and the server is told the queue.
    /// 2. Clients are closed: nothing changes any more.
    /// 3. Background work ends: syncs, scrobbling, whatever waits for the server.
    /// 4. The players take no more reports, and what has changed since the first step is saved.
    /// 5. Sound stops: recordings are finished, devices closed.
    /// 6. The database and the connections are closed.
    ///
    /// A part that takes longer than its limit is left behind, and the next one ends.
    private var endings: [DaemonService] {
        let work = backgroundWork
        return [
            part("saving the state", .milliseconds(700), end: { [players] in await players.saveAndReport() }),
            part("closing clients", .milliseconds(600), end: { [server] in await server.shutDown() }),
            DaemonService(
                name: "background work", limit: .milliseconds(300), work: { await work.run() },
                details: { work.unfinishedNames.joined(separator: ", ") }, report: report),
            part(
                "saving what changed last", .milliseconds(200),
                end: { [players] in
                    await players.stopListening()
                    await players.save()
                }),
            part("closing outputs", .milliseconds(800), end: { [players] in await players.shutDown() }),
            part("closing the database", .milliseconds(300), end: { [sources] in await sources.close() }),
        ]
    }

    private func part(
        _ name: String, _ limit: Duration, end: @escaping @Sendable () async -> Void
    ) -> DaemonService {
        DaemonService(name: name, limit: limit, end: end, report: report)
    }

    /// What goes on beside the clients.
    private var backgroundWork: BackgroundWork {
        let history = PlayHistory(library: sources.library, logger: Logger(label: "segue.history"))
        let interval = configuration.navidrome?.syncInterval ?? .seconds(60)
        var items: [(name: String, run: @Sendable () async -> Void)] = [
            ("history", { [players] in await history.run(events: players.heardPlays) }),
            ("sync", { [sync] in await sync.run() }),
            ("reload", { [self] in await reloadOnHangUp() }),
            ("service manager", { [managerReport] in await managerReport.run() }),
        ]
        if let scrobbler {
            items.append(("scrobbling", { [players] in await scrobbler.run(events: players.plays) }))
        }
        if let upstream {
            items.append(("upstream", { [sources] in await upstream.run(work: sources.library.upstreamWork) }))
        }
        if let queueKeeper { items.append(("queue", { await queueKeeper.run() })) }
        if let marks = sources.marks {
            items.append(
                ("marks", { [context] in await marks.run(interval: interval) { await context.notify(.sticker, nil) } }))
        }
        if let bookmarks = sources.bookmarks {
            items.append(
                (
                    "bookmarks",
                    { [players] in
                        await bookmarks.run(interval: interval) { await players.bookmarks?.reload() }
                    }
                ))
        }
        return BackgroundWork(items)
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
