import Dispatch
import GRDB
import Glibc
import MusicModel
import Synchronization

/// The index: everything Segue keeps in SQLite.
///
/// Reads run on a pool of reader connections and never wait for the writer (WAL); each is one hop.
/// - Isolation: any; async methods suspend the caller and never block its executor.
public final class Library: Sendable {
    let path: String
    let renderer: any SongRendering
    /// How many entries a stored playlist may have.
    let playlistLimit: Int
    let cache = IndexCache()
    private let pool: DatabasePool
    private let quick: QuickReader
    private let isClosed = Mutex(false)
    /// The reads that are under way.
    private let reads = DispatchGroup()
    private let refreshing = Mutex<Task<Void, Never>?>(nil)
    private let isFlushPlanned = Mutex(false)
    /// Additions to stored playlists that the database does not have yet.
    let appends: PlaylistAppends
    let isSettlingPlanned = Mutex(false)
    let playlistListing = PlaylistListing()
    /// How many transactions were written, counted when they are done.
    let writes = Atomic(0)

    /// What became of a damaged database when this one was opened; nil when it was sound.
    public let rescue: LibraryRescue?

    /// Stored playlists that are made of what the index knows; none until somebody adds them.
    public let virtualPlaylists = VirtualPlaylists()

    /// Lets queries through that keep a core busy for long: one core is left for everything else.
    let heavyQueries = ConcurrencyLimit(sysconf(Int32(_SC_NPROCESSORS_ONLN)) - 1)

    /// Whose turn it is to bring playlists and the server's together.
    public let playlistTurn = ExclusiveTurn()

    /// Yields when something was written that the server has to hear of; one consumer. It says nothing about how much.
    public let upstreamWork: AsyncStream<Void>
    private let upstreamWorkContinuation: AsyncStream<Void>.Continuation

