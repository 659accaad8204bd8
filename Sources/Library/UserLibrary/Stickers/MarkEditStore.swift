import GRDB
import LibraryIndex

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

    /// Decides about the fields of something that the server told of, notes what that means for the edits of it, and
    /// has `base` tell what the server has.
    /// - Parameter local: the value that a field's sticker stands for; nil where it means nothing to the server.
    /// - Returns: the fields whose values become ours, and whether something waits for the server that did not before.
    func decide(
        _ observed: MarkBase, of target: MarkTarget, fields: MarkFields, _ base: inout MarkBase, clock: Int64,
        now: Int64, local: (MarkEdit.Field) throws -> Int?
    ) throws -> (taken: [MarkEdit.Field], hasWork: Bool) {
        var (taken, hasWork): ([MarkEdit.Field], Bool) = ([], false)
        for field in [MarkEdit.Field.star, .rating] where fields.contains(field.flag) {
            let merge = MarkMerge(
                observed: observed.value(field) ?? 0, starred: field == .star ? observed.starred ?? 0 : 0,
                base: base.value(field), local: base.value(field) == nil ? try local(field) : nil,
                edit: try edit(target, field.rawValue), clock: clock)
            let verdict = merge.verdict
            switch verdict {
            case .agree, .takeTheirs:
                // Answers that were asked for before this one, and come later, are older.
                if merge.edit != nil || merge.base != nil {
                    try put(target, field.rawValue, value: merge.observed, edited: now, state: .done)
                }
            case .wait: if let edit = merge.edit { try setState(.overtakable, of: edit) }
            case .publish: try put(target, field.rawValue, value: merge.local ?? 0, edited: now, state: .waiting)
            case .ignore, .keepOurs: break
            }
            if verdict == .takeTheirs { taken.append(field) }
            hasWork = hasWork || verdict == .publish
            if verdict != .ignore, verdict != .wait { base.take(field, of: observed) }
        }
        // A star given again has a newer time, which is all that changes.
        if fields.contains(.star), base.value(.star) == 1, observed.value(.star) == 1 { base.take(.star, of: observed) }
        return (taken, hasWork)
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

    func finish(_ edit: MarkEdit, now: Int64) throws {
        let target = MarkTarget(edit.kind, edit.target)
        let row = try self.edit(target, edit.field.rawValue)
        // The new number tells answers that were asked for before from those that know of the edit.
        if let row, row.number != edit.number, row.state != .done {
            try put(target, edit.field.rawValue, value: row.value, edited: row.edited, state: .waiting)
        } else {
            try put(target, edit.field.rawValue, value: edit.value, edited: now, state: .done)
        }
        // If the server's own value was taken meanwhile, which of the two it has will be seen.
        if let row, row.number == edit.number || row.state != .done { try keep(edit, now: now) }
    }

    /// Notes that plays of songs were taken, so that answers that may not know of them are not believed.
    func finish(plays: [(song: Int64, started: Int64)], now: Int64) throws {
        let songs = SongMarkStore(database, now: now)
        for (song, started) in plays {
            try put(MarkTarget(song: song), Self.plays, value: 0, edited: now, state: .done)
            guard let serverID = try songs.serverID(song), var base = try songs.base(song, serverID),
                let plays = base.plays
            else { continue }
            base.plays = plays + 1
            base.played = max(base.played ?? 0, started / 1000)
            try songs.write(base, of: song, serverID)
        }
    }

    private func keep(_ edit: MarkEdit, now: Int64) throws {
        let known = MarkBase(starred: edit.value == 0 ? 0 : now, rating: edit.value)
        guard edit.kind == .song else {
            let catalog = CatalogMarkStore(database, now: now)
            guard var row = try catalog.row(edit.kind, edit.serverID) else { return }
            row.marks.take(edit.field, of: known)
            return try catalog.write(edit.kind, edit.serverID, row)
        }
        guard let song = Int64(edit.target) else { return }
        let songs = SongMarkStore(database, now: now)
        var base = try songs.base(song, edit.serverID) ?? SongMarkStore.Base()
        base.marks.take(edit.field, of: known)
        try songs.write(base, of: song, edit.serverID)
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
