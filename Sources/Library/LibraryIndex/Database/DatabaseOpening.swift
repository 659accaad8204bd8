import Foundation
import GRDB
import GRDBSQLite
import Glibc

struct DatabaseOpening {
    private let parts: [SchemaPart]
    init(_ parts: [SchemaPart]) { self.parts = parts }

    /// Opens or creates the file at `path`; where `rescues` says so, a damaged one is kept aside and replaced.
    func open(_ path: String, rescues: Bool) throws -> (DatabasePool, LibraryRescue?) {
        let rescue = DatabaseRescue(parts.flatMap(\.rescued))
        hide(path)
        guard rescues else { return (try openSound(path), nil) }
        let damage: String
        do {
            if Self.isEmptied(path) { throw LibraryError(.corrupt, "the file is empty") }
            let pool = try openSound(path)
            guard let found = try pool.read({ try rescue.damage(in: $0, path: path) }) else { return (pool, nil) }
            try pool.close()
            damage = found
        } catch let error as DatabaseError where LibraryError(error, path: path).code == .corrupt {
            damage = error.message ?? "\(error.resultCode)"
        } catch let error as LibraryError where error.code == .corrupt {
            damage = error.message
        }
        let kept = try DatabaseRescue.keepAside(path)
        let pool = try openSound(path)
        let copied = rescue.copy(from: kept, into: pool)
        hide(path)
        let outcome = LibraryRescue(
            path: path, keptAs: kept, damage: damage, rescued: copied.rows, failures: copied.failures)
        return (pool, outcome)
    }

    /// True if the file was truncated to nothing, which SQLite takes for a new database.
    private static func isEmptied(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_size == 0
    }

    /// Takes the files away from other users: they hold credentials of streams, and what was heard when.
    private func hide(_ path: String) {
        for suffix in ["", "-wal", "-shm"] {
            var status = stat()
            // The owner's permissions stay: a file that was made read-only on purpose is not made writable.
            if stat(path + suffix, &status) == 0 { chmod(path + suffix, status.st_mode & 0o700) }
        }
    }

    private func openSound(_ path: String) throws -> DatabasePool {
        do {
            let pool = try DatabasePool(path: path, configuration: Self.configuration())
            // SQLite opens what it can't write for reading, and says nothing until the first write.
            let isReadOnly = pool.writeWithoutTransaction { sqlite3_db_readonly($0.sqliteConnection, "main") == 1 }
            if isReadOnly { throw LibraryError.unwritable(path) }
            try migrate(pool, path: path)
            return pool
        } catch let error as DatabaseError {
            throw LibraryError(error, path: path)
        } catch let error as CocoaError {
            throw LibraryError(
                .unwritable, "Can't open the database \(path): \(error.localizedDescription)", cause: error)
        }
    }

    /// How long a connection waits for another, in milliseconds.
    static let busyTimeout: Int32 = 2000

    private static func configuration() -> Configuration {
        var configuration = Configuration()
        configuration.label = "segue.library"
        configuration.maximumReaderCount = 4
        configuration.busyMode = .timeout(TimeInterval(busyTimeout) / 1000)
        configuration.foreignKeysEnabled = false
        configuration.prepareDatabase { database in
            // A page of 8 KiB holds a dozen rendered songs, and a cache of 2 MiB per connection keeps the hot inner
            // pages; the rest is the operating system's cache, which is shared.
            try database.execute(sql: "PRAGMA page_size = 4096; PRAGMA cache_size = -2000; PRAGMA temp_store = MEMORY")
        }
        return configuration
    }

    private func migrate(_ pool: DatabasePool, path: String) throws {
        try pool.writeWithoutTransaction { database in
            // Converting does not wait for the disk.
            try database.execute(sql: "PRAGMA synchronous = NORMAL; PRAGMA journal_size_limit = 8388608")
            try SchemaVersion.check(Int(try database.integer("PRAGMA user_version")), path: path)
            // The immediate transaction fails here, not hours later, when the file can't be written.
            try database.inTransaction(.immediate) { .commit }
        }
        try makeMigrator().migrate(pool)
        // FULL: a power cut loses no queue and no play. One commit is one write to the disk, syncs included.
        try pool.writeWithoutTransaction { try $0.execute(sql: "PRAGMA synchronous = FULL") }
    }

    private func makeMigrator() -> DatabaseMigrator {
        var migrator = DatabaseMigrator().disablingDeferredForeignKeyChecks()
        for version in SchemaVersion.oldest...SchemaVersion.newest {
            migrator.registerMigration(String(version)) { database in
                for part in parts { try part.steps[version]?(database) }
                try database.execute(sql: "PRAGMA user_version = \(version)")
            }
        }
        return migrator
    }
}
