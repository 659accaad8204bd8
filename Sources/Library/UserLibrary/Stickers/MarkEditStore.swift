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

    func clock() throws -> Int64 { try database.integer("SELECT seq FROM sqlite_sequence WHERE name = 'mark_edit'") }

    func edit(_ target: MarkTarget, _ field: Int64) throws -> MarkMerge.Edit? {
        try database.first(
            "SELECT number, value, edited, state FROM mark_edit WHERE kind = ? AND target = ? AND field = ?",
            target.kind.rawValue, target.id, field
        ) { row in
            MarkMerge.Edit(
                number: row.int(0), value: Int(row.int(1)), edited: row.int(2),
                state: MarkMerge.Edit.State(rawValue: row.int(3)) ?? .waiting)
        }
    }

    /// Writes an edit under a new number, in place of an earlier one of the same field.
    func put(_ target: MarkTarget, _ field: Int64, value: Int, edited: Int64, state: MarkMerge.Edit.State) throws {
        try database.run(
            "INSERT OR REPLACE INTO mark_edit (kind, target, field, value, edited, state) VALUES (?, ?, ?, ?, ?, ?)",
            target.kind.rawValue, target.id, field, value, edited, state.rawValue)
    }

    /// Notes that an edit is being sent; false when a later edit or the server's own value took its place.
    func send(number: Int64) throws -> Bool {
        guard try database.has("SELECT 1 FROM mark_edit WHERE number = ? AND state <> 2", number) else { return false }
        try database.run("UPDATE mark_edit SET state = 3 WHERE number = ? AND state IN (0, 1)", number)
        return true
    }

    func setState(_ state: MarkMerge.Edit.State, of edit: MarkMerge.Edit) throws {
        try database.run("UPDATE mark_edit SET state = ? WHERE number = ?", state.rawValue, edit.number)
    }

    /// Forgets what was done long ago: no answer takes an hour.
    func forgetDone(now: Int64) throws {
        try database.run("DELETE FROM mark_edit WHERE state = 2 AND edited < ?", now - 3_600_000)
    }

    func targets() throws -> Set<MarkTarget> {
        var targets: Set<MarkTarget> = []
        try database.forEach("SELECT DISTINCT kind, target FROM mark_edit WHERE state <> 2") { row in
            if let kind = MarkedKind(rawValue: row.int(0)) { targets.insert(MarkTarget(kind, row.text(1))) }
        }
        return targets
    }

    /// The oldest edits that wait, with the server's ids; those of songs that are not the server's are left out.
    func waiting(limit: Int) throws -> [MarkEdit] {
        var edits: [MarkEdit] = []
        try database.forEach(
            """
            SELECT e.number, e.kind, e.target, e.field, e.value,
                CASE e.kind WHEN 0 THEN (SELECT ifnull(s.source_value, s.source_id) FROM song s
                    WHERE s.id = CAST(e.target AS INTEGER) AND s.source_kind = 0) ELSE e.target END AS server
            FROM mark_edit e WHERE e.state <> 2 AND server IS NOT NULL ORDER BY e.number LIMIT ?
            """, limit
        ) { row in
            guard let kind = MarkedKind(rawValue: row.int(1)), let field = MarkEdit.Field(rawValue: row.int(3)) else {
                return
            }
            edits.append(
                MarkEdit(
                    number: row.int(0), kind: kind, serverID: row.text(5), field: field, value: Int(row.int(4)),
                    target: row.text(2)))
        }
        return edits
    }
}
