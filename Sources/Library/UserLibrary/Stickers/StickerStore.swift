import GRDB
import LibraryIndex
import MusicModel

/// Reads and writes the stickers of single objects inside a transaction. Counting is left to SQLite, so that texts,
/// fractions and numbers too large become what they become in MPD.
/// - Source: MPD v0.24.13 src/sticker/Database.cxx.
struct StickerStore {
    private let database: Database
    init(_ database: Database) { self.database = database }

    func value(_ name: String, of object: StickerObject) throws -> String? {
        try database.first(
            "SELECT value FROM \(object.table) WHERE \(object.condition) AND name = ?3", object.kind.name, object.id,
            name
        ) { $0.text(0) }
    }

    func values(of object: StickerObject) throws -> [(name: String, value: String)] {
        try database.rows(
            "SELECT name, value FROM \(object.table) WHERE \(object.condition) ORDER BY name", object.kind.name,
            object.id
        ) { ($0.text(0), $0.text(1)) }
    }

    func set(_ name: String, of object: StickerObject, to value: String) throws -> StickerChange? {
        try write(name, of: object, value: value, onConflict: "excluded.value")
    }

    /// Writes a sticker, or removes it where there is no value; nil when it said the same before.
    func replace(_ name: String, of object: StickerObject, by value: String?) throws -> StickerChange? {
        if let value { try set(name, of: object, to: value) } else { try delete(name, of: object) }
    }

    /// Adds to a sticker or subtracts from it; a new one gets the amount as it is, also when it was to be subtracted.
    func count(_ name: String, of object: StickerObject, _ step: StickerStep, by amount: String) throws
        -> StickerChange?
    { try write(name, of: object, value: amount, onConflict: step == .up ? "value + ?4" : "value - ?4") }

    /// Has a field's sticker stand for a value; false where it does.
    func show(_ field: MarkEdit.Field, _ value: Int, of object: StickerObject) throws -> Bool {
        let name = MarkConvention.name(field)
        if MarkConvention.meaning(field, try self.value(name, of: object)) == value { return false }
        return try replace(name, of: object, by: MarkConvention.text(field, value)) != nil
    }

    func delete(_ name: String, of object: StickerObject) throws -> StickerChange? {
        try database.first(
            "DELETE FROM \(object.table) WHERE \(object.condition) AND name = ?3 RETURNING value", object.kind.name,
            object.id, name
        ) { StickerChange(object: object, name: name, oldValue: $0.text(0), newValue: nil) }
    }

    func deleteAll(of object: StickerObject) throws -> [StickerChange] {
        try database.rows(
            "DELETE FROM \(object.table) WHERE \(object.condition) RETURNING name, value", object.kind.name, object.id
        ) { StickerChange(object: object, name: $0.text(0), oldValue: $0.text(1), newValue: nil) }
    }

    private func write(_ name: String, of object: StickerObject, value: String, onConflict: String) throws
        -> StickerChange?
    {
        let old = try self.value(name, of: object)
        let new = try database.first(
            """
            INSERT INTO \(object.table) (\(object.columns), name, value) VALUES (\(object.parameters), ?3, ?4)
            ON CONFLICT (\(object.columns), name) DO UPDATE SET value = \(onConflict) RETURNING value
            """, object.kind.name, object.id, name, value
        ) { $0.text(0) }
        if let old, let new, ExactText.equal(old, new) { return nil }
        return StickerChange(object: object, name: name, oldValue: old, newValue: new)
    }
}

extension StickerObject {
    var kind: StickerKind {
        switch self {
        case .song: .song
        case .playlist: .playlist
        case .filter: .filter
        case .tag(let tag, _): .tag(tag)
        }
    }

    /// The song's number, which SQLite compares as one, or the object's name.
    fileprivate var id: String {
        switch self {
        case .song(let id): String(id.rawValue)
        case .playlist(let name), .filter(let name), .tag(_, let name): name
        }
    }

    private var isSong: Bool { kind == .song }
    fileprivate var table: String { isSong ? "song_sticker" : "sticker" }
    fileprivate var columns: String { isSong ? "song" : "type, object" }
    fileprivate var parameters: String { isSong ? "?2" : "?1, ?2" }
    fileprivate var condition: String { isSong ? "song = ?2" : "type = ?1 AND object = ?2" }
}
