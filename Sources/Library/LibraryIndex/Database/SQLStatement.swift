package import GRDB
import GRDBSQLite

/// A prepared statement, stepped without building rows.
///
/// Reads of tens of thousands of rows go through this: a column is a pointer into SQLite's page, not an allocation.
/// Statements come from the connection's cache, so the same text must not be stepped twice at a time.
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

    // SQLite's own constant is a cast that Swift does not import: "copy the bytes".
    private static let copied = unsafeBitCast(-1, to: sqlite3_destructor_type.self)

    /// Sets the argument `index`, counted from 1.
    package func bind(_ index: Int32, _ value: Int64) { sqlite3_bind_int64(handle, index, value) }

    /// Sets the argument `index`, counted from 1.
    package func bind(_ index: Int32, _ value: Int) { sqlite3_bind_int64(handle, index, Int64(value)) }

    /// Sets the argument `index`, counted from 1; nil is NULL.
    package func bind(_ index: Int32, _ value: Int64?) {
        if let value { sqlite3_bind_int64(handle, index, value) } else { sqlite3_bind_null(handle, index) }
    }

    /// Sets the argument `index`, counted from 1; nil is NULL.
    package func bind(_ index: Int32, _ value: Double?) {
        if let value { sqlite3_bind_double(handle, index, value) } else { sqlite3_bind_null(handle, index) }
    }

    /// Sets the argument `index`, counted from 1; nil is NULL.
    package func bind(_ index: Int32, _ value: String?) {
        guard var value else {
            sqlite3_bind_null(handle, index)
            return
        }
        value.withUTF8 { bytes in
            _ = bytes.withMemoryRebound(to: CChar.self) {
                sqlite3_bind_text(handle, index, $0.baseAddress, Int32($0.count), Self.copied)
            }
        }
    }

    /// Sets the argument `index`, counted from 1.
    package func bind(_ index: Int32, _ value: [UInt8]) {
        _ = value.withUnsafeBytes { sqlite3_bind_blob(handle, index, $0.baseAddress, Int32($0.count), Self.copied) }
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
    package func run() throws {
        while try step() {}
        sqlite3_reset(handle)
    }

    /// Calls `body` for every row and resets the statement, also when `body` throws.
    package func forEach(_ body: () throws -> Void) throws {
        defer { sqlite3_reset(handle) }
        while try step() { try body() }
    }

    /// The first row's value of `read`, nil without rows.
    package func first<Value>(_ read: () throws -> Value) throws -> Value? {
        defer { sqlite3_reset(handle) }
        return try step() ? try read() : nil
    }

    /// The column `index`, counted from 0; NULL is 0.
    package func int(_ index: Int32) -> Int64 { sqlite3_column_int64(handle, index) }

    /// Whether the column `index`, counted from 0, is NULL.
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

extension Database {
    /// The single integer that a query returns; 0 without a row.
    package func integer(_ sql: String) throws -> Int64 {
        let statement = try SQLStatement(self, sql)
        return try statement.first { statement.int(0) } ?? 0
    }

    /// The number behind the largest `id` of a table.
    ///
    /// Numbers that only damage can have made, 2³¹ and above, don't count: nothing can follow the largest of them.
    package func nextID(in table: String) throws -> Int64 {
        try integer("SELECT max(0, ifnull(max(id), 0)) FROM \(table) WHERE id < \(Int64(1) << 31 - 1)") + 1
    }
}
