import Coordination
import Glibc
import GRDB
import GRDBSQLite
import Synchronization

/// A connection for reading and writing a few rows on the thread that needs them: the event loop answers `currentsong`
/// itself from pages that the system has in memory, without two changes of thread. It never waits for a writer, a
/// reader, a lock of the file or the disk; anything long is given up after a millisecond.
final class QuickConnection: Sendable {
    /// The moment at which work is given up, which SQLite asks for every few hundred steps.
    private final class Deadline: Sendable {
        let nanoseconds = Atomic<Int64>(.max)
    }

    private static let maxDuration: Int64 = 1_000_000
    private static let stepsBetweenLooks: Int32 = 400

    private let deadline = Deadline()
    private let queue: DatabaseQueue?
    private let isBusy = Atomic(false)

    init(_ path: String) {
        var configuration = Configuration()
        configuration.label = "segue.library.quick"
        configuration.busyMode = .immediateError
        // A transaction that can't be ended makes the next one take the long way, not the process end.
        configuration.allowsUnsafeTransactions = true
        configuration.prepareDatabase { [deadline] database in
            // Another connection brings the log to the disk, and into the file.
            try database.execute(
                sql: "PRAGMA cache_size = -1000; PRAGMA synchronous = NORMAL; PRAGMA wal_autocheckpoint = 0")
            // The object owns the deadline for as long as the connection is open.
            let context = Unmanaged.passUnretained(deadline).toOpaque()
            sqlite3_progress_handler(
                database.sqliteConnection, Self.stepsBetweenLooks,
                { context in
                    guard let context else { return 0 }
                    let deadline = Unmanaged<Deadline>.fromOpaque(context).takeUnretainedValue()
                    return Monotonic.now.count < deadline.nanoseconds.load(ordering: .relaxed) ? 0 : 1
                }, context)
        }
        queue = try? DatabaseQueue(path: path, configuration: configuration)
    }

    /// Runs `body` in a snapshot; nil when it answers so, fails, takes too long, or would have to wait.
    func read<Value>(_ body: (Database) throws -> Value?) -> Value? { run("BEGIN", body) }

    /// Runs `body` in a transaction; nil, with nothing written, as `read` has it.
    func write<Value>(_ body: (Database) throws -> Value?) -> Value? { run("BEGIN IMMEDIATE", body) }

    private func run<Value>(_ begin: String, _ body: (Database) throws -> Value?) -> Value? {
        guard let queue, !isBusy.exchange(true, ordering: .acquiring) else { return nil }
        defer { isBusy.store(false, ordering: .releasing) }
        deadline.nanoseconds.store(Monotonic.now.count + Self.maxDuration, ordering: .relaxed)
        return queue.unsafeRead { database -> Value? in
            do {
                try SQLStatement(database, begin).run()
                let value = try body(database)
                // SQLite would give up the end as well, and the transaction would stay open.
                deadline.nanoseconds.store(.max, ordering: .relaxed)
                if value != nil {
                    try SQLStatement(database, "COMMIT").run()
                    return value
                }
            } catch { deadline.nanoseconds.store(.max, ordering: .relaxed) }
            try? SQLStatement(database, "ROLLBACK").run()
            return nil
        }
    }

    func releaseMemory() { _ = read { try $0.execute(sql: "PRAGMA shrink_memory") } }

    func close() {
        while isBusy.exchange(true, ordering: .acquiring) { sched_yield() }
        defer { isBusy.store(false, ordering: .releasing) }
        try? queue?.close()
    }
}
