import Sync
import Logging
import MediaCache
import MusicModel
import NetworkAddresses
import NIOCore
import Players
import SegueConfiguration
import ServerLoop
import Subsonic

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
                library: sources.library, client: client, session: sources.session,
                settings: ScrobbleSettings(isEnabled: configuration.navidrome?.scrobble ?? false),
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
    ///
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
    /// one, until the task is cancelled.
    ///
    /// Without that, whatever is sent over such a connection waits until the system gives it up.
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

    /// This machine's addresses at the moment; nil where they can't be read.
    private static var addresses: Set<String>? {
        (try? System.enumerateDevices()).map { Set($0.compactMap { $0.address?.ipAddress }) }
    }
}
