import IndexSync
import Logging
import MediaCache
import MusicModel
import NIOCore
import Partitions
import Scrobbling
import SegueConfiguration
import ServerLoop
import Subsonic
import UserSync

/// The services that keep the library up to date and send back what happens here.
struct UpstreamServices: Sendable {
    /// The channel that all of them report to.
    let events = SyncEvents()
    let sync: LibrarySync
    /// Saves the queue on the server and shows that of others; nil without one.
    let queueKeeper: QueueKeeper?
    /// Reports plays; nil without a server.
    let scrobbler: Scrobbler?
    /// Sends what clients change to the server; nil without one.
    let upstream: Upstream?
    private let sources: Sources

    /// Puts the services together; nothing runs yet.
    init(_ sources: Sources, _ configuration: Configuration, log: Logger) {
        self.sources = sources
        let observer = events.observer
        queueKeeper = sources.makeQueueKeeper(changed: { observer.subsystemsChanged(.storedPlaylist) })
        sync = sources.makeSync(observer: observer, interval: configuration.navidrome?.syncInterval, log: log)
        scrobbler = sources.client.map { client in
            Scrobbler(
                library: sources.library, client: client,
                settings: ScrobbleSettings(isEnabled: configuration.navidrome?.scrobble ?? false),
                stickersChanged: { observer.subsystemsChanged(.sticker) },
                logger: Logger(label: "segue.scrobble"))
        }
        upstream = sources.makeUpstream(observer: observer)
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
    ///
    /// Whichever part gets the first answer, the others need not find out for themselves.
    func wakeOnReturn(_ players: PartitionPlayers) {
        sources.client?.whenBack { [self] in
            ServerActor.eventLoop.execute { ServerActor.assumeIsolated { players.networkIsBack() } }
            serverIsBack()
            Task { await sync.checkSoon() }
        }
        sources.client?.whenAwaited { [sync] in Task { await sync.tryServer() } }
    }
}
