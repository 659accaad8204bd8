import Discovery
import LibraryIndex
import Logging
import MediaCache
import MPDCommands
import MusicModel
import NetworkAddresses
import NIOCore
import Players
import SegueConfiguration
import ServerLoop
import SongAnalysis
import Subsonic
import Supervision
import Sync
import UserLibrary
import WebAPI

/// The services that keep the library up to date and send back what happens here.
struct UpstreamServices: Sendable {
    let events = SyncEvents()
    let sync: LibrarySync
    /// Saves the queue on the server and shows that of others; nil without one.
    let queueKeeper: QueueKeeper?
    let scrobbler: Scrobbler?
    let upstream: Upstream?
    private let sources: Sources

    init(_ sources: Sources, _ configuration: Configuration, log: Logger) {
        self.sources = sources
        let observer = events.observer
        queueKeeper = sources.makeQueueKeeper(changed: { observer.subsystemsChanged(.storedPlaylist) })
        sync = sources.makeSync(observer: observer, log: log)
        scrobbler = sources.client.map { client in
            Scrobbler(
                library: sources.library, client: client, session: sources.session,
                settings: configuration.navidrome?.scrobbling ?? ScrobbleSettings(isEnabled: false),
                stickersChanged: { observer.subsystemsChanged(.sticker) },
                logger: Logger(label: "segue.scrobble"))
        }
        upstream = sources.makeUpstream(observer: observer)
        goOnWhenServerIsBack()
    }

    /// Wakes everything that waits for the server: it can be reached again.
    func serverIsBack() {
        queueKeeper?.serverIsBack()
        sources.requests.serverIsBack()
        sources.tracks.serverIsBack()
        scrobbler?.retryNow()
        upstream?.wake()
        sources.marks?.checkSoon()
        sources.bookmarks?.checkSoon()
    }

    /// Has everything that waits for the server go on when that is back, and its return searched for meanwhile.
    /// Whichever part gets the first answer, the others need not find out for themselves. Players hear of it as of
    /// other events.
    private func goOnWhenServerIsBack() {
        sources.client?.reachability.whenBack { [self] in
            events.observer.report(.serverIsBack)
            serverIsBack()
            Task { await sync.checkSoon() }
        }
        sources.client?.reachability.whenAwaited { [sync] in Task { await sync.tryServer() } }
        sources.client?.reachability.whenDoubted { [sync] in Task { await sync.checkConnection() } }
    }

    /// Leaves the connections of addresses that this machine lost, and asks for the server whenever it gets or loses
    /// one, until the task is cancelled. Without that, whatever is sent over such a connection waits until the system
    /// gives it up.
    func followAddresses() async {
        guard let client = sources.client, let watch = AddressWatch() else { return }
        let log = Logger(label: "segue.network")
        var known = Self.addresses
        for await _ in watch.changes() {
            let addresses = Self.addresses
            guard let addresses, addresses != known else { continue }
            known = addresses
            let count = client.closeConnections(notFrom: addresses)
            log.debug("this machine's addresses changed", metadata: ["closed connections": "\(count)"])
            await sync.tryServer()
        }
    }

    private static var addresses: Set<String>? {
        (try? System.enumerateDevices()).map { Set($0.compactMap { $0.address?.ipAddress }) }
    }
}

/// Tells clients, players and services what the library's services report.
@ServerActor
final class LibraryReports {
    private let sources: Sources
    private let upstream: UpstreamServices
    private let playback: PlaybackServices
    private let context: ServerContext
    private let managerReport: ManagerReport
    private let pageEvents: PageEvents
    var syncFigures: Figures<SyncFigures> { upstream.sync.figures }
    var playFigures: Figures<PlayFigures>? { upstream.scrobbler?.figures }
    private var reactions: SyncReactions
    private(set) var connection: ConnectionStatus
    private(set) var connectionSentence = ""

    init(
        _ sources: Sources, _ upstream: UpstreamServices, _ playback: PlaybackServices, context: ServerContext,
        managerReport: ManagerReport, pageEvents: PageEvents
    ) {
        (self.sources, self.upstream, self.playback, self.context) = (sources, upstream, playback, context)
        (self.managerReport, self.pageEvents) = (managerReport, pageEvents)
        reactions = SyncReactions(missesQueues: sources.library.rescue != nil)
        connection = sources.client == nil ? .notConfigured : .checking
    }

    func run() async {
        playback.filler.libraryChanged()
        for await event in upstream.events.stream {
            let isUpdating = upstream.sync.runningJob != nil
            for reaction in reactions.reactions(to: event, isUpdating: isUpdating) { await follow(reaction) }
            managerReport.changed()
        }
    }

    /// True if the index has all that the server has; a folder is scanned as a whole.
    private var isComplete: Bool { sources.client == nil || syncFigures.values.successes > 0 }

    private func follow(_ reaction: SyncReactions.Reaction) async {
        switch reaction {
        case .forgetProgress:
            upstream.events.progress.reset()
            if isComplete { playback.filler.libraryIsComplete() }
        case .notifyClients(let changed): context.notify(changed, nil)
        case .libraryChanged:
            playback.mixes?.libraryChanged()
            playback.analysis?.libraryChanged()
            playback.filler.libraryChanged()
        case .bringBackSongs: await playback.players.bringBackSongs()
        case .restoreQueues: await playback.players.restoreAgain()
        case .songsChanged(let updated, let removed): playback.players.songsChanged(updated: updated, removed: removed)
        case .showConnection(let status, let sentence):
            (connection, connectionSentence) = (status, sentence)
            pageEvents.report(.connection)
        case .showTrouble(let sentence): context.setServerProblem(sentence)
        case .goOnWithoutServer:
            sources.requests.serverIsAway()
            playback.dj.serverWentAway()
        case .playersGoOn: playback.players.networkIsBack()
        case .servicesGoOn: upstream.serverIsBack()
        }
    }
}
