import GRDB
import MusicModel

/// Writes the distinct texts of tags and which songs have them.
struct ValueStore {
    private struct Key: Hashable {
        var tag: Tag
        var text: ExactText
    }

    private struct Link {
        var value: Int64
        var song: Int64
        var place: UInt16
    }

    private let database: Database
    private var numbers: [Key: Int64] = [:]
    private var links: [Link] = []
    /// Values that lost a song and may have none any more.
    private var suspects: Set<Int64> = []

    init(_ database: Database) { self.database = database }

    /// Makes sure that every text of these songs has a number.
    mutating func store(_ songs: [PendingSong]) throws {
        var new: [Key] = []
        for song in songs {
            for tag in song.song.tags {
                let key = Key(tag: tag.tag, text: ExactText(tag.value))
                if numbers.updateValue(0, forKey: key) == nil { new.append(key) }
            }
        }
        var next = try database.integer("SELECT max(id) FROM value") + 1
        if next > 1 { try find(&new) }
        // In the order of the index, which then grows at its end.
        new.sort { $0.tag.rawValue == $1.tag.rawValue ? $0.text < $1.text : $0.tag.rawValue < $1.tag.rawValue }
        let insertion = try SQLStatement(database, "INSERT INTO value (id, kind, text, folded) VALUES (?, ?, ?, ?)")
        let indexing = try SQLStatement(database, "INSERT INTO value_fts (rowid, folded) VALUES (?, ?)")
        for key in new {
            let folded = TextFolding.folded(key.text.text)
            insertion.bind(1, next)
            insertion.bind(2, Int(key.tag.rawValue))
            insertion.bind(3, key.text.text)
            insertion.bind(4, ExactText.equal(folded, key.text.text) ? nil : folded)
            try insertion.run()
            if Self.isIndexed(key.text.text, key.tag) {
                indexing.bind(1, next)
                indexing.bind(2, folded)
                try indexing.run()
            }
            numbers[key] = next
            next += 1
        }
    }

    /// The tags of a song with the numbers of their texts, which `store` has seen.
    func items(_ tags: [TagValue]) -> [TagList.Item] {
        tags.compactMap { tag in
            numbers[Key(tag: tag.tag, text: ExactText(tag.value))].map { TagList.Item(tag: tag.tag, value: $0) }
        }
    }

    /// Notes the tags of a song, to be written by `writeLinks`.
    mutating func link(_ song: Int64, _ items: [TagList.Item]) {
        for (place, item) in items.enumerated() {
            links.append(Link(value: item.value, song: song, place: UInt16(clamping: place)))
        }
    }

    /// Takes the tags from a song.
    mutating func unlink(_ song: Int64, _ items: [TagList.Item]) throws {
        let deletion = try SQLStatement(database, "DELETE FROM song_value WHERE value = ? AND song = ?")
        for item in items {
            deletion.bind(1, item.value)
            deletion.bind(2, song)
            try deletion.run()
            suspects.insert(item.value)
        }
    }

    /// Writes the noted tags in the order of the table, and removes texts that no song has.
    mutating func finish() throws {
        links.sort { ($0.value, $0.song, $0.place) < ($1.value, $1.song, $1.place) }
        let insertion = try SQLStatement(
            database, "INSERT OR IGNORE INTO song_value (value, song, place) VALUES (?, ?, ?)")
        for link in links {
            insertion.bind(1, link.value)
            insertion.bind(2, link.song)
            insertion.bind(3, Int64(link.place))
            try insertion.run()
        }
        links = []
        try removeOrphans()
    }

    // MARK: -

    private static func isIndexed(_ text: String, _ tag: Tag) -> Bool { !Trigrams.isUUID(text, tag) }

    /// Looks the texts up that the index has, and leaves the others in `keys`.
    private mutating func find(_ keys: inout [Key]) throws {
        let row = try SQLStatement(database, "SELECT id FROM value WHERE kind = ? AND text = ?")
        var unknown: [Key] = []
        for key in keys {
            row.bind(1, Int(key.tag.rawValue))
            row.bind(2, key.text.text)
            if let id = try row.first({ row.int(0) }) { numbers[key] = id } else { unknown.append(key) }
        }
        keys = unknown
    }

    private func removeOrphans() throws {
        let row = try SQLStatement(
            database,
            """
            SELECT kind, text, ifnull(folded, text) FROM value
            WHERE id = ?1 AND NOT EXISTS (SELECT 1 FROM song_value WHERE value = ?1)
            """)
        let deletion = try SQLStatement(database, "DELETE FROM value WHERE id = ?")
        let removal = try SQLStatement(
            database, "INSERT INTO value_fts (value_fts, rowid, folded) VALUES ('delete', ?, ?)")
        for id in suspects.sorted() {
            row.bind(1, id)
            guard let (kind, text, folded) = try row.first({ (row.int(0), row.text(1), row.text(2)) }) else { continue }
            if let tag = Tag(rawValue: UInt8(clamping: kind)), Self.isIndexed(text, tag) {
                removal.bind(1, id)
                removal.bind(2, folded)
                try removal.run()
            }
            deletion.bind(1, id)
            try deletion.run()
        }
    }
}
