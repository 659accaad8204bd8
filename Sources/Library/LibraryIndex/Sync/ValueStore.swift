import GRDB
import MusicModel

struct ValueStore {
    private struct Key: Hashable, Comparable {
        var tag: Tag
        var text: ExactText

        static func < (lhs: Key, rhs: Key) -> Bool {
            lhs.tag == rhs.tag ? lhs.text < rhs.text : lhs.tag.rawValue < rhs.tag.rawValue
        }
    }

    private struct Link {
        var value: Int64
        var song: Int64
        var position: UInt16
    }

    private let database: Database
    private var links: [Link] = []
    private var lost: [Link] = []
    init(_ database: Database) { self.database = database }

    /// Makes sure that every text of these songs has a number, and returns the tags of each song with them.
    func store(_ songs: [PendingSong]) throws -> [[TagList.Item]] {
        var indices: [Key: Int64] = [:]
        var keys: [Key] = []
        // Until the numbers are known an item holds the index of its text in `keys`.
        var lists = songs.map { song in
            song.searchedTags.map { tag in
                let key = Key(tag: tag.tag, text: ExactText(tag.value))
                if let index = indices[key] { return TagList.Item(tag: tag.tag, value: index) }
                indices[key] = Int64(keys.count)
                keys.append(key)
                return TagList.Item(tag: tag.tag, value: Int64(keys.count - 1))
            }
        }
        indices = [:]
        let numbers = try numbers(of: keys)
        for song in lists.indices {
            for tag in lists[song].indices { lists[song][tag].value = numbers[Int(lists[song][tag].value)] }
        }
        return lists
    }

    private func numbers(of keys: [Key]) throws -> [Int64] {
        var numbers = [Int64](repeating: 0, count: keys.count)
        var next = try database.nextID(in: "value")
        if next > 1 { try find(keys, &numbers) }
        // In the order of the index, which then grows at its end.
        let new = keys.indices.filter { numbers[$0] == 0 }.sorted { keys[$0] < keys[$1] }
        let insertion = try SQLStatement(database, "INSERT INTO value (id, kind, text, folded) VALUES (?, ?, ?, ?)")
        let indexing = try SQLStatement(database, "INSERT INTO value_fts (rowid, folded) VALUES (?, ?)")
        for index in new {
            let (tag, text) = (keys[index].tag, keys[index].text.text)
            let folded = TextFolding.folded(text)
            try insertion.run(next, Int(tag.rawValue), text, ExactText.equal(folded, text) ? nil : folded)
            if Self.isIndexed(text, tag) { try indexing.run(next, folded) }
            numbers[index] = next
            next += 1
        }
        return numbers
    }

    /// Notes the tags of a song, to be written by `finish`.
    mutating func link(_ song: Int64, _ items: [TagList.Item]) {
        for (position, item) in items.enumerated() {
            links.append(Link(value: item.value, song: song, position: UInt16(clamping: position)))
        }
    }

    /// Notes the tags that a song loses, to be removed by `finish` before it writes the new ones.
    mutating func unlink(_ song: Int64, _ items: [TagList.Item]) {
        for item in items { lost.append(Link(value: item.value, song: song, position: 0)) }
    }

    /// Writes what was noted, in the order of the table, and removes texts that no song has any more.
    mutating func finish() throws {
        lost.sort { ($0.value, $0.song) < ($1.value, $1.song) }
        let deletion = try SQLStatement(database, "DELETE FROM song_value WHERE value = ? AND song = ?")
        for link in lost { try deletion.run(link.value, link.song) }
        links.sort { ($0.value, $0.song, $0.position) < ($1.value, $1.song, $1.position) }
        let insertion = try SQLStatement(
            database, "INSERT OR IGNORE INTO song_value (value, song, place) VALUES (?, ?, ?)")
        for link in links { try insertion.run(link.value, link.song, Int64(link.position)) }
        links = []
        try removeOrphans()
    }

    private static func isIndexed(_ text: String, _ tag: Tag) -> Bool { !Trigrams.isUUID(text, tag) }

    private func find(_ keys: [Key], _ numbers: inout [Int64]) throws {
        let row = try SQLStatement(database, "SELECT id FROM value WHERE kind = ? AND text = ?")
        for (index, key) in keys.enumerated() {
            if let id = try row.first(Int(key.tag.rawValue), key.text.text, read: { $0.int(0) }) { numbers[index] = id }
        }
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
        var last: Int64 = 0
        for id in lost.lazy.map(\.value) where id != last {
            last = id
            guard let (kind, text, folded) = try row.first(id, read: { ($0.int(0), $0.text(1), $0.text(2)) }) else {
                continue
            }
            if let tag = Tag(rawValue: UInt8(clamping: kind)), Self.isIndexed(text, tag) { try removal.run(id, folded) }
            try deletion.run(id)
        }
    }
}
