import GRDB
import LibraryIndex
import MusicModel

/// Keeps what the server knows of albums and artists, and the stickers that show it, inside a write transaction. The
/// sticker of a name shows the best of all that have it, and an edit of it goes to all of them (`AlbumMarkStore` has
/// what each has); an artist's stands under `Artist` and `AlbumArtist` alike.
struct CatalogMarkStore {
    private let database: Database
    private let edits: MarkEditStore
    private let stickers: StickerStore
    private let now: Int64
    private(set) var changed = 0
    private(set) var hasWork = false

    init(_ database: Database, now: Int64) {
        (self.database, self.now) = (database, now)
        edits = MarkEditStore(database)
        stickers = StickerStore(database)
    }

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

    struct Row: Hashable {
        var name: String
        var artist: String?
        var marks: MarkBase

        func hasArtist(_ other: String?) -> Bool { artist.map { ExactText($0) } == other.map { ExactText($0) } }
    }

    static let columns = "name, artist, starred, rating"

    static func row(_ row: SQLStatement) -> Row {
        let marks = MarkBase(starred: row.optionalInt(2), rating: row.optionalInt(3).map(Int.init))
        return Row(name: row.text(0), artist: row.optionalText(1), marks: marks)
    }

    func row(_ kind: MarkedKind, _ serverID: String) throws -> Row? {
        try database.first(
            "SELECT \(Self.columns) FROM catalog_mark WHERE kind = ? AND server_id = ?", kind.rawValue, serverID,
            read: Self.row)
    }

    func ids(_ kind: MarkedKind, named name: String) throws -> [String] {
        try database.rows(
            "SELECT server_id FROM catalog_mark WHERE kind = ? AND name = ? ORDER BY server_id", kind.rawValue, name
        ) { $0.text(0) }
    }

    /// The server's ids of the albums with this title by an artist, or by one that isn't known; of any artist for nil.
    func albums(_ title: String, by artist: String?) throws -> [String] {
        try ids(.album, named: title).filter { id in
            guard let artist, let known = try row(.album, id)?.artist else { return true }
            return ExactText.equal(known, artist)
        }
    }

    func write(_ kind: MarkedKind, _ serverID: String, _ row: Row) throws {
        try database.run(
            "INSERT OR REPLACE INTO catalog_mark (kind, server_id, \(Self.columns)) VALUES (?, ?, ?, ?, ?, ?)",
            kind.rawValue, serverID, row.name, row.artist, row.marks.starred, row.marks.rating)
    }

    /// The value of a field on the server once the edits that wait are there.
    func expected(_ field: MarkEdit.Field, _ kind: MarkedKind, _ serverID: String) throws -> Int? {
        if let edit = try edits.edit(MarkTarget(kind, serverID), field.rawValue), edit.state != .done {
            return edit.value
        }
        return try row(kind, serverID)?.marks.value(field)
    }

    // MARK: What the server tells

    /// Takes what the server has of an album or artist: `fields` of it, as of the edit `clock`.
    mutating func observe(_ kind: MarkedKind, _ marks: ServerItemMarks, fields: MarkFields, clock: Int64) throws {
        let old = try row(kind, marks.serverID)
        var new = Row(name: marks.name, artist: marks.artist ?? old?.artist, marks: old?.marks ?? MarkBase())
        let (taken, hasNews) = try edits.decide(
            MarkBase(starred: marks.starred, rating: marks.rating), of: MarkTarget(kind, marks.serverID),
            fields: fields, &new.marks, clock: clock, now: now
        ) { try unexplained($0, kind, marks) }
        hasWork = hasWork || hasNews
        if old != new { try write(kind, marks.serverID, new) }
        let isOther = kind == .album && old?.hasArtist(new.artist) != true
        for field in [MarkEdit.Field.star, .rating] where isOther || taken.contains(field) {
            if kind == .album { try showAlbums(field, new, marks.serverID) }
            if taken.contains(field) { try show(field, kind, marks.name) }
        }
    }

    /// The meaning of the sticker of the name, unless another album or artist of that name is the reason for it.
    private func unexplained(_ field: MarkEdit.Field, _ kind: MarkedKind, _ marks: ServerItemMarks) throws -> Int? {
        let albums = kind == .album ? try AlbumMarkStore(database).values(field, titled: marks.name) : [:]
        if !albums.isEmpty, let artist = try marks.artist ?? row(kind, marks.serverID)?.artist {
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

    private static func expected(_ field: MarkEdit.Field) -> String {
        "coalesce(e.value, \(field == .star ? "c.starred <> 0" : "c.rating"))"
    }

    /// Asks about the albums or artists with a name and their edits that wait, in one statement however many have it.
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
            if try stickers.show(field, best, of: .tag(tag, name)) { changed += 1 }
        }
    }

    private func best(_ field: MarkEdit.Field, _ kind: MarkedKind, _ name: String) throws -> Int {
        let row = try expectation("max(\(Self.expected(field)))", field, kind, name)
        return try row.first { Int($0.int(0)) } ?? 0
    }

    /// Has an album show what the server has of it; all of its title where the first of them is told apart.
    private mutating func showAlbums(_ field: MarkEdit.Field, _ row: Row, _ serverID: String) throws {
        let (albums, title) = (AlbumMarkStore(database), row.name)
        let common = try stickers.value(MarkConvention.name(field), of: .tag(.album, title))
        let areApart = try albums.areApart(field, titled: title)
        // Most titles have no marks, and some titles have thousands of albums.
        if !areApart, MarkConvention.meaning(field, common) == 0,
            try expected(field, .album, serverID) ?? 0 == 0
        {
            return
        }
        if areApart, row.artist == nil { return }
        let rows = try expectation(
            "c.artist, max(\(Self.expected(field)))", field, .album, title,
            "\(areApart ? "AND c.artist = ?4" : "AND c.artist IS NOT NULL") GROUP BY c.artist")
        if areApart { rows.bind(4, row.artist) }
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
