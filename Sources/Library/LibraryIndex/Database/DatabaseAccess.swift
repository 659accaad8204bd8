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

    /// Runs a read in a snapshot of its own on the thread that calls this; GRDB's own change threads twice as often.
    @concurrent
    package func read<Value: Sendable>(
        _ body: @escaping @Sendable (Database) throws -> Value
    ) async throws -> Value { try database.readNow(body) }

    /// Runs a read of a few rows on the caller's thread where that needs no waiting, as waking another costs more;
    /// otherwise, or where `few` is nil as there are more, as `read` does. Why it names its caller's isolation:
    /// decision 18.
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
    package func fact(_ key: String) async throws -> String? { try await read { try $0.fact(key) } }

    /// Keeps a fact; nil forgets it.
    @concurrent
    package func setFact(_ key: String, _ value: String?) async throws {
        try await write { try $0.setFact(key, value) }
    }
}

extension LibraryDatabase {
    /// The values that `read` takes from all rows of a query, on one of the reader connections.
    @concurrent
    package func rows<Value: Sendable, each Argument: SQLArgument>(
        _ sql: String, _ arguments: repeat each Argument, read: @escaping @Sendable (SQLStatement) throws -> Value
    ) async throws -> [Value] { try readNow { try $0.rows(sql, repeat each arguments, read: read) } }

    /// The value that `read` takes from the first row of a query, on one of the reader connections.
    @concurrent
    package func first<Value: Sendable, each Argument: SQLArgument>(
        _ sql: String, _ arguments: repeat each Argument, read: @escaping @Sendable (SQLStatement) throws -> Value
    ) async throws -> Value? { try readNow { try $0.first(sql, repeat each arguments, read: read) } }

    /// Runs a statement that returns no rows, in a transaction of its own.
    @concurrent
    package func run<each Argument: SQLArgument>(_ sql: String, _ arguments: repeat each Argument) async throws {
        try await write { try $0.run(sql, repeat each arguments) }
    }
}

extension Database {
    /// A small fact that is kept between runs; nil when there is none.
    package func fact(_ key: String) throws -> String? {
        try first("SELECT value FROM fact WHERE key = ?", key) { $0.text(0) }
    }

    /// Keeps a fact; nil forgets it.
    package func setFact(_ key: String, _ value: String?) throws {
        guard let value else { return try run("DELETE FROM fact WHERE key = ?", key) }
        try run("INSERT OR REPLACE INTO fact (key, value) VALUES (?, ?)", key, value)
    }
}
