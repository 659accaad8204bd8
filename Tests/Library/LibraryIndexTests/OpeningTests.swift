import Foundation
import GRDB
import Testing

@testable import LibraryIndex

@Suite("Opening the database")
struct OpeningTests {
    private func folder() throws -> URL {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("library-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        return folder
    }

    private func failure(_ path: String) -> LibraryError? {
        do {
            try Library(path: path, renderer: PlainRenderer()).close()
            return nil
        } catch { return error as? LibraryError }
    }

    @Test("A file that is no database, one of a newer version and a missing directory are told apart, with the path")
    func failures() throws {
        let folder = try folder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let text = folder.appendingPathComponent("text.db")
        try Data(String(repeating: "not a database ", count: 100).utf8).write(to: text)
        #expect(failure(text.path)?.code == .corrupt)
        #expect(failure(text.path)?.message.contains(text.path) == true)
        let missing = folder.appendingPathComponent("missing/segue.db").path
        #expect(failure(missing)?.code == .unwritable)
        #expect(failure(missing)?.message.contains(missing) == true)
        let newer = folder.appendingPathComponent("newer.db").path
        try Library(path: newer, renderer: PlainRenderer()).close()
        try DatabaseQueue(path: newer).write { try $0.execute(sql: "PRAGMA user_version = 99") }
        #expect(failure(newer)?.code == .newerVersion)
        #expect(failure(folder.path)?.code == .unwritable)
    }

    @Test("A file that can't be written is an error at once", .disabled(if: getuid() == 0, "root may write anything"))
    func readOnly() throws {
        let folder = try folder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = folder.appendingPathComponent("segue.db").path
        try Library(path: path, renderer: PlainRenderer()).close()
        try FileManager.default.setAttributes([.posixPermissions: 0o444], ofItemAtPath: path)
        #expect(failure(path)?.code == .unwritable)
    }

    @Test("A second process that holds the database for long is told apart")
    func busy() throws {
        let test = try TestLibrary()
        try DatabaseQueue(path: test.path).inTransaction(.immediate) { _ in
            #expect(failure(test.path)?.code == .busy)
            return .rollback
        }
    }
}

@Suite("Query plans")
struct QueryPlanTests {
    /// Statements that run for every client, with the index that each must use.
    static let hot: [(sql: String, plan: String)] = [
        ("SELECT id FROM song WHERE uri = ?", "USING COVERING INDEX song_uri"),
        ("SELECT id, number FROM directory WHERE path = ?", "USING INDEX directory_path"),
        ("SELECT id FROM directory WHERE parent = ? ORDER BY number", "USING COVERING INDEX directory_parent"),
        (
            "SELECT id FROM song INDEXED BY song_walk WHERE walk >= ? AND walk < ? ORDER BY walk",
            "USING COVERING INDEX song_walk"
        ),
        (
            "SELECT id, walk, ifnull(duration, -1) FROM song INDEXED BY song_walk WHERE walk IS NOT NULL ORDER BY walk",
            "USING COVERING INDEX song_walk"
        ),
        ("SELECT id, block FROM block WHERE id BETWEEN ? AND ? ORDER BY id", "USING INTEGER PRIMARY KEY"),
        ("SELECT id FROM song INDEXED BY song_modified WHERE modified >= ?", "USING COVERING INDEX song_modified"),
        ("SELECT id, uri FROM song INDEXED BY song_uri WHERE uri IS NOT NULL", "USING COVERING INDEX song_uri"),
        (ValueSearch.valuesEqual(folding: false), "SEARCH v USING COVERING INDEX value_text (kind=? AND text=?)"),
        (ValueSearch.valuesEqual(folding: true), "SEARCH v USING INDEX value_text (kind=? AND text=?)"),
        (ValueSearch.foldedEqual, "SEARCH v USING COVERING INDEX value_folded (kind=? AND folded=?)"),
        (ValueSearch.trigramHits(oneKind: true, folding: true, prefix: false), "SCAN f VIRTUAL TABLE INDEX"),
        (ValueSearch.scanHits(folding: true, prefix: true), "SEARCH v USING INDEX value_text (kind=?)"),
        (
            "SELECT id FROM song WHERE source_id = ? AND mount = ?",
            "USING COVERING INDEX song_source (source_id=? AND mount=?)"
        ),
    ]

    @Test("Hot statements use their indexes and sort nothing", arguments: hot.indices)
    func plans(index: Int) throws {
        let test = try TestLibrary()
        let (sql, expected) = Self.hot[index]
        let plan = try test.inspect { database in
            let statement = try database.makeStatement(sql: "EXPLAIN QUERY PLAN \(sql)")
            statement.setUncheckedArguments(StatementArguments())
            return try Row.fetchAll(statement).map { $0["detail"] as String }.joined(separator: "; ")
        }
        #expect(plan.contains(expected), "\(plan)")
        #expect(!plan.contains("TEMP B-TREE"), "\(plan)")
        if sql.contains("song_value") { #expect(plan.contains("SEARCH sv USING PRIMARY KEY (value=?)"), "\(plan)") }
    }
}
