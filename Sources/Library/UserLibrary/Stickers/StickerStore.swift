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
        let row = try statement("SELECT value FROM \(object.table) WHERE \(object.condition) AND name = ?3", object)
        row.bind(3, name)
        return try row.first { $0.text(0) }
    }

    /// All stickers of an object, by the bytes of their names.
    func values(of object: StickerObject) throws -> [(name: String, value: String)] {
        try statement("SELECT name, value FROM \(object.table) WHERE \(object.condition) ORDER BY name", object)
            .rows { ($0.text(0), $0.text(1)) }
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

    func delete(_ name: String, of object: StickerObject) throws -> StickerChange? {
        guard let old = try value(name, of: object) else { return nil }
        let deletion = try statement("DELETE FROM \(object.table) WHERE \(object.condition) AND name = ?3", object)
        deletion.bind(3, name)
        try deletion.run()
        return StickerChange(object: object, name: name, oldValue: old, newValue: nil)
    }

    func deleteAll(of object: StickerObject) throws -> [StickerChange] {
        let changes = try values(of: object).map {
            StickerChange(object: object, name: $0.name, oldValue: $0.value, newValue: nil)
        }
        if !changes.isEmpty { try statement("DELETE FROM \(object.table) WHERE \(object.condition)", object).run() }
        return changes
    }

    private func write(_ name: String, of object: StickerObject, value: String, onConflict: String) throws
        -> StickerChange?
    {
        let old = try self.value(name, of: object)
        let insertion = try statement(
            """
            INSERT INTO \(object.table) (\(object.columns), name, value) VALUES (\(object.parameters), ?3, ?4)
            ON CONFLICT (\(object.columns), name) DO UPDATE SET value = \(onConflict)
            """, object)
        insertion.bind(3, name)
        insertion.bind(4, value)
        try insertion.run()
        let new = try self.value(name, of: object)
        if let old, let new, ExactText.equal(old, new) { return nil }
        return StickerChange(object: object, name: name, oldValue: old, newValue: new)
    }

    /// Prepares a statement whose arguments 1 and 2 name the object.
    private func statement(_ sql: String, _ object: StickerObject) throws -> SQLStatement {
        let statement = try SQLStatement(database, sql)
        switch object {
        case .song(let id): statement.bind(1, id.rawValue)
        case .playlist(let name), .filter(let name), .tag(_, let name):
            statement.bind(all: object.kind.name, name)
        }
        return statement
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

    private var isSong: Bool { kind == .song }

    fileprivate var table: String { isSong ? "song_sticker" : "sticker" }
    fileprivate var columns: String { isSong ? "song" : "type, object" }
    fileprivate var parameters: String { isSong ? "?1" : "?1, ?2" }
    fileprivate var condition: String { isSong ? "song = ?1" : "type = ?1 AND object = ?2" }
}
