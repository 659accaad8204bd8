package import Coordination
import LibraryIndex
package import Logging
import MusicModel
package import Subsonic
package import UserLibrary

/// Keeps bookmarks the same here and on the server: sends ours and fetches those of the user's other clients.
/// - Isolation: its own actor, which does one thing at a time; `checkSoon` may be called from anywhere.
package actor BookmarkUpstream: UpstreamWriting {
    package nonisolated let name = "bookmarks"

    private let library: Library
    private let client: SubsonicClient
    private let clock: any ServiceClock
    private let logger: Logger
    private nonisolated let hint: Alarm
    /// Lets one thing after the other be done.
    private let turn = ConcurrencyLimit(1)
    private var lastFetch: ContinuousClock.Instant?
    /// The bookmarks of the server, by its ids of the songs. A bookmark that is still the same is no newer
    /// one, whatever the server's clock says.
    private var known: [String: Duration] = [:]
    private var isUnsupported = false
    private var faults = EditFaults<WaitingBookmark>()
    /// True if a bookmark came from the server that was not told yet.
    private var hasChanges = false

    /// Makes it; nothing happens before `push`, `pull` or `run`, which pauses by the clock.
    package init(
        library: Library, client: SubsonicClient, clock: any ServiceClock = ContinuousClock(), logger: Logger
    ) {
        self.clock = clock
        hint = Alarm(clock: clock)
        (self.library, self.client, self.logger) = (library, client, logger)
    }

    /// Fetches the server's bookmarks before the interval is over, because one of them may be needed.
    package nonisolated func checkSoon() { hint.ring() }

    /// Fetches the server's bookmarks now and at every interval until the task is cancelled; hints that come within a
    /// few seconds of the last time are ignored. A server without bookmarks is not asked again. `changed` is called
    /// when a bookmark is another one now.
    package func run(interval: Duration, changed: @concurrent @Sendable () async -> Void) async {
        while !Task.isCancelled {
            if lastFetch.map({ clock.now - $0 >= min(interval, .seconds(5)) }) ?? true {
                do {
                    guard try await pull() != nil else { return }
                } catch is CancellationError {
                    return
                } catch {
                    logger.debug("can't read the server's bookmarks now: \(chain: error)")
                }
            }
            if hasChanges {
                hasChanges = false
                await changed()
            }
            await hint.wait(atMost: interval)
        }
    }

    // MARK: Sending

    package func push() async throws -> Bool {
        try await turn.acquire()
        defer { turn.release() }
        guard try await !library.waitingBookmarks().isEmpty else { return false }
        if try await fetch() == true { hint.ring() }
        faults.beginRound()
        let (fresh, failed) = faults.untried(try await library.waitingBookmarks())
        for bookmark in fresh + failed { try await sendOrPassOver(bookmark) }
        for (bookmark, error) in faults.endRound() {
            logger.warning("discarding a bookmark: \(chain: error)")
            try await library.bookmarkIsSent(bookmark)
        }
        try faults.throwFailure()
        return !fresh.isEmpty || !failed.isEmpty
    }

    private func sendOrPassOver(_ bookmark: WaitingBookmark) async throws {
        do {
            try await send(bookmark)
            faults.taken()
        } catch let error as SubsonicError where error.verdict == .failure {
            return try faults.passOver(bookmark, error)
        } catch let error as SubsonicError where error.verdict == .refusal {
            try await client.confirm(error)
            // It stays here, and is not sent again.
            logger.info("the server does not store a bookmark: \(chain: error)")
        }
        try await library.bookmarkIsSent(bookmark)
    }

    private func send(_ bookmark: WaitingBookmark) async throws {
        if let position = bookmark.position {
            try await client.setBookmark(songID: bookmark.serverSongID, position: position)
            known[bookmark.serverSongID] = position
        } else {
            try await client.removeBookmark(songID: bookmark.serverSongID)
            known[bookmark.serverSongID] = nil
        }
    }

    // MARK: Fetching

    /// Fetches the server's bookmarks and takes them over where they are newer; true if a bookmark is another one now,
    /// nil when the server has none.
    package func pull() async throws -> Bool? {
        try await turn.acquire()
        defer { turn.release() }
        return try await fetch()
    }

    private func fetch() async throws -> Bool? {
        guard !isUnsupported else { return nil }
        let found = try await client.bookmarks()
        lastFetch = clock.now
        guard let found else {
            isUnsupported = true
            return nil
        }
        let isChanged = try await library.mergeBookmarks(
            found.map {
                let isNew = known[$0.songID] != $0.position
                let changed = isNew ? $0.changed.flatMap { TimeText.milliseconds($0) } : nil
                return ServerBookmark(serverSongID: $0.songID, position: $0.position, changed: changed ?? 0)
            })
        known = Dictionary(found.map { ($0.songID, $0.position) }, uniquingKeysWith: { $1 })
        if isChanged { hasChanges = true }
        return isChanged
    }
}
