public import Library
public import Logging
public import Subsonic

/// Keeps bookmarks the same here and on the server: sends ours and fetches those of the user's other clients.
///
/// - Isolation: its own actor, which does one thing at a time; `lookSoon` may be called from anywhere.
public actor BookmarkUpstream: UpstreamWriting {
    /// What it sends, for the log.
    public nonisolated let name = "bookmarks"

    private let library: Library
    private let client: SubsonicClient
    private let logger: Logger
    private nonisolated let nudges: AsyncStream<Void>
    private nonisolated let nudge: AsyncStream<Void>.Continuation
    /// Whether something is under way; the others wait in line.
    private var isBusy = false
    private var line: [CheckedContinuation<Void, Never>] = []
    private var lastFetch: ContinuousClock.Instant?

    /// Makes it; nothing happens before `push`, `pull` or `run`.
    public init(library: Library, client: SubsonicClient, logger: Logger) {
        self.library = library
        self.client = client
        self.logger = logger
        (nudges, nudge) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// Fetches the server's bookmarks before the interval is over, because one of them may be needed.
    public nonisolated func lookSoon() { nudge.yield() }

    /// Fetches the server's bookmarks now and at every interval until the task is cancelled; hints that come within
    /// a few seconds of the last time are ignored. A server without bookmarks is not asked again.
    ///
    /// - Parameter changed: called when a bookmark is another one now.
    public func run(interval: Duration, changed: @concurrent @Sendable () async -> Void) async {
        var hints = nudges.makeAsyncIterator()
        while !Task.isCancelled {
            if lastFetch.map({ .now - $0 >= min(interval, .seconds(5)) }) ?? true {
                do {
                    guard let isChanged = try await pull() else { return }
                    if isChanged { await changed() }
                } catch is CancellationError {
                    return
                } catch {
                    logger.debug("the server's bookmarks can't be had now: \(error)")
                }
            }
            let timer = Task {
                do {
                    try await Task.sleep(for: interval)
                    nudge.yield()
                } catch {
                    // A hint came before.
                }
            }
            _ = await hints.next()
            timer.cancel()
        }
    }

    // MARK: Sending

    /// Sends every bookmark that waits.
    public func push() async throws -> Bool {
        await begin()
        defer { end() }
        let waiting = try await library.waitingBookmarks()
        for bookmark in waiting {
            do {
                try await send(bookmark)
            } catch let error as SubsonicError where isFinal(error) {
                // It stays here, and is not sent again.
                logger.info("the server does not keep a bookmark: \(error)")
            }
            try await library.bookmarkIsSettled(bookmark)
        }
        return !waiting.isEmpty
    }

    private func send(_ bookmark: WaitingBookmark) async throws {
        if let position = bookmark.position {
            try await client.setBookmark(songID: bookmark.serverSongID, position: position)
        } else {
            try await client.removeBookmark(songID: bookmark.serverSongID)
        }
    }

    /// Whether the same call can't succeed later.
    private func isFinal(_ error: SubsonicError) -> Bool {
        switch error.code {
        case .notFound, .unsupported, .refused, .notPermitted: true
        default: false
        }
    }

    // MARK: Fetching

    /// Fetches the server's bookmarks and takes them over where they are newer.
    ///
    /// - Returns: whether a bookmark is another one now; nil when the server has no bookmarks.
    /// - Throws: `SubsonicError`, `LibraryError`.
    public func pull() async throws -> Bool? {
        await begin()
        defer { end() }
        let found = try await client.bookmarks()
        lastFetch = .now
        guard let found else { return nil }
        return try await library.mergeBookmarks(
            found.map {
                ServerBookmark(
                    serverSongID: $0.songID, position: $0.position,
                    changed: $0.changed.flatMap { TimeText.milliseconds($0) } ?? 0)
            })
    }

    // MARK: One at a time

    private func begin() async {
        if isBusy { return await withCheckedContinuation { line.append($0) } }
        isBusy = true
    }

    private func end() {
        if line.isEmpty { isBusy = false } else { line.removeFirst().resume() }
    }
}
