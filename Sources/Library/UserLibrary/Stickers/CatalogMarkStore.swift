import GRDB
import LibraryIndex
import MusicModel

/// Keeps what the server knows of albums and artists, and the stickers that show it, inside a write transaction.
///
/// Stickers of tags belong to a name, and several albums may have one: the sticker shows the best of them, and an edit
/// goes to all of them. An artist's sticker stands under `Artist` and `AlbumArtist` alike.
struct CatalogMarkStore {
    private let database: Database
    private let edits: MarkEditStore
    private let stickers: StickerStore
    private let now: Int64
    /// Stickers that changed.
    private(set) var changed = 0
    /// Whether something waits for the server that did not before.
    private(set) var hasWork = false

    /// Works in a transaction; `now` is in Unix milliseconds.
    init(_ database: Database, now: Int64) {
        self.database = database
        self.now = now
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

    /// The kind that a tag's stickers show the marks of.
    static func kind(of tag: Tag) -> MarkedKind? {
        switch tag {
        case .album: .album
        case .artist, .albumArtist: .artist
        default: nil
        }
    }

    // MARK: Rows

    /// The row of an album or artist as the server had it.
    func row(_ kind: MarkedKind, _ serverID: String) throws -> (marks: ServerItemMarks, known: MarkFields)? {
        let row = try SQLStatement(
            database, "SELECT name, starred, rating FROM catalog_mark WHERE kind = ? AND server_id = ?")
        row.bind(1, kind.rawValue)
        row.bind(2, serverID)
        return try row.first {
            var known: MarkFields = []
            if !row.isNull(1) { known.insert(.star) }
            if !row.isNull(2) { known.insert(.rating) }
            return (
                ServerItemMarks(
                    serverID: serverID, name: row.text(0), starred: row.int(1), rating: Int(row.int(2))), known
            )
        }
    }

    /// The server's ids of the albums or artists with this name.
    func ids(_ kind: MarkedKind, named name: String) throws -> [String] {
        let rows = try SQLStatement(
            database, "SELECT server_id FROM catalog_mark WHERE kind = ? AND name = ? ORDER BY server_id")
        rows.bind(1, kind.rawValue)
        rows.bind(2, name)
        var ids: [String] = []
        try rows.forEach { ids.append(rows.text(0)) }
        return ids
    }

    /// Keeps what the server has.
    func write(_ kind: MarkedKind, _ marks: ServerItemMarks, known: MarkFields) throws {
        let row = try SQLStatement(
            database,
            "INSERT OR REPLACE INTO catalog_mark (kind, server_id, name, starred, rating) VALUES (?, ?, ?, ?, ?)")
        row.bind(1, kind.rawValue)
        row.bind(2, marks.serverID)
        row.bind(3, marks.name)
        row.bind(4, known.contains(.star) ? marks.starred : nil)
        row.bind(5, known.contains(.rating) ? Int64(marks.rating) : nil)
        try row.run()
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
    ///
    /// - Parameters:
    ///   - fields: what of it is known.
    ///   - clock: the number of the newest edit when the server was asked.
    mutating func observe(_ kind: MarkedKind, _ marks: ServerItemMarks, fields: MarkFields, clock: Int64) throws {
        let old = try row(kind, marks.serverID)
        var new = old?.marks ?? ServerItemMarks(serverID: marks.serverID, name: marks.name)
        var known = old?.known ?? []
        var taken: [MarkEdit.Field] = []
        new.name = marks.name
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
        // A star given anew has a newer time, which is all that changes.
        if fields.contains(.star), marks.starred != 0, new.starred != 0 { new.starred = marks.starred }
        if old == nil || old?.marks != new || old?.known != known { try write(kind, new, known: known) }
        for field in taken { try show(field, kind, marks.name) }
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
        let object = StickerObject.tag(Self.tags(of: kind)[0], marks.name)
        let meaning = MarkConvention.meaning(field, try stickers.value(MarkConvention.name(field), of: object))
        let others = try ids(kind, named: marks.name).filter { !ExactText.equal($0, marks.serverID) }
        return try others.contains { try expected(field, kind, $0) == meaning } ? nil : meaning
    }

    private mutating func show(_ field: MarkEdit.Field, _ kind: MarkedKind, _ name: String) throws {
        let best = try ids(kind, named: name).compactMap { try expected(field, kind, $0) }.max() ?? 0
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
}
