import Foundation
package import GRDB
import GRDBSQLite

/// A prepared statement, stepped without building rows: a column is a pointer into SQLite's page. Statements come from
/// the connection's cache, so the same text must not be stepped twice at a time.
package struct SQLStatement {
    // Keeps the cache from finalizing the handle while it is in use.
    private let owner: Statement
    private let handle: OpaquePointer

    /// Takes the statement from the connection's cache, ready for new arguments.
    package init(_ database: Database, _ sql: String) throws {
        owner = try database.cachedStatement(sql: sql)
        handle = owner.sqliteStatement
        sqlite3_reset(handle)
        sqlite3_clear_bindings(handle)
    }

    /// Sets the argument `index`, counted from 1; nil is NULL.
    package func bind(_ index: Int32, _ value: some SQLArgument) { value.bind(to: handle, at: index) }

    /// Sets the arguments from the first one on; those behind stay as they are.
    package func bind<each Argument: SQLArgument>(all arguments: repeat each Argument) {
        var index: Int32 = 0
        for argument in repeat each arguments {
            index += 1
            argument.bind(to: handle, at: index)
        }
    }

    /// Moves to the next row; false after the last.
    package func step() throws -> Bool {
        switch sqlite3_step(handle) {
        case SQLITE_ROW: return true
        case SQLITE_DONE: return false
        case let code:
            let message = String(cString: sqlite3_errmsg(sqlite3_db_handle(handle)))
            sqlite3_reset(handle)
            throw DatabaseError(resultCode: ResultCode(rawValue: code), message: message)
        }
    }

    /// Ends a read before its last row, or makes the statement ready for new arguments.
    package func reset() { sqlite3_reset(handle) }

    /// Steps a statement that returns no rows, and makes it ready for new arguments.
    package func run<each Argument: SQLArgument>(_ arguments: repeat each Argument) throws {
        bind(all: repeat each arguments)
        while try step() {}
        sqlite3_reset(handle)
    }

    /// Calls `body` for every row and resets the statement, also when `body` throws.
    package func forEach<each Argument: SQLArgument>(
        _ arguments: repeat each Argument, body: (SQLStatement) throws -> Void
    ) throws {
        bind(all: repeat each arguments)
        defer { sqlite3_reset(handle) }
        while try step() { try body(self) }
    }

    /// The values that `read` takes from all rows.
    package func rows<Value, each Argument: SQLArgument>(
        _ arguments: repeat each Argument, read: (SQLStatement) throws -> Value
    ) throws -> [Value] {
        var values: [Value] = []
        try forEach(repeat each arguments) { values.append(try read($0)) }
        return values
    }

    /// The value that `read` takes from the first row; nil without rows.
    package func first<Value, each Argument: SQLArgument>(
        _ arguments: repeat each Argument, read: (SQLStatement) throws -> Value
    ) throws -> Value? {
        bind(all: repeat each arguments)
        defer { sqlite3_reset(handle) }
        return try step() ? try read(self) : nil
    }

    /// True if there are rows.
    package func has<each Argument: SQLArgument>(_ arguments: repeat each Argument) throws -> Bool {
        try first(repeat each arguments) { _ in true } ?? false
    }

    /// The column `index`, counted from 0; NULL is 0.
    package func int(_ index: Int32) -> Int64 { sqlite3_column_int64(handle, index) }

    /// True if the column `index`, counted from 0, is NULL.
    package func isNull(_ index: Int32) -> Bool { sqlite3_column_type(handle, index) == SQLITE_NULL }

    /// The column `index`, counted from 0.
    package func optionalInt(_ index: Int32) -> Int64? { isNull(index) ? nil : int(index) }

    /// The column `index`, counted from 0.
    package func optionalDouble(_ index: Int32) -> Double? {
        isNull(index) ? nil : sqlite3_column_double(handle, index)
    }

    /// The column `index`, counted from 0; NULL is empty.
    package func text(_ index: Int32) -> String { String(decoding: bytes(index), as: UTF8.self) }

    /// The column `index`, counted from 0.
    package func optionalText(_ index: Int32) -> String? { isNull(index) ? nil : text(index) }

    /// The bytes of the column `index`, counted from 0; valid until the next step.
    package func bytes(_ index: Int32) -> UnsafeRawBufferPointer {
        let start = sqlite3_column_blob(handle, index)
        return UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : Int(sqlite3_column_bytes(handle, index)))
    }

    /// The bytes of the text in the column `index`, counted from 0; valid until the next step.
    package func utf8(_ index: Int32) -> UnsafeBufferPointer<UInt8> { bytes(index).assumingMemoryBound(to: UInt8.self) }
}

