import GRDB
import LibraryIndex
import MusicModel

/// Keeps what the server knows of albums and artists, and the stickers that show it, inside a write transaction.
/// Stickers of tags belong to a name, and several albums may have one: the sticker shows the best of them, and an edit
/// of it goes to all of them; `AlbumMarkStore` has what each has. An artist's sticker stands under `Artist` and
/// `AlbumArtist` alike.
struct CatalogMarkStore {
    private let database: Database
    private let edits: MarkEditStore
    private let stickers: StickerStore
    private let now: Int64
    private(set) var changed = 0
    /// True if something waits for the server that did not before.
    private(set) var hasWork = false

    /// Works in a transaction; `now` is in Unix milliseconds.
    init(_ database: Database, now: Int64) {
        (self.database, self.now) = (database, now)
        edits = MarkEditStore(database)
        stickers = StickerStore(database)
    }

    /// The tags whose stickers show the marks of a kind.
    static func tags(of kind: MarkedKind) -> [Tag] {
        switch kind {
        case .song: []
        case .album: [.album]
        case .artist: [.artist, .albumArtist]
        }
    }

    static func kind(of tag: Tag) -> MarkedKind? {
        switch tag {
        case .album: .album
        case .artist, .albumArtist: .artist
        default: nil
        }
    }

    // MARK: Rows

    func row(_ kind: MarkedKind, _ serverID: String) throws -> (marks: ServerItemMarks, known: MarkFields)? {
        try database.first(
            "SELECT \(Self.columns) FROM catalog_mark WHERE kind = ? AND server_id = ?", kind.rawValue, serverID,
            read: Self.marks)
    }

    static let columns = "server_id, name, starred, rating, artist"

    static func marks(_ row: SQLStatement) -> (marks: ServerItemMarks, known: MarkFields) {
        var known: MarkFields = []
        if !row.isNull(2) { known.insert(.star) }
        if !row.isNull(3) { known.insert(.rating) }
        let marks = ServerItemMarks(
            serverID: row.text(0), name: row.text(1), artist: row.optionalText(4), starred: row.int(2),
            rating: Int(row.int(3)))
        return (marks, known)
    }

    func ids(_ kind: MarkedKind, named name: String) throws -> [String] {
        try database.rows(
            "SELECT server_id FROM catalog_mark WHERE kind = ? AND name = ? ORDER BY server_id", kind.rawValue, name
        ) { $0.text(0) }
    }

    /// The server's ids of the albums with this title by an artist, those whose artist isn't known among them; of any
    /// artist for nil.
    func albums(_ title: String, by artist: String?) throws -> [String] {
        try ids(.album, named: title).filter { id in
            guard let artist, let known = try row(.album, id)?.marks.artist else { return true }
            return ExactText.equal(known, artist)
        }
    }

    func write(_ kind: MarkedKind, _ marks: ServerItemMarks, known: MarkFields) throws {
        try database.run(
            """
            INSERT OR REPLACE INTO catalog_mark (kind, server_id, name, starred, rating, artist)
            VALUES (?, ?, ?, ?, ?, ?)
            """, kind.rawValue, marks.serverID, marks.name, known.contains(.star) ? marks.starred : nil,
            known.contains(.rating) ? Int64(marks.rating) : nil, marks.artist)
    }

    /// The value of a field on the server once the edits that wait are there.
    func expected(_ field: MarkEdit.Field, _ kind: MarkedKind, _ serverID: String) throws -> Int? {
        if let edit = try edits.edit(MarkTarget(kind, serverID), field.rawValue), edit.state != .done {
            return edit.value
        }
        guard let (marks, known) = try row(kind, serverID) else { return nil }
        switch field {
        case .star: return known.contains(.star) ? (marks.starred == 0 ? 0 : 1) : nil
        case .rating: return known.contains(.rating) ? marks.rating : nil
        }
    }

    // MARK: What the server tells

