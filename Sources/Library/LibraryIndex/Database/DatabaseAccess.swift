package import Coordination
package import GRDB

/// A part of the library: what works on the database's connections.
package protocol DatabaseAccess: Sendable {
    /// The connections, which all parts share.
    var database: LibraryDatabase { get }
}

extension DatabaseAccess {
    /// The memory that the process may hold.
    package var memoryBudget: MemoryBudget { database.memoryBudget }

    /// Runs a read on one of the reader connections, in a snapshot of its own. The read happens on the thread that this
    /// function is called on, one of Swift's own: there are no more of them than cores, none waits for long, and GRDB's
    /// own asynchronous reads change threads twice as often.
    @concurrent
    package func read<Value: Sendable>(
        _ body: @escaping @Sendable (Database) throws -> Value
    ) async throws -> Value { try database.readNow(body) }

    /// Runs a read of a few rows at most: on the caller's thread where that needs no waiting, since waking another
    /// thread twice costs more than the read; otherwise as `read` does. It and those that call it name their caller's
    /// isolation: where it is only inherited, optimised builds with Swift 6.3 come back to the caller on another
    /// thread.
    /// - Parameter few: nil when it turns out to be more than a few rows.
    package func readFew<Value: Sendable>(
        isolation: isolated (any Actor)? = #isolation, _ few: (Database) throws -> Value?,
        orElse body: @escaping @Sendable (Database) throws -> Value
    ) async throws -> Value {
        if let value = database.quickly(few) { return value }
        return try await read(body)
    }

    /// Runs a read of a row or two, as `readFew` does.
    package func readOne<Value: Sendable>(
        isolation: isolated (any Actor)? = #isolation, _ body: @escaping @Sendable (Database) throws -> Value
    ) async throws -> Value {
        if let value = database.quickly({ Optional(try body($0)) }) { return value }
        return try await read(body)
    }

    /// Runs a write in a transaction.
    @concurrent
    package func write<Value: Sendable>(
        _ body: @escaping @Sendable (Database) throws -> Value
    ) async throws -> Value { try await database.write(body) }

    /// A small fact that is kept between runs, such as the server's last scan; nil when there is none.
    @concurrent
    package func fact(_ key: String) async throws -> String? { try await read { try Facts($0).value(key) } }

    /// Keeps a fact; nil forgets it.
    @concurrent
    package func setFact(_ key: String, _ value: String?) async throws {
        try await write { try Facts($0).set(key, value) }
    }
}

/// Reads and writes small facts inside a transaction.
package struct Facts {
    private let database: Database

    /// Works in the caller's transaction.
    package init(_ database: Database) { self.database = database }

    /// The value under this key.
    package func value(_ key: String) throws -> String? {
        try database.first("SELECT value FROM fact WHERE key = ?", key) { $0.text(0) }
    }

    /// Keeps a fact; nil forgets it.
    package func set(_ key: String, _ value: String?) throws {
        guard let value else { return try database.run("DELETE FROM fact WHERE key = ?", key) }
        try database.run("INSERT OR REPLACE INTO fact (key, value) VALUES (?, ?)", key, value)
    }
}
