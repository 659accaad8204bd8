import GRDB
import LibraryIndex

/// Finds the few songs of which the server tells something new, inside a read transaction; mostly there are none.
struct SongMarkDifference {
    /// Everything there is to take: a song's number, the server's values, and which of them are known.
    typealias Told = (song: Int64, marks: ServerSongMarks, fields: MarkFields)

    private let database: Database
    private let fields: MarkFields
    private let others: MarkFields
    private let edited: Set<MarkTarget>

    init(_ database: Database, fields: MarkFields, others: MarkFields) throws {
        (self.database, self.fields, self.others) = (database, fields, others)
        edited = try MarkEditStore(database).targets()
    }

    func find(_ marks: [ServerSongMarks]) throws -> [Told] {
        var told: [Told] = []
        for marks in marks { if let song = try changed(marks) { told.append((song, marks, fields)) } }
        if !others.isEmpty { told += try missing(Set(marks.map { ExactText($0.serverID) })) }
        return told
    }

    private func changed(_ marks: ServerSongMarks) throws -> Int64? {
        let found = try database.first(
            """
            SELECT s.id, m.server_id, m.starred, m.rating, m.plays, m.played FROM song s
            LEFT JOIN song_mark m ON m.song = s.id WHERE s.source_id = ? AND s.source_kind = 0
            """, marks.serverID
        ) { row -> (song: Int64, isKnown: Bool, isSame: Bool) in
            let isKnown = !row.isNull(1) && ExactText.equal(row.text(1), marks.serverID)
            let isSame =
                (!fields.contains(.star) || row.optionalInt(2) == marks.starred)
                && (!fields.contains(.rating) || row.optionalInt(3) == Int64(marks.rating))
                && (!fields.contains(.plays)
                    || row.optionalInt(4) == Int64(marks.plays) && row.optionalInt(5) == marks.played)
            return (row.int(0), isKnown, isSame)
        }
        guard let found else { return nil }
        if edited.contains(MarkTarget(song: found.song)) { return found.song }
        if found.isKnown { return found.isSame ? nil : found.song }
        // Most songs were never touched.
        return try !marks.isEmpty || hasStickers(found.song) ? found.song : nil
    }

    private func hasStickers(_ song: Int64) throws -> Bool {
        try database.has("SELECT 1 FROM song_sticker WHERE song = ? AND name IN ('like', 'rating')", song)
    }

    /// Songs that are marked here, that the server has, and that it did not tell of.
    private func missing(_ listed: Set<ExactText>) throws -> [Told] {
        let marked = [
            others.contains(.star) ? "m.starred <> 0" : nil, others.contains(.rating) ? "m.rating <> 0" : nil,
            others.contains(.plays) ? "m.plays <> 0" : nil,
        ].compactMap { $0 }.joined(separator: " OR ")
        let names = [others.contains(.star) ? "'like'" : nil, others.contains(.rating) ? "'rating'" : nil]
            .compactMap { $0 }.joined(separator: ", ")
        var told: [Told] = []
        try database.forEach(
            """
            SELECT s.id, ifnull(s.source_value, s.source_id) AS server FROM song_mark m JOIN song s ON s.id = m.song
            WHERE (\(marked)) AND s.uri IS NOT NULL AND s.source_kind = 0
            UNION SELECT s.id, ifnull(s.source_value, s.source_id) AS server FROM song_sticker t
            JOIN song s ON s.id = t.song LEFT JOIN song_mark m ON m.song = s.id AND m.server_id = server
            WHERE t.name IN (\(names)) AND m.song IS NULL AND s.uri IS NOT NULL AND s.source_kind = 0
            UNION SELECT s.id, ifnull(s.source_value, s.source_id) AS server FROM mark_edit e
            JOIN song s ON s.id = CAST(e.target AS INTEGER)
            WHERE e.kind = 0 AND e.state <> 2 AND s.uri IS NOT NULL AND s.source_kind = 0
            """
        ) { row in
            let id = row.text(1)
            if !listed.contains(ExactText(id)) { told.append((row.int(0), ServerSongMarks(serverID: id), others)) }
        }
        return told
    }
}

/// Finds the few albums or artists of which the server tells something new, inside a read transaction.
struct CatalogMarkDifference: Sendable {
    struct Told: Sendable {
        var marks: [(marks: ServerItemMarks, fields: MarkFields)] = []
        var gone: [String] = []
    }

    let kind: MarkedKind
    let fields: MarkFields
    let others: MarkFields
    let isCatalog: Bool

    func find(_ marks: [ServerItemMarks], _ database: Database) throws -> Told {
        let edited = try MarkEditStore(database).targets()
        var known: [ExactText: CatalogMarkStore.Row] = [:]
        try database.forEach(
            "SELECT \(CatalogMarkStore.columns), server_id FROM catalog_mark WHERE kind = ?", kind.rawValue
        ) { known[ExactText($0.text(4))] = CatalogMarkStore.row($0) }
        var told = Told()
        for marks in marks {
            let old = known.removeValue(forKey: ExactText(marks.serverID))
            if let old, isSame(old, marks), !edited.contains(MarkTarget(kind, marks.serverID)) { continue }
            told.marks.append((marks, fields))
        }
        for (id, row) in known.sorted(by: { $0.key < $1.key }) {
            if isCatalog {
                told.gone.append(id.text)
            } else if isMarked(row.marks) || !others.isEmpty && edited.contains(MarkTarget(kind, id.text)) {
                told.marks.append((ServerItemMarks(serverID: id.text, name: row.name), others))
            }
        }
        return told
    }

    private func isSame(_ old: CatalogMarkStore.Row, _ new: ServerItemMarks) -> Bool {
        ExactText.equal(old.name, new.name) && (new.artist == nil || old.hasArtist(new.artist))
            && (!fields.contains(.star) || old.marks.starred == new.starred)
            && (!fields.contains(.rating) || old.marks.rating == new.rating)
    }

    private func isMarked(_ marks: MarkBase) -> Bool {
        others.contains(.star) && marks.starred ?? 0 != 0 || others.contains(.rating) && marks.rating ?? 0 != 0
    }

    /// Forgets an album or artist that the server no longer has; the stickers of its name stay.
    func forget(_ id: String, _ database: Database) throws {
        try database.run("DELETE FROM catalog_mark WHERE kind = ? AND server_id = ?", kind.rawValue, id)
    }
}