extension [String] {
    /// The texts as one argument, which `json_each` takes apart.
    package func json() throws -> String { String(decoding: try JSONEncoder().encode(self), as: UTF8.self) }
}

/// A value that a statement takes as an argument.
package protocol SQLArgument: Sendable {
    func bind(to statement: OpaquePointer, at index: Int32)
}

extension SQLArgument where Self: SignedInteger {
    package func bind(to statement: OpaquePointer, at index: Int32) {
        sqlite3_bind_int64(statement, index, Int64(self))
    }
}

extension Int64: SQLArgument {}
extension Int: SQLArgument {}

extension Bool: SQLArgument {
    package func bind(to statement: OpaquePointer, at index: Int32) {
        sqlite3_bind_int64(statement, index, self ? 1 : 0)
    }
}

extension Double: SQLArgument {
    package func bind(to statement: OpaquePointer, at index: Int32) { sqlite3_bind_double(statement, index, self) }
}

extension String: SQLArgument {
    package func bind(to statement: OpaquePointer, at index: Int32) {
        var text = self
        text.withUTF8 { bytes in
            _ = bytes.withMemoryRebound(to: CChar.self) {
                sqlite3_bind_text(statement, index, $0.baseAddress, Int32($0.count), copied)
            }
        }
    }
}

extension Array: SQLArgument where Element == UInt8 {
    package func bind(to statement: OpaquePointer, at index: Int32) {
        _ = withUnsafeBytes { sqlite3_bind_blob(statement, index, $0.baseAddress, Int32($0.count), copied) }
    }
}

extension Optional: SQLArgument where Wrapped: SQLArgument {
    package func bind(to statement: OpaquePointer, at index: Int32) {
        if let self { self.bind(to: statement, at: index) } else { sqlite3_bind_null(statement, index) }
    }
}

// SQLite's own constant is a cast that Swift does not import: "copy the bytes".
private let copied = unsafeBitCast(-1, to: sqlite3_destructor_type.self)

extension Database {
    /// Runs a statement that returns no rows.
    package func run<each Argument: SQLArgument>(_ sql: String, _ arguments: repeat each Argument) throws {
        try SQLStatement(self, sql).run(repeat each arguments)
    }

    /// Calls `body` for every row of a query.
    package func forEach<each Argument: SQLArgument>(
        _ sql: String, _ arguments: repeat each Argument, body: (SQLStatement) throws -> Void
    ) throws { try SQLStatement(self, sql).forEach(repeat each arguments, body: body) }

    /// The values that `read` takes from all rows of a query.
    package func rows<Value, each Argument: SQLArgument>(
        _ sql: String, _ arguments: repeat each Argument, read: (SQLStatement) throws -> Value
    ) throws -> [Value] { try SQLStatement(self, sql).rows(repeat each arguments, read: read) }

    /// The value that `read` takes from the first row of a query; nil without rows.
    package func first<Value, each Argument: SQLArgument>(
        _ sql: String, _ arguments: repeat each Argument, read: (SQLStatement) throws -> Value
    ) throws -> Value? { try SQLStatement(self, sql).first(repeat each arguments, read: read) }

    /// True if a query has rows.
    package func has<each Argument: SQLArgument>(_ sql: String, _ arguments: repeat each Argument) throws -> Bool {
        try SQLStatement(self, sql).has(repeat each arguments)
    }

    /// The single integer that a query returns; 0 without a row.
    package func integer<each Argument: SQLArgument>(_ sql: String, _ arguments: repeat each Argument) throws -> Int64 {
        try first(sql, repeat each arguments) { $0.int(0) } ?? 0
    }

    /// The number behind the largest `id` of a table; those of 2³¹ and above are damage.
    package func nextID(in table: String) throws -> Int64 {
        try integer("SELECT max(0, ifnull(max(id), 0)) FROM \(table) WHERE id < \(Int64(1) << 31 - 1)") + 1
    }
}
