import GRDB
import LibraryIndex
import MusicModel

/// Finds stickers by name and value inside a read transaction, in MPD's order: by values, equal ones by their objects.
/// - Source: MPD v0.24.13 src/sticker/Database.cxx `BindFind`, src/sticker/SongSticker.cxx `sticker_song_find`.
struct StickerSearch {
    let database: Database
    let query: StickerQuery

    /// Below this many hits each one's song is looked up; above it the songs are walked in the order of their paths.
    private static let fewHits: Int64 = 2000

    func songs(below base: String) throws -> [FoundSticker] {
        let prefix = base.isEmpty ? "" : base + "/"
        // With a key SQLite follows the index of the values, sorts the paths of equal ones, and stops at the limit.
        let source =
            try key != nil || hits() < Self.fewHits
            ? "song_sticker t CROSS JOIN song s ON s.id = t.song"
            : "song s INDEXED BY song_uri CROSS JOIN song_sticker t ON t.song = s.id"
        // A blob is larger than every text.
        return try found(
            """
            SELECT s.uri, t.value FROM \(source)
            WHERE t.name = ?1\(condition) AND s.uri >= ?3 AND s.uri < ifnull(?4, x'')
            ORDER BY \(key.map { "\($0)\(direction), s.uri" } ?? "s.uri\(direction)") LIMIT ?5 OFFSET ?6
            """, prefix, prefix.isEmpty ? nil : String(prefix.dropLast()) + "0")
    }

    /// Stickers of other objects whose names begin with `base`, ASCII letters in any case.
    func objects(_ kind: StickerKind, startingWith base: String) throws -> [FoundSticker] {
        try found(
            """
            SELECT object, value FROM sticker
            WHERE type = ?4 AND object LIKE (?3 || '%') AND name = ?1\(condition)\(Self.existence(kind))
            ORDER BY \(key.map { "\($0)\(direction), object" } ?? "object\(direction)") LIMIT ?5 OFFSET ?6
            """, base, kind.name)
    }

    private func found(_ sql: String, _ third: String, _ fourth: String?) throws -> [FoundSticker] {
        let limit = query.window.map { $0.upperBound == .max ? -1 : Int64($0.count) } ?? -1
        return try database.rows(
            sql, query.name, query.test?.value, third, fourth, limit, query.window?.lowerBound ?? 0
        ) { FoundSticker(object: $0.text(0), value: $0.text(1)) }
    }

    /// Tag values that no song has any more are kept, but not shown.
    private static func existence(_ kind: StickerKind) -> String {
        guard case .tag(let tag) = kind else { return "" }
        let kinds = ([tag] + tag.fallbacks).map { String($0.rawValue) }.joined(separator: ", ")
        return """
             AND (object = '' OR EXISTS (SELECT 1 FROM value v WHERE v.kind IN (\(kinds)) AND v.text = sticker.object))
            """
    }

    private func hits() throws -> Int64 {
        try database.integer(
            """
            SELECT count(*) FROM
                (SELECT 1 FROM song_sticker t WHERE t.name = ?1\(condition) LIMIT \(Self.fewHits))
            """, query.name, query.test?.value)
    }

    private var key: String? {
        switch query.sort {
        case nil, .object: nil
        case .value: "value"
        case .number: "CAST(value AS INT)"
        }
    }

    private var condition: String {
        switch query.test?.comparison {
        case nil: ""
        case .equals: " AND value = ?2"
        case .lessThan: " AND value < ?2"
        case .greaterThan: " AND value > ?2"
        case .equalsNumber: " AND CAST(value AS INT) = ?2"
        case .lessThanNumber: " AND CAST(value AS INT) < ?2"
        case .greaterThanNumber: " AND CAST(value AS INT) > ?2"
        case .contains: " AND value LIKE ('%' || ?2 || '%')"
        case .startsWith: " AND value LIKE (?2 || '%')"
        }
    }

    private var direction: String { query.isDescending ? " DESC" : "" }
}
