import Glibc
import GRDB
import GRDBSQLite
import Synchronization

/// A connection for reads of a few rows on the thread that needs them.
///
/// The event loop answers `currentsong` or `lsinfo` of an album by itself: a handful of pages of the index, which the
/// system has in memory, against two changes of thread. It never waits: not for the writer (WAL), not for another
/// reader, not for a lock of the file. A read that turns out to be long is given up after a millisecond.
final class QuickReader: Sendable {
    /// The moment at which a read is given up, which SQLite asks for every few hundred steps.
    private final class Deadline: Sendable {
        /// As `MatchingBudget.now` counts.
        let nanoseconds = Atomic<UInt64>(.max)
    }

    /// How long a read may take, in nanoseconds.
    private static let longest: UInt64 = 1_000_000
    private static let stepsBetweenLooks: Int32 = 400

    private let deadline = Deadline()
    private let queue: DatabaseQueue?
    private let isBusy = Atomic(false)

    /// Opens a connection to the database at `path`; without one, all reads take the long way.
    init(_ path: String) {
        var configuration = Configuration()
        configuration.label = "segue.library.quick"
        configuration.readonly = true
        configuration.busyMode = .immediateError
        // A snapshot that can't be ended makes the next read take the long way, not the process end.
        configuration.allowsUnsafeTransactions = true
        configuration.prepareDatabase { [deadline] database in
            try database.execute(sql: "PRAGMA cache_size = -1000")
            // The reader owns the deadline for as long as the connection is open.
            let context = Unmanaged.passUnretained(deadline).toOpaque()
            sqlite3_progress_handler(
                database.sqliteConnection, Self.stepsBetweenLooks,
                { context in
                    guard let context else { return 0 }
                    let deadline = Unmanaged<Deadline>.fromOpaque(context).takeUnretainedValue()
                    return MatchingBudget.now() < deadline.nanoseconds.load(ordering: .relaxed) ? 0 : 1
                }, context)
        }
        queue = try? DatabaseQueue(path: path, configuration: configuration)
    }

    /// Runs `body` in a snapshot; nil when it answers so, fails, takes too long, or would have to wait.
    func read<Value>(_ body: (Database) throws -> Value?) -> Value? {
        guard let queue, !isBusy.exchange(true, ordering: .acquiring) else { return nil }
        defer { isBusy.store(false, ordering: .releasing) }
        deadline.nanoseconds.store(MatchingBudget.now() + Self.longest, ordering: .relaxed)
        return try? queue.unsafeRead { database in
            try SQLStatement(database, "BEGIN").run()
            defer { end(database) }
            return try body(database)
        }
    }

    /// Ends the snapshot, however long the read took: where SQLite gave up the `COMMIT` as well, the transaction would
    /// stay open, and GRDB ends the process for that.
    private func end(_ database: Database) {
        deadline.nanoseconds.store(.max, ordering: .relaxed)
        do { try SQLStatement(database, "COMMIT").run() } catch { try? SQLStatement(database, "ROLLBACK").run() }
    }

    /// Discards the pages that it keeps, unless it is being used.
    func releaseMemory() { _ = read { try $0.execute(sql: "PRAGMA shrink_memory") } }

    /// Closes the connection, once no read is under way; later reads take the long way.
    func close() {
        while isBusy.exchange(true, ordering: .acquiring) { sched_yield() }
        defer { isBusy.store(false, ordering: .releasing) }
        try? queue?.close()
    }
}
