package import Coordination
import Foundation
import LibraryIndex
package import Logging
package import MusicModel
package import Subsonic
import Synchronization
package import UserLibrary

/// Saves the queue on the server, and shows the one that another client saved there as `[Navidrome queue]`.
///
/// A queue that another client saved is overwritten only by music that plays here. The server's queue is checked
/// when clients ask for the playlists, and not more often than every half minute.
package actor QueueKeeper {
    /// Clients load the queue of another player by this name.
    package static let playlistName = "[Navidrome queue]"
    /// How many songs are saved at most, from those around the current one: servers take 10,000 parameters.
    static let maxSongs = 9_900

    private let client: SubsonicClient
    private let library: Library
    private let savesQueue: Bool
    private let minPause: Duration
    private let clock: any ServiceClock
    private let changed: @Sendable () -> Void
    private let logger: Logger
    /// The queue that waits to be saved, because the server could not be reached.
    private var waiting: QueueSnapshot? {
        didSet { if waiting == nil { client.reachability.note("queue", waits: false) } }
    }
    private var hasFailed = false
    private var hasToldOfPart = false
    private nonisolated let other = Mutex<OtherQueue?>(nil)
    private nonisolated let lastFetch = Mutex<ContinuousClock.Instant?>(nil)
    private nonisolated let alarm = Alarm()

    /// Makes the service; nothing happens before `run`. `minPause` is that between two checks of the server's queue;
    /// `changed` is called when the playlist comes, goes, or has other songs.
    package init(
        client: SubsonicClient, library: Library, savesQueue: Bool, minPause: Duration = .seconds(30),
        clock: any ServiceClock = ContinuousClock(), changed: @escaping @Sendable () -> Void, logger: Logger
    ) {
        (self.client, self.library, self.savesQueue, self.minPause) = (client, library, savesQueue, minPause)
        (self.clock, self.changed, self.logger) = (clock, changed, logger)
    }

    /// The queue of another client that the playlist shows.
    package nonisolated var shown: OtherQueue? { other.withLock { $0 } }

    /// The playlist, for the index.
    package nonisolated var playlist: VirtualPlaylist {
        VirtualPlaylist(
            Self.playlistName,
            modified: {
                self.fetchSoon()
                return self.shown?.saved
            },
            items: { self.shown?.songs.map { .song($0) } ?? [] })
    }

    /// Checks the server's queue soon, unless that was done a moment ago.
    package nonisolated func fetchSoon() {
        let isDue = lastFetch.withLock { last in
            let now = clock.now
            if let last, now - last < minPause { return false }
            last = now
            return true
        }
        if isDue { alarm.ring() }
    }

    /// Saves what has waited and checks the server's queue: it can be reached again.
    package nonisolated func serverIsBack() { alarm.ring() }

    /// Checks the server's queue when asked to, until the task is cancelled.
    package func run() async {
        while true {
            await alarm.wait()
            if Task.isCancelled { return }
            if let snapshot = waiting { await save(snapshot) }
            await refresh()
        }
    }

    // MARK: Saving

    /// Saves our queue, which is being played or was until now; later, if the server can't be reached.
    package func save(_ snapshot: QueueSnapshot) async {
        guard savesQueue else { return }
        waiting = snapshot
        do {
            if let queue = try await library.index.serverQueue(snapshot) {
                try await client.savePlayQueue(queue, byIndex: try await client.has("indexBasedQueue"))
                try await library.setFact("queue.saved", queue.fingerprint)
                show(nil)
                tellOfPart(queue, snapshot)
            }
            if waiting == snapshot { waiting = nil }
            hasFailed = false
        } catch is CancellationError {
            // It ends; the next start saves when something plays.
        } catch let error as SubsonicError where error.isTransient || error.code == .unauthorized {
            client.reachability.note("queue", waits: true)
            if !hasFailed { logger.info("can't save the queue on the server yet: \(chain: error)") }
            hasFailed = true
        } catch {
            waiting = nil
            logger.debug("the server does not accept the queue: \(chain: error)")
        }
    }

    /// Says once that a queue has more songs than a server takes.
    private func tellOfPart(_ queue: SubsonicPlayQueue, _ snapshot: QueueSnapshot) {
        let isPart = queue.songIDs.count == Self.maxSongs && snapshot.items.count > Self.maxSongs
        if isPart, !hasToldOfPart {
            logger.notice(
                """
                only \(Self.maxSongs) of the queue's \(snapshot.items.count) entries, around the current one, are \
                saved on the server, which accepts no more
                """)
        }
        hasToldOfPart = isPart
    }

    // MARK: The queue of others

    /// Checks the server's queue now. Returns what another client saved since we did; nil when none did, or the server
    /// can't be reached.
    @discardableResult
    package func refresh() async -> OtherQueue? {
        let now = clock.now
        lastFetch.withLock { $0 = now }
        do {
            guard let queue = try await client.playQueue(byIndex: try await client.has("indexBasedQueue")),
                try await library.fact("queue.saved") != queue.fingerprint
            else {
                show(nil)
                return nil
            }
            let found = try await library.index.otherQueue(queue, saved: TimeText.seconds(queue.changed) ?? 0)
            if found == nil, !queue.songIDs.isEmpty {
                // Its songs may come with the sync that runs: the next check is not far.
                lastFetch.withLock { $0 = now - max(.zero, minPause - .seconds(2)) }
            }
            show(found)
        } catch {
            logger.trace("the server's queue can't be read")
        }
        return shown
    }

    /// The place at which another client left its queue, nil where there is none; the place that is known after `limit`
    /// counts.
    package nonisolated func freshPlace(within limit: Duration) async -> (index: Int, elapsed: Duration)? {
        _ = await withTimeLimit(limit, clock: clock) { await self.refresh() }
        guard let shown, let index = shown.current else { return nil }
        return (index, shown.elapsed)
    }

    private func show(_ queue: OtherQueue?) {
        let isNew = other.withLock { other in
            defer { other = queue }
            return other?.songs != queue?.songs || other?.saved != queue?.saved
        }
        if isNew { changed() }
    }
}

extension SubsonicPlayQueue {
    /// A part of it that a server gives back as it was saved, to know our own again.
    fileprivate var fingerprint: String {
        var hash = FNV1a()
        for id in songIDs {
            hash.combine(id)
            hash.combine(byte: 0)
        }
        return "\(songIDs.count) \(hash.value) \(current ?? -1) \(position)"
    }
}

/// The queue of this machine at one moment, to be saved on the server.
package struct QueueSnapshot: Hashable, Sendable {
    /// The items of the entries, in order.
    package var items: [QueueItem]
    /// The current entry's place.
    package var current: Int
    /// How far into it.
    package var elapsed: Duration

    /// Takes down a moment.
    package init(items: [QueueItem], current: Int, elapsed: Duration) {
        (self.items, self.current, self.elapsed) = (items, current, elapsed)
    }
}

/// The saved queue of another client of the server, in our songs.
package struct OtherQueue: Hashable, Sendable {
    /// The songs that the index has, in order.
    package var songs: [SongID]
    /// The current song's place among them; nil when there is none.
    package var current: Int?
    /// How far into it.
    package var elapsed: Duration
    /// When it was saved, in Unix seconds.
    package var saved: Int64
}
