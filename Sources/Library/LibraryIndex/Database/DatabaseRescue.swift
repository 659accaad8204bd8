import Foundation
import GRDB
import Glibc
import MusicModel

/// The outcome for a damaged database.
package struct LibraryRescue: Hashable, Sendable, CustomStringConvertible {
    /// The database's path, where there is a new one now.
    package var path: String
    /// Where the damaged one is kept.
    package var keptAs: String
    /// The damage as SQLite describes it.
    package var damage: String
    /// How many rows were rescued, by what they are.
    package var rescued: [String: Int]
    /// The tables that could not be read to their ends, or not be copied, each with the reason.
    package var failures: [String] = []

    /// One line for people.
    package var description: String {
        let found = rescued.filter { $0.value > 0 }.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }
        return "The database \(path) was damaged (\(damage)). It is kept as \(keptAs). Rescued: "
            + (found.isEmpty ? "nothing" : found.joined(separator: ", "))
            + (failures.isEmpty ? "" : "; not all of " + failures.joined(separator: "; "))
            + ". The index is rebuilt by the next sync."
    }
}

/// Keeps a damaged database aside, and takes over what no sync brings back; songs keep their numbers.
struct DatabaseRescue {
    private let tables: [RescuedTable]
    init(_ tables: [RescuedTable]) { self.tables = tables }

    /// The path of the note that a read or a write found damage; the next start checks the whole file then.
    static func note(for path: String) -> String { path + "-damage" }

    /// Says what is wrong with a database that opens; checks what only this file has, or all where damage was noted.
    func damage(in database: Database, path: String) throws -> String? {
        let hasNote = access(Self.note(for: path), F_OK) == 0
        let checks = hasNote ? ["quick_check"] : tables.filter(\.isChecked).map { "quick_check('\($0.name)')" }
        for check in checks {
            let answer = try String.fetchOne(database, sql: "PRAGMA \(check)") ?? "ok"
            if answer != "ok" { return answer.split(separator: "\n").last.map(String.init) ?? answer }
        }
        if hasNote { unlink(Self.note(for: path)) }
        return nil
    }

    /// A name that no file has yet, for a damaged one.
    static func nameAside(_ path: String, now: Date = Date()) -> String {
        let time = now.formatted(.iso8601.dateSeparator(.omitted).timeSeparator(.omitted))
        var kept = "\(path).damaged-\(time)"
        var count = 1
        while access(kept, F_OK) == 0 {
            count += 1
            kept = "\(path).damaged-\(time)-\(count)"
        }
        return kept
    }

    /// Renames the database and its log, so that a new one can be made; returns the new path.
    static func keepAside(_ path: String) throws -> String {
        let kept = nameAside(path)
        guard rename(path, kept) == 0 else {
            throw LibraryError(
                .corrupt,
                "The database \(path) is damaged and can't be kept aside (\(String(cString: strerror(errno)))). Move it away."
            )
        }
        // A log has to keep the name of its database.
        rename(path + "-wal", kept + "-wal")
        unlink(path + "-shm")
        unlink(note(for: path))
        return kept
    }

    /// Copies what can be read of `kept` into the new database.
    func copy(from kept: String, into pool: DatabasePool) -> Copied {
        if let found = read(kept, into: pool) { return found }
        // Page 1 begins with what SQLite knows a file by: lent by the new database, the rest may still be readable.
        let copy = kept + "-copy"
        defer { for suffix in ["", "-wal", "-shm"] { unlink(copy + suffix) } }
        guard (try? FileManager.default.copyItem(atPath: kept, toPath: copy)) != nil,
            Self.lendHeader(of: pool.path, to: copy)
        else { return Copied() }
        return read(copy, into: pool) ?? Copied()
    }

    /// How many rows were copied, by what they are, and why some were not.
    struct Copied {
        var rows: [String: Int] = [:]
        var failures: [String] = []
    }

    private func read(_ path: String, into pool: DatabasePool) -> Copied? {
        var configuration = Configuration()
        configuration.foreignKeysEnabled = false
        guard let source = try? DatabaseQueue(path: path, configuration: configuration),
            let count = try? source.read({ try Int.fetchOne($0, sql: "SELECT count(*) FROM sqlite_schema") }), count > 0
        else { return nil }
        defer { try? source.close() }
        var copied = Copied()
        for table in tables {
            var failure: (any Error)?
            do {
                let count = try source.unsafeRead { old in
                    try pool.write { try Self.copy(table, from: old, to: $0, &failure) }
                }
                if let noun = table.noun { copied.rows[noun, default: 0] += count }
            } catch { failure = error }
            if let failure { copied.failures.append("\(table.noun ?? table.name) (\(chain: failure))") }
        }
        return copied
    }

    /// Copies a table's rows and counts them; `failure` is why there may be more of them.
    private static func copy(
        _ table: RescuedTable, from old: Database, to new: Database, _ failure: inout (any Error)?
    ) throws -> Int {
        let wanted = try table.columns ?? new.columns(in: table.name).map(\.name)
        let known = Set((try? old.columns(in: table.name).map(\.name)) ?? [])
        let columns = wanted.filter(known.contains)
        guard !columns.isEmpty else { return 0 }
        let values = columns.map { _ in "?" } + table.fixed.sorted { $0.key < $1.key }.map(\.value)
        let names = columns + table.fixed.keys.sorted()
        let insertion = try new.makeStatement(
            sql: """
                INSERT OR IGNORE INTO \(table.name) (\(names.joined(separator: ", ")))
                VALUES (\(values.joined(separator: ", ")))
                """)
        let before = new.totalChangesCount
        // From the end as well: what lies behind a damaged page is reached from there.
        for direction in ["ASC", "DESC"] {
            let order = table.order.split(separator: ", ").map { "\($0) \(direction)" }.joined(separator: ", ")
            do {
                let rows = try Row.fetchCursor(
                    old,
                    sql: """
                        SELECT \(columns.joined(separator: ", ")) FROM \(table.name)
                        WHERE \(table.filter) ORDER BY \(order)
                        """)
                while let row = try rows.next() {
                    // A row that no longer fits its table is damaged as well.
                    do { try insertion.execute(arguments: StatementArguments(row.databaseValues)) } catch let error
                        as DatabaseError where error.resultCode.primaryResultCode != .SQLITE_FULL
                    {}
                }
                failure = nil
                break
            } catch {
                failure = error
            }
        }
        return new.totalChangesCount - before
    }

    /// Writes the first 100 bytes of one database over those of another, with the other one's size.
    private static func lendHeader(of healthy: String, to damaged: String) -> Bool {
        guard let from = FileHandle(forReadingAtPath: healthy), let to = FileHandle(forUpdatingAtPath: damaged),
            var header = try? from.read(upToCount: 100), header.count == 100, let size = try? to.seekToEnd()
        else { return false }
        let pageSize = UInt64(header[16]) << 8 | UInt64(header[17])
        guard pageSize >= 512, size >= pageSize else { return false }
        let pages = UInt32(clamping: size / pageSize)
        for index in 0..<4 {
            header[28 + index] = UInt8(truncatingIfNeeded: pages >> (24 - 8 * index))
            // No free pages are known, and the size is valid for this change counter.
            header[32 + index] = 0
            header[36 + index] = 0
            header[92 + index] = header[24 + index]
        }
        // In the journal's old mode: its log, if there is one, was of another header.
        (header[18], header[19]) = (1, 1)
        do {
            try to.seek(toOffset: 0)
            try to.write(contentsOf: header)
            try to.close()
            return true
        } catch {
            return false
        }
    }
}
