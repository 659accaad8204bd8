import Glibc
import GRDB
import Synchronization

/// A connection for reads of a few rows on the thread that needs them.
///
/// The event loop answers `currentsong` or `lsinfo` of an album by itself: a handful of pages of the index, which the
/// system has in memory, against two changes of thread. It never waits: not for the writer (WAL), not for another
/// reader, not for a lock of the file.
final class QuickReader: Sendable {
    private let queue: DatabaseQueue?
    private let isBusy = Atomic(false)

    /// Opens a connection to the database at `path`; without one, all reads take the long way.
    init(_ path: String) {
        var configuration = Configuration()
        configuration.label = "segue.library.quick"
        configuration.readonly = true
        configuration.busyMode = .immediateError
        configuration.prepareDatabase { try $0.execute(sql: "PRAGMA cache_size = -1000") }
        queue = try? DatabaseQueue(path: path, configuration: configuration)
    }

    /// Runs `body` in a snapshot; nil when it answers so, fails, or would have to wait.
    func read<Value>(_ body: (Database) throws -> Value?) -> Value? {
        guard let queue, !isBusy.exchange(true, ordering: .acquiring) else { return nil }
        defer { isBusy.store(false, ordering: .releasing) }
        return try? queue.unsafeRead { database in
            try SQLStatement(database, "BEGIN").run()
            defer { try? SQLStatement(database, "COMMIT").run() }
            return try body(database)
        }
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
