import GRDB
import LibraryIndex
import MusicModel

/// Finds stickers by name and value inside a read transaction. The answer's order is MPD's: by the bytes of the
/// objects, and where values are sorted, equal ones by their objects.
/// - Source: MPD v0.24.13 src/sticker/Database.cxx `BindFind`, src/sticker/SongSticker.cxx `sticker_song_find`.
struct StickerSearch {
    let database: Database
    let query: StickerQuery

    /// Below this many hits each one's song is looked up; above it the songs are walked in the order of their paths.
    private static let fewHits: Int64 = 2000

    /// Stickers of songs below a directory; the empty path is the root.
    func songs(below base: String) throws -> [FoundSticker] {
        let prefix = base.isEmpty ? "" : base + "/"
        switch query.sort {
        case nil, .object: return try songsByPath(prefix)
        case .value: return try songsByValue(prefix, key: "value")
        case .number: return try songsByValue(prefix, key: "CAST(value AS INT)")
        }
    }

    /// Stickers of other objects whose names begin with `base`, ASCII letters in any case.
    func objects(_ kind: StickerKind, startingWith base: String) throws -> [FoundSticker] {
        let key =
            switch query.sort {
            case nil, .object: "object"
            case .value: "value"
            case .number: "CAST(value AS INT)"
            }
        let ties = key == "object" ? "" : ", object"
        let rows = try SQLStatement(
            database,
            """
            SELECT object, value FROM sticker
            WHERE type = ?4 AND object LIKE (?3 || '%') AND name = ?1\(condition)\(Self.existence(kind))
            ORDER BY \(key)\(direction)\(ties) LIMIT ?5 OFFSET ?6
            """)
        bind(rows)
        rows.bind(3, base)
        rows.bind(4, kind.name)
        bindWindow(rows, 5, 6)
        return try found(rows)
    }

    /// Tag values that no song has any more are kept, but not shown.
    private static func existence(_ kind: StickerKind) -> String {
        guard case .tag(let tag) = kind else { return "" }
        let kinds = ([tag] + tag.fallbacks).map { String($0.rawValue) }.joined(separator: ", ")
        return """
             AND (object = '' OR EXISTS (SELECT 1 FROM value v WHERE v.kind IN (\(kinds)) AND v.text = sticker.object))
            """
    }

    // MARK: Songs

    private func songsByPath(_ prefix: String) throws -> [FoundSticker] {
        let source =
            try hits() < Self.fewHits
            ? "song_sticker t CROSS JOIN song s ON s.id = t.song"
            : "song s INDEXED BY song_uri CROSS JOIN song_sticker t ON t.song = s.id"
        let rows = try SQLStatement(
            database,
            """
            SELECT s.uri, t.value FROM \(source)
            WHERE t.name = ?1\(condition) AND s.uri >= ?3 AND s.uri < ?4
            ORDER BY s.uri\(direction) LIMIT ?5 OFFSET ?6
            """)
        bind(rows)
        rows.bind(3, prefix)
        bindEnd(of: prefix, rows, 4)
        bindWindow(rows, 5, 6)
        return try found(rows)
    }

    /// How many stickers pass, up to the number that matters.
    private func hits() throws -> Int64 {
        let row = try SQLStatement(
            database,
            """
            SELECT count(*) FROM
                (SELECT 1 FROM song_sticker t WHERE t.name = ?1\(condition) LIMIT \(Self.fewHits))
            """)
        bind(row)
        return try row.first { $0.int(0) } ?? 0
    }

    /// Follows the index of the values and stops when the window is full; the paths of equal values are sorted here.
    private func songsByValue(_ prefix: String, key: String) throws -> [FoundSticker] {
        let window = query.window ?? 0..<Int.max
        let rows = try SQLStatement(
            database,
            "SELECT song, value, \(key) FROM song_sticker t WHERE name = ?1\(condition) ORDER BY \(key)\(direction)")
        bind(rows)
        defer { rows.reset() }
        var paths = try SongPaths(database, prefix)
        var result: [FoundSticker] = []
        var group: [(song: Int64, value: String)] = []
        var groupKey = ""
        while result.count < window.upperBound, try rows.step() {
            let key = rows.text(2)
            if !group.isEmpty, !ExactText.equal(key, groupKey) {
                result += try paths.sorted(group)
                group.removeAll(keepingCapacity: true)
            }
            groupKey = key
            group.append((rows.int(0), rows.text(1)))
        }
        if result.count < window.upperBound { result += try paths.sorted(group) }
        return Array(result[window.clamped(to: 0..<result.count)])
    }

    // MARK: Statements

    private var condition: String {
        switch query.comparison {
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

    private func bind(_ statement: SQLStatement) {
        statement.bind(1, query.name)
        if query.comparison != nil { statement.bind(2, query.value) }
    }

    /// Sets the end of the range of texts that begin with `prefix`; a blob is larger than every text.
    private func bindEnd(of prefix: String, _ statement: SQLStatement, _ index: Int32) {
        if prefix.isEmpty {
            statement.bind(index, [0] as [UInt8])
        } else {
            statement.bind(index, String(prefix.dropLast()) + "0")
        }
    }

    private func bindWindow(_ statement: SQLStatement, _ limit: Int32, _ offset: Int32) {
        statement.bind(limit, query.window.map { $0.upperBound == .max ? -1 : Int64($0.count) } ?? -1)
        statement.bind(offset, query.window?.lowerBound ?? 0)
    }

    private func found(_ rows: SQLStatement) throws -> [FoundSticker] {
        var found: [FoundSticker] = []
        try rows.forEach { found.append(FoundSticker(object: $0.text(0), value: $0.text(1))) }
        return found
    }
}

/// The paths of songs with stickers; songs that are gone or elsewhere have none.
private struct SongPaths {
    private let prefix: [UInt8]
    private let row: SQLStatement

    init(_ database: Database, _ prefix: String) throws {
        self.prefix = Array(prefix.utf8)
        row = try SQLStatement(database, "SELECT uri FROM song WHERE id = ?")
    }

    /// The stickers of a group by the bytes of the songs' paths.
    mutating func sorted(_ group: [(song: Int64, value: String)]) throws -> [FoundSticker] {
        var found: [FoundSticker] = []
        for (song, value) in group {
            let path = try row.first(song) { row -> String? in
                let bytes = row.bytes(0)
                return !bytes.isEmpty && bytes.starts(with: prefix) ? row.text(0) : nil
            }
            if let path = path ?? nil { found.append(FoundSticker(object: path, value: value)) }
        }
        return found.sorted { ExactText.compare($0.object, $1.object) < 0 }
    }
}