    /// Takes what the server has of an album or artist.
    /// - Parameters:
    ///   - fields: what of it is known.
    ///   - clock: the number of the newest edit when the server was asked.
    mutating func observe(_ kind: MarkedKind, _ marks: ServerItemMarks, fields: MarkFields, clock: Int64) throws {
        let old = try row(kind, marks.serverID)
        var new = old?.marks ?? ServerItemMarks(serverID: marks.serverID, name: marks.name)
        var known = old?.known ?? []
        var taken: [MarkEdit.Field] = []
        new.name = marks.name
        new.artist = marks.artist ?? new.artist
        for field in [MarkEdit.Field.star, .rating] {
            let flag: MarkFields = field == .star ? .star : .rating
            guard fields.contains(flag) else { continue }
            let base = known.contains(flag) ? (field == .star ? (new.starred == 0 ? 0 : 1) : new.rating) : nil
            let outcome = try merge(field, kind, marks, base, clock)
            if outcome == .takeTheirs { taken.append(field) }
            guard outcome != .ignore, outcome != .wait else { continue }
            known.insert(flag)
            if field == .star { new.starred = marks.starred } else { new.rating = min(max(marks.rating, 0), 5) }
        }
        // A star given again has a newer time, which is all that changes.
        if fields.contains(.star), marks.starred != 0, new.starred != 0 { new.starred = marks.starred }
        if old == nil || old?.marks != new || old?.known != known { try write(kind, new, known: known) }
        let isOther = kind == .album && old?.marks.hasArtist(of: new) != true
        for field in [MarkEdit.Field.star, .rating] where isOther || taken.contains(field) {
            if kind == .album { try showAlbums(field, new) }
            if taken.contains(field) { try show(field, kind, marks.name) }
        }
    }

    private mutating func merge(
        _ field: MarkEdit.Field, _ kind: MarkedKind, _ marks: ServerItemMarks, _ base: Int?, _ clock: Int64
    ) throws -> MarkMerge.Verdict {
        let target = MarkTarget(kind, marks.serverID)
        let edit = try edits.edit(target, field.rawValue)
        let merge = MarkMerge(
            observed: field == .star ? (marks.starred == 0 ? 0 : 1) : min(max(marks.rating, 0), 5),
            starred: field == .star ? marks.starred : 0, base: base,
            local: base == nil ? try unexplained(field, kind, marks) : nil, edit: edit, clock: clock)
        let verdict = merge.verdict
        if verdict == .agree || verdict == .takeTheirs && (edit != nil || base != nil) {
            // Answers that were asked for before this one, and come later, are older.
            try edits.put(target, field.rawValue, value: merge.observed, edited: now, state: .done)
        }
        if verdict == .wait, let edit { try edits.setState(.overtakable, of: edit) }
        if verdict == .publish {
            try edits.put(target, field.rawValue, value: merge.local ?? 0, edited: now, state: .waiting)
            hasWork = true
        }
        return verdict
    }

    /// The meaning of the sticker of the name, unless another album or artist of that name is the reason for it.
    private func unexplained(_ field: MarkEdit.Field, _ kind: MarkedKind, _ marks: ServerItemMarks) throws -> Int? {
        let albums = kind == .album ? try AlbumMarkStore(database).values(field, titled: marks.name) : [:]
        if !albums.isEmpty, let artist = try marks.artist ?? row(kind, marks.serverID)?.marks.artist {
            return albums[ExactText(artist)].flatMap { MarkConvention.meaning(field, $0) }
        }
        let object = StickerObject.tag(Self.tags(of: kind)[0], marks.name)
        guard let meaning = MarkConvention.meaning(field, try stickers.value(MarkConvention.name(field), of: object))
        else { return nil }
        let reason = try expectation(
            "1", field, kind, marks.name, "AND c.server_id <> ?4 AND \(Self.expected(field)) = ?5 LIMIT 1")
        reason.bind(4, marks.serverID)
        reason.bind(5, Int64(meaning))
        return try reason.has() ? nil : meaning
    }

