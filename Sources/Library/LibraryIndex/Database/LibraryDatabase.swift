package import Coordination
import Dispatch
package import GRDB
import GRDBSQLite
import Glibc
import Synchronization

/// The connections to the SQLite file in which the parts of the library lie. Reads run on a pool of reader connections
/// and never wait for the writer (WAL); each is one hop.
/// - Isolation: any; async methods suspend the caller and never block its executor.
package final class LibraryDatabase: Sendable {
    /// The file's path.
    package let path: String
    /// The outcome for a damaged database when this one was opened; nil when it was sound.
    package let rescue: LibraryRescue?
    /// The outcome for a damaged journal when this one was opened; nil when it was sound.
    package let journalDamage: JournalDamage?
    /// The memory that the process may hold; everything that needs much asks it.
    package let memoryBudget: MemoryBudget
    private let pool: DatabasePool
    private let quick: QuickConnection
    private let isClosed = Mutex(false)
    private let reads = DispatchGroup()
    private let trims = CoalescedTask()
    private let flushes = CoalescedTask()
    private let foldings: CoalescedTask
    private static let journalAge = Duration.seconds(60)
    private let writes = Atomic(0)
    private let written: @Sendable () -> Void

    /// Opens or creates the database, migrates it, and checks that it can be written.
    /// - Parameter parts: whose tables the file has.
    /// - Parameter rescuesDamage: whether a damaged database is kept aside and replaced by a new one with what can be
    ///   read of it; only for the one process that serves from it.
    /// - Parameter memoryBudget: what caches and queries share with the rest of the process.
    /// - Parameter clock: the one by which the journal is folded in.
    /// - Parameter written: called after every transaction, on the thread that wrote; it must not block.
    /// - Throws: `LibraryError` that names the file and the cure.
    package init(
        path: String, parts: [SchemaPart], rescuesDamage: Bool = false, memoryBudget: MemoryBudget = .unlimited,
        clock: any ServiceClock = ContinuousClock(), written: @escaping @Sendable () -> Void = {}
    ) throws {
        (self.path, self.written, self.memoryBudget) = (path, written, memoryBudget)
        foldings = CoalescedTask(clock: clock)
        journalDamage = rescuesDamage ? JournalDamage.find(path) : nil
        (pool, rescue) = try DatabaseOpening(parts).open(path, rescues: rescuesDamage)
        quick = QuickConnection(path)
        memoryBudget.register(self, .pages) { await $0.releasePages() }
    }

    /// Closes all connections; waits for those that are reading.
    package func close() throws {
        // GRDB closes connections under the hands of those that read.
        isClosed.withLock { $0 = true }
        reads.wait()
        quick.close()
        // Where the disk is full, the next start does it.
        try? pool.writeWithoutTransaction { database in
            // SQLite takes no call for one that is closed already.
            if database.sqliteConnection != nil { _ = try database.checkpoint(.truncate) }
        }
        try translatingErrors { try pool.close() }
    }

    /// How many transactions were written, counted when they are done.
    package var writeCount: Int { writes.load(ordering: .acquiring) }

    private func noteWrite() {
        writes.add(1, ordering: .releasing)
        written()
        foldings.plan(after: Self.journalAge, for: self) { await $0.foldJournal() }
    }

    /// Folds the journal into the file, so that a copy has all; gives way to what reads: a later write does it again.
    private func foldJournal() async {
        _ = try? await pool.writeWithoutTransaction { database in
            // It may be closed by now.
            guard let connection = database.sqliteConnection else { return }
            sqlite3_busy_timeout(connection, 0)
            defer { sqlite3_busy_timeout(connection, DatabaseOpening.busyTimeout) }
            _ = try database.checkpoint(.truncate)
        }
    }

    // MARK: Reading

    /// Reads on the caller's thread, in a snapshot of its own.
    package func readNow<Value>(_ body: (Database) throws -> Value) throws -> Value {
        try isClosed.withLock { isClosed in
            guard !isClosed else { throw LibraryError(.busy, "The database is closed") }
            reads.enter()
        }
        defer { reads.leave() }
        return try translatingErrors { try pool.read(body) }
    }

    /// Reads a few rows on the caller's thread; nil when `body` says so, or it would have to wait.
    package func quickly<Value>(_ body: (Database) throws -> Value?) -> Value? { quick.read(body) }

    // MARK: Writing

    /// Runs a write in a transaction.
    @concurrent
    package func write<Value: Sendable>(_ body: @escaping @Sendable (Database) throws -> Value) async throws -> Value {
        defer { noteWrite() }
        do {
            return try await pool.write(body)
        } catch let error as DatabaseError {
            throw failure(error)
        }
    }

    /// Runs a write in a transaction that reaches the disk within a second or two: what a client edits by hand does not
    /// wait for the disk each time. A crash of the program loses nothing of it, a power cut at most that second.
    @concurrent
    package func writeSoon<Value: Sendable>(
        _ body: @escaping @Sendable (Database) throws -> Value
    ) async throws -> Value {
        defer { noteWrite() }
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

    /// As `writeSoon`, a few rows on the caller's thread; nil where `body` says so, fails or waits: nothing is written.
    package func writeQuickly<Value>(_ body: (Database) throws -> Value?) -> Value? {
        guard let value = quick.write(body) else { return nil }
        noteWrite()
        planFlush()
        return value
    }

    /// Runs a write in a transaction on the caller's thread, at the start of the program.
    package func writeNow<Value>(_ body: (Database) throws -> Value) throws -> Value {
        defer { noteWrite() }
        return try translatingErrors { try pool.write(body) }
    }

    /// Has the log synced to the disk, with all that was written before: any commit does.
    private func planFlush() {
        flushes.plan(after: .seconds(1), for: self) { database in
            // The next edit says why it can't be written.
            try? await database.write { try $0.setFact("flushed", String(UnixTime.milliseconds)) }
        }
    }

    /// Gives the memory of idle connections, and what is free otherwise, back to the system after work that needed
    /// much: ten seconds later, and at once as well where a quarter of the budget is used. Trimming takes the heap's
    /// locks for 10 ms and more, and the event loop waits for them: one trim serves all edits that come meanwhile.
    package func releaseMemory() {
        if memoryBudget.isQuarterUsed { Task.detached(priority: .utility) { [self] in await trim() } }
        // Also behind that one: lists are freed concurrently, and some of them later.
        trims.plan(after: .seconds(10), for: self) { await $0.trim() }
    }

    private func trim() async {
        await releasePages()
        ProcessMemory.trimHeap()
    }

    private func releasePages() async {
        quick.releaseMemory()
        pool.releaseMemoryEventually()
        // That waits for the writer's turn; only what is free already can be given back to the system.
        _ = try? await pool.writeWithoutTransaction { _ in }
    }

    private func translatingErrors<Value>(_ body: () throws -> Value) throws -> Value {
        do { return try body() } catch let error as DatabaseError { throw failure(error) }
    }

    /// Says what a failure of SQLite means. Damage is noted in a file, so that the next start searches for it.
    private func failure(_ error: DatabaseError, file: StaticString = #fileID, line: UInt = #line) -> LibraryError {
        let failure = LibraryError(error, path: path, file: file, line: line)
        if failure.code == .corrupt, [.SQLITE_CORRUPT, .SQLITE_NOTADB].contains(error.resultCode.primaryResultCode) {
            let note = open(DatabaseRescue.note(for: path), O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
            if note >= 0 { Glibc.close(note) }
        }
        return failure
    }
}
