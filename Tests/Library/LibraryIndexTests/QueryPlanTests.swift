import GRDB
import Testing

@testable import LibraryIndex

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
        let test = try TestIndex()
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