    /// SQL for what `expected` says of a row of `expectation`.
    private static func expected(_ field: MarkEdit.Field) -> String {
        "coalesce(e.value, \(field == .star ? "c.starred <> 0" : "c.rating"))"
    }

    /// Asks about the albums or artists with a name and the edits of them that wait, in one statement however many have
    /// it.
    private func expectation(
        _ columns: String, _ field: MarkEdit.Field, _ kind: MarkedKind, _ name: String, _ rest: String = ""
    ) throws -> SQLStatement {
        let rows = try SQLStatement(
            database,
            """
            SELECT \(columns) FROM catalog_mark c INDEXED BY catalog_mark_name
            LEFT JOIN mark_edit e ON e.kind = c.kind AND e.target = c.server_id AND e.field = ?3
            AND e.state <> \(MarkMerge.Edit.State.done.rawValue)
            WHERE c.kind = ?1 AND c.name = ?2 \(rest)
            """)
        rows.bind(all: kind.rawValue, name, field.rawValue)
        return rows
    }

    private mutating func show(_ field: MarkEdit.Field, _ kind: MarkedKind, _ name: String) throws {
        let albums = kind == .album ? try AlbumMarkStore(database).values(field, titled: name) : [:]
        let best =
            albums.isEmpty
            ? try best(field, kind, name)
            : albums.values.compactMap { MarkConvention.meaning(field, $0) }.max() ?? 0
        for tag in Self.tags(of: kind) {
            let object = StickerObject.tag(tag, name)
            let sticker = MarkConvention.name(field)
            if MarkConvention.meaning(field, try stickers.value(sticker, of: object)) == best { continue }
            let change =
                if let text = MarkConvention.text(field, best) {
                    try stickers.set(sticker, of: object, to: text)
                } else {
                    try stickers.delete(sticker, of: object)
                }
            if change != nil { changed += 1 }
        }
    }

    private func best(_ field: MarkEdit.Field, _ kind: MarkedKind, _ name: String) throws -> Int {
        let row = try expectation("max(\(Self.expected(field)))", field, kind, name)
        return try row.first { Int($0.int(0)) } ?? 0
    }

    /// Has an album show what the server has of it, if its artist is known; all of its title where the first of
    /// them is told apart.
    private mutating func showAlbums(_ field: MarkEdit.Field, _ marks: ServerItemMarks) throws {
        let (albums, title) = (AlbumMarkStore(database), marks.name)
        let common = try stickers.value(MarkConvention.name(field), of: .tag(.album, title))
        let areApart = try albums.areApart(field, titled: title)
        // Most titles have no marks, and some titles have thousands of albums.
        if !areApart, MarkConvention.meaning(field, common) == 0,
            try expected(field, .album, marks.serverID) ?? 0 == 0
        { return }
        if areApart, marks.artist == nil { return }
        let rows = try expectation(
            "c.artist, max(\(Self.expected(field)))", field, .album, title,
            "\(areApart ? "AND c.artist = ?4" : "AND c.artist IS NOT NULL") GROUP BY c.artist")
        if areApart { rows.bind(4, marks.artist) }
        var values: [(artist: String, value: Int)] = []
        try rows.forEach { row in if !row.isNull(1) { values.append((row.text(0), Int(row.int(1)))) } }
        if !areApart, values.allSatisfy({ $0.value == 0 }) { return }
        for (artist, value) in values {
            let shown = areApart ? try albums.value(field, of: title, by: artist) : nil
            if let shown, MarkConvention.meaning(field, shown) == value { continue }
            let isCommon = value > 0 && shown == nil && MarkConvention.meaning(field, common) == value
            try albums.set(field, of: title, by: artist, to: isCommon ? common : MarkConvention.text(field, value))
            changed += 1
        }
    }
}
