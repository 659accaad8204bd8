import GRDB
import LibraryIndex
import MusicModel

/// The owner of a mark, as the index knows it.
struct MarkTarget: Hashable {
    var kind: MarkedKind
    /// The song's number, or the server's id of an album or artist.
    var id: String

    init(song: Int64) {
        kind = .song
        id = String(song)
    }

    /// An album or artist.
    init(_ kind: MarkedKind, _ serverID: String) {
        self.kind = kind
        id = serverID
    }
}

/// Reads and writes edits that the server does not have yet, or has lately, inside a transaction.
struct MarkEditStore {
    private let database: Database

    /// The field of the mark that plays of a song were reported.
    static let plays: Int64 = 2

    init(_ database: Database) { self.database = database }

    /// The number of the newest edit.
    func clock() throws -> Int64 { try database.integer("SELECT seq FROM sqlite_sequence WHERE name = 'mark_edit'") }

    /// The edit of a field of something.
    func edit(_ target: MarkTarget, _ field: Int64) throws -> MarkMerge.Edit? {
        let row = try statement(
            "SELECT number, value, edited, state FROM mark_edit WHERE kind = ?1 AND target = ?2 AND field = ?3",
            target, field)
        return try row.first {
            MarkMerge.Edit(
                number: row.int(0), value: Int(row.int(1)), edited: row.int(2),
                state: MarkMerge.Edit.State(rawValue: row.int(3)) ?? .waiting)
        }
    }

    /// Writes an edit under a new number, in place of an earlier one of the same field.
    func put(_ target: MarkTarget, _ field: Int64, value: Int, edited: Int64, state: MarkMerge.Edit.State) throws {
        let insertion = try statement(
            """
            INSERT OR REPLACE INTO mark_edit (kind, target, field, value, edited, state)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6)
            """, target, field)
        insertion.bind(4, value)
        insertion.bind(5, edited)
        insertion.bind(6, state.rawValue)
        try insertion.run()
    }

    /// Notes that an edit is being sent; false when a later edit or the server's own value took its place.
    func send(number: Int64) throws -> Bool {
        let row = try SQLStatement(database, "SELECT EXISTS (SELECT 1 FROM mark_edit WHERE number = ? AND state <> 2)")
        row.bind(1, number)
        guard try row.first({ row.int(0) }) == 1 else { return false }
        let update = try SQLStatement(database, "UPDATE mark_edit SET state = 3 WHERE number = ? AND state IN (0, 1)")
        update.bind(1, number)
        try update.run()
        return true
    }

    /// Changes how far an edit is.
    func setState(_ state: MarkMerge.Edit.State, of edit: MarkMerge.Edit) throws {
        let update = try SQLStatement(database, "UPDATE mark_edit SET state = ? WHERE number = ?")
        update.bind(1, state.rawValue)
        update.bind(2, edit.number)
        try update.run()
    }

    /// Forgets what was done long ago: no answer takes an hour.
    func forgetDone(now: Int64) throws {
        let deletion = try SQLStatement(database, "DELETE FROM mark_edit WHERE state = 2 AND edited < ?")
        deletion.bind(1, now - 3_600_000)
        try deletion.run()
    }

    /// Everything that was edited and waits.
    func targets() throws -> Set<MarkTarget> {
        let rows = try SQLStatement(database, "SELECT DISTINCT kind, target FROM mark_edit WHERE state <> 2")
        var targets: Set<MarkTarget> = []
        try rows.forEach {
            if let kind = MarkedKind(rawValue: rows.int(0)) { targets.insert(MarkTarget(kind, rows.text(1))) }
        }
        return targets
    }

    /// The oldest edits that wait, with the server's ids; those of songs that are not the server's are left out.
    func waiting(limit: Int) throws -> [MarkEdit] {
        let rows = try SQLStatement(
            database,
            """
            SELECT e.number, e.kind, e.target, e.field, e.value,
                CASE e.kind WHEN 0 THEN (SELECT ifnull(s.source_value, s.source_id) FROM song s
                    WHERE s.id = CAST(e.target AS INTEGER) AND s.source_kind = 0) ELSE e.target END AS server
            FROM mark_edit e WHERE e.state <> 2 AND server IS NOT NULL ORDER BY e.number LIMIT ?
            """)
        rows.bind(1, limit)
        var edits: [MarkEdit] = []
        try rows.forEach {
            guard let kind = MarkedKind(rawValue: rows.int(1)), let field = MarkEdit.Field(rawValue: rows.int(3)) else {
                return
            }
            edits.append(
                MarkEdit(
                    number: rows.int(0), kind: kind, serverID: rows.text(5), field: field, value: Int(rows.int(4)),
                    target: rows.text(2)))
        }
        return edits
    }

    private func statement(_ sql: String, _ target: MarkTarget, _ field: Int64) throws -> SQLStatement {
        let statement = try SQLStatement(database, sql)
        statement.bind(1, target.kind.rawValue)
        statement.bind(2, target.id)
        statement.bind(3, field)
        return statement
    }
}