    /// Opens or creates the database, migrates it, and checks that it can be written.
    ///
    /// - Parameters:
    ///   - playlistLimit: how many entries clients may give a stored playlist.
    ///   - rescuesDamage: whether a damaged database is kept aside and replaced by a new one with what can be read of
    ///     it; only for the one process that serves from it.
    /// - Throws: `LibraryError` that names the file and the cure.
    public init(
        path: String, renderer: any SongRendering, playlistLimit: Int = 1_000_000, rescuesDamage: Bool = false
    ) throws {
        self.path = path
        self.playlistLimit = playlistLimit
        self.renderer = renderer
        (upstreamWork, upstreamWorkContinuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
        appends = PlaylistAppends(path + "-edits")
        // What is left of another database has nothing to do with a new one.
        if access(path, F_OK) != 0 { unlink(path + "-edits") }
        (pool, rescue) = try DatabaseOpening.open(path, rescues: rescuesDamage)
        quick = QuickReader(path)
        try restoreAppends()
        refreshStaleBlocks()
        warmUp()
    }

    /// Reads the order of the tree in the background, so that no client has to wait for it.
    func warmUp() { Task.detached { [self] in try await read { [cache] in try cache.order($0) } } }

    /// Closes all connections; waits for those that are reading.
    public func close() throws {
        refreshing.withLock { $0?.cancel() }
        // What can't be written now is written when the database is opened again.
        try? applyAppends()
        appends.close()
        // GRDB closes connections under the hands of those that read.
        isClosed.withLock { $0 = true }
        reads.wait()
        quick.close()
        try translatingErrors { try pool.close() }
    }

    /// Runs a read on one of the reader connections, in a snapshot of its own.
    ///
    /// The read happens on the thread that this function is called on, one of Swift's own: there are no more of them
    /// than cores, none waits for long, and GRDB's own asynchronous reads change threads twice as often.
    @concurrent
    func read<Value: Sendable>(_ body: @escaping @Sendable (Database) throws -> Value) async throws -> Value {
        try readNow(body)
    }

    /// Runs a read that looks at a few rows at most: on the caller's thread where that needs no waiting, since waking
    /// another thread twice costs more than the read; otherwise as `read` does.
    ///
    /// It and those that call it name their caller's isolation: where it is only inherited, optimised builds with Swift
    /// 6.3 come back to the caller on another thread.
    ///
    /// - Parameter few: nil when it turns out to be more than a few rows.
    func readFew<Value: Sendable>(
        isolation: isolated (any Actor)? = #isolation, _ few: (Database) throws -> Value?,
        orElse body: @escaping @Sendable (Database) throws -> Value
    ) async throws -> Value {
        if let value = quick.read(few) { return value }
        return try await read(body)
    }

    /// Reads a few rows on the caller's thread; nil when `body` says so, or it would have to wait.
    func quickly<Value>(_ body: (Database) throws -> Value?) -> Value? { quick.read(body) }

    /// Runs a write in a transaction.
    @concurrent
    func write<Value: Sendable>(_ body: @escaping @Sendable (Database) throws -> Value) async throws -> Value {
        defer { writes.add(1, ordering: .releasing) }
        do {
            return try await pool.write(body)
        } catch let error as DatabaseError {
            throw failure(error)
        }
    }

    /// Runs a write in a transaction that reaches the disk within a second or two: what a client edits by hand does not
    /// wait for the disk each time. A crash of the program loses nothing of it, a power cut at most that second.
    @concurrent
    func writeSoon<Value: Sendable>(_ body: @escaping @Sendable (Database) throws -> Value) async throws -> Value {
        defer { writes.add(1, ordering: .releasing) }
        do {
            let value = try await pool.writeWithoutTransaction { database in
                try database.execute(sql: "PRAGMA synchronous = NORMAL")
                // The connection is everybody's.
                defer { try? database.execute(sql: "PRAGMA synchronous = FULL") }
                var value: Value?
                try database.inTransaction(.immediate) {
                    value = try body(database)
                    return .commit
                }
                guard let value else { throw LibraryError(.busy, "The transaction did not run") }
                return value
            }
            planFlush()
            return value
        } catch let error as DatabaseError {
            throw failure(error)
        }
    }

    /// Has the log synced to the disk, with all that was written before: any commit does.
    private func planFlush() {
        let isPlanned = isFlushPlanned.withLock { isPlanned in
            defer { isPlanned = true }
            return isPlanned
        }
        if isPlanned { return }
        Task.detached(priority: .utility) { [weak self] in
            try? await Task.sleep(for: .seconds(1))
            guard let self else { return }
            isFlushPlanned.withLock { $0 = false }
            try? await setFact("flushed", String(Self.nowMilliseconds))
        }
    }

    /// Takes over the additions to playlists that the program could not write before it ended.
    private func restoreAppends() throws {
        appends.restore(after: try readNow { try PlaylistStore($0, virtualPlaylists).applied() })
        try translatingErrors { try applyAppends() }
    }

    private func applyAppends() throws {
        if appends.isEmpty { return }
        appends.forget(upTo: try pool.write { try PlaylistStore($0, virtualPlaylists).apply(appends) })
    }

    /// Reads on the caller's thread, at the start of the program.
    func readNow<Value>(_ body: (Database) throws -> Value) throws -> Value {
        try isClosed.withLock { isClosed in
            guard !isClosed else { throw LibraryError(.busy, "The database is closed") }
            reads.enter()
        }
        defer { reads.leave() }
        return try readUnguarded(body)
    }

    private func readUnguarded<Value>(_ body: (Database) throws -> Value) throws -> Value {
        try translatingErrors { try pool.read(body) }
    }

    /// Tells whoever sends changes to the server that a transaction left some; called after the transaction.
    func noteUpstreamWork() { upstreamWorkContinuation.yield() }

    /// Gives the memory of idle connections, and what is free otherwise, back to the system; after work that needed
    /// much.
    ///
    /// - Isolation: any; takes some milliseconds.
    public func releaseMemory() {
        pool.releaseMemoryEventually()
        releaseFreedMemory()
    }

    private func translatingErrors<Value>(_ body: () throws -> Value) throws -> Value {
        do { return try body() } catch let error as DatabaseError { throw failure(error) }
    }

    /// Says what a failure of SQLite means. Damage is noted in a file, so that the next start looks for it.
    private func failure(_ error: DatabaseError) -> LibraryError {
        let failure = LibraryError(error, path: path)
        if failure.code == .corrupt, [.SQLITE_CORRUPT, .SQLITE_NOTADB].contains(error.resultCode.primaryResultCode) {
            let note = open(DatabaseRescue.note(for: path), O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
            if note >= 0 { Glibc.close(note) }
        }
        return failure
    }

    /// Renders stored blocks anew when another version of the renderer wrote them; until that is done, answers are
    /// rendered as they go.
    private func refreshStaleBlocks() {
        let version = Int64(renderer.version)
        let isFresh = try? pool.write { database in
            if try database.integer("SELECT ifnull(block_version, -1) FROM library") == version { return true }
            guard try database.integer("SELECT EXISTS (SELECT 1 FROM block)") == 0 else { return false }
            try BlockRefresh(self, database).finish()
            return true
        }
        if isFresh ?? true { return }
        let task = Task.detached(priority: .utility) { [weak self] in
            var next: Int64 = 0
            while !Task.isCancelled, let library = self {
                let from = next
                let reached = try? await library.write { try BlockRefresh(library, $0).refresh(after: from) }
                guard let reached else { return }
                next = reached
            }
        }
        refreshing.withLock { $0 = task }
    }
}

/// Writes blocks anew in small transactions.
struct BlockRefresh {
    private static let batch = 500
    private let library: Library
    private let database: Database

    init(_ library: Library, _ database: Database) {
        self.library = library
        self.database = database
    }

    /// Notes that all blocks are as the renderer writes them now.
    func finish() throws {
        let done = try SQLStatement(database, "UPDATE library SET block_version = ?")
        done.bind(1, library.renderer.version)
        try done.run()
    }

    /// Renders the next songs after `id`; returns the last one's number, or nil when all are done, which it notes.
    func refresh(after id: Int64) throws -> Int64? {
        let rows = try SQLStatement(database, "SELECT id FROM block WHERE id > ? ORDER BY id LIMIT \(Self.batch)")
        rows.bind(1, id)
        var ids: [Int64] = []
        try rows.forEach { ids.append(rows.int(0)) }
        guard let last = ids.last else {
            try finish()
            return nil
        }
        let update = try SQLStatement(database, "UPDATE block SET block = ? WHERE id = ?")
        for song in try SongReader(database).songs(ids) {
            guard let song, let id = song.id else { continue }
            update.bind(1, library.renderer.render(song, mask: .standard))
            update.bind(2, id.rawValue)
            try update.run()
        }
        return last
    }
}
