import GRDB
import LibraryIndex
package import MusicModel

extension Library {
    /// The partition that is always there.
    package static let defaultPartition = "default"
    /// The key of the partition that is always there.
    package static var defaultKey: PartitionKey { PartitionKey(defaultPartition) }

    /// The names of the partitions in the order in which they were made, `default` first.
    package func partitionNames() throws -> [String] {
        try database.readNow { try $0.rows("SELECT name FROM partition ORDER BY id") { $0.text(0) } }
    }

    /// Keeps a new partition; nothing happens if there is one of that name.
    package func addPartition(_ name: String) async throws {
        try await database.run("INSERT OR IGNORE INTO partition (name) VALUES (?)", name)
    }

    /// Gives a partition another name with all that is kept of it, and its key the name with the commit: writes that
    /// wait find it. One that could not be kept so far is kept from now on.
    /// - Throws: `LibraryError`, also when another partition has the name.
    package func renamePartition(_ partition: PartitionKey, to name: String) async throws {
        try await write { database in
            let earlier = partition.name
            guard earlier != name else { return }
            try PartitionRow.rename(earlier, to: name, in: database)
            try database.setFact(Self.departedKey(name), database.fact(Self.departedKey(earlier)))
            try database.setFact(Self.departedKey(earlier), nil)
            database.afterNextTransaction { _ in partition.becomes(name) }
        }
    }

    /// Forgets a partition with its queue, options and outputs; the default one stays.
    package func removePartition(_ partition: PartitionKey) async throws {
        try await write { database in
            let name = partition.name
            guard name != Self.defaultPartition, let id = try PartitionRow.id(of: name, in: database) else { return }
            try database.setFact(Self.departedKey(name), nil)
            for table in ["queue_entry", "queue", "player", "player_output", "dj", "pick"] {
                try database.run("DELETE FROM \(table) WHERE partition = ?", id)
            }
            try database.run("DELETE FROM partition WHERE id = ?", id)
        }
    }

    /// Songs of the library by chance, each once.
    package func songsByChance(_ count: Int) async throws -> [SongID] {
        try await database.rows(
            "SELECT id FROM song WHERE walk IS NOT NULL ORDER BY random() LIMIT ?", max(count, 0)
        ) { SongID(rawValue: $0.int(0)) }
    }

    /// Saves a partition's queue; only entries that changed are written. Nothing is kept for a partition that is gone.
    package func saveQueue(_ queue: SavedQueue, of partition: PartitionKey = Library.defaultKey) async throws {
        try await write { try QueueStore($0, partition)?.save(queue) }
    }

    /// Makes a partition's saved queue a later one. Nothing is kept for a partition that is gone.
    package func saveQueue(
        _ changes: SavedQueueChanges, of partition: PartitionKey = Library.defaultKey
    ) async throws { try await write { try QueueStore($0, partition)?.save(changes) } }

    /// Saves a partition's position and options. Nothing is kept for a partition that is gone.
    package func savePlayer(_ player: SavedPlayer, of partition: PartitionKey = Library.defaultKey) async throws {
        try await write { try PlayerStore($0, partition)?.save(player) }
    }

    /// A partition's queue as it was saved last; songs of it may be gone since.
    package func savedQueue(of partition: PartitionKey = Library.defaultKey) throws -> SavedQueue {
        try database.readNow { try QueueStore($0, partition)?.load() ?? SavedQueue() }
    }

    /// True if a partition's player was ever saved, if only with the values that every player begins with.
    package func hasSavedPlayer(of partition: PartitionKey = Library.defaultKey) throws -> Bool {
        try database.readNow { database in
            guard let id = try PartitionRow.id(of: partition.name, in: database) else { return false }
            return try database.has("SELECT 1 FROM player WHERE partition = ?", id)
        }
    }

    /// A partition's player as it was saved last.
    package func savedPlayer(of partition: PartitionKey = Library.defaultKey) throws -> SavedPlayer {
        try database.readNow { try PlayerStore($0, partition)?.load() ?? SavedPlayer() }
    }

    private static let maxDeparted = 100_000

    static func departedKey(_ partition: String) -> String { "departed." + partition }

    /// Keeps these entries of a partition, which left at a time in Unix seconds, instead of those before.
    package func saveDeparted(_ entries: [DepartedEntry], left: Int64, of partition: PartitionKey) async throws {
        let text = entries.isEmpty ? nil : DepartedEntryText.write(entries.prefix(Self.maxDeparted), left: left)
        try await write { try $0.setFact(Self.departedKey(partition.name), text) }
    }

    /// The entries that were kept of a partition, and when they left in Unix seconds.
    package func savedDeparted(of partition: PartitionKey) async throws -> (entries: [DepartedEntry], left: Int64) {
        try await fact(Self.departedKey(partition.name)).map(DepartedEntryText.read) ?? ([], 0)
    }
}

enum PartitionRow {
    static func id(of name: String, in database: Database) throws -> Int64? {
        try database.first("SELECT id FROM partition WHERE name = ?", name) { $0.int(0) }
    }

    static func rename(_ earlier: String, to name: String, in database: Database) throws {
        guard let id = try id(of: earlier, in: database) else {
            return try database.run("INSERT INTO partition (name) VALUES (?)", name)
        }
        try database.run("UPDATE partition SET name = ? WHERE id = ?", name, id)
    }
}

enum DepartedEntryText {
    static func write(_ entries: some Sequence<DepartedEntry>, left: Int64) -> String {
        var text = String(left)
        for entry in entries {
            let numbers: [Int64] = [
                entry.song.rawValue, entry.predecessor.map { Int64($0.rawValue) } ?? absent, Int64(entry.position),
                Int64(entry.priority), entry.wasCurrent ? 1 : 0, entry.range?.start.milliseconds ?? absent,
                entry.range?.end?.milliseconds ?? absent,
            ]
            text += "\n" + numbers.map(String.init).joined(separator: " ")
            if !entry.sheetTags.isEmpty { text += " \(tagsMark)" + TagPairs.encode(entry.sheetTags).hexadecimal }
        }
        return text
    }

    static func read(_ text: String) -> (entries: [DepartedEntry], left: Int64) {
        let lines = text.split(separator: "\n")
        guard let left = lines.first.flatMap({ Int64($0) }) else { return ([], 0) }
        return (lines.dropFirst().compactMap(entry), left)
    }

    private static let absent: Int64 = -1

    private static let tagsMark = "t"

    private static func tags(_ word: Substring?) -> [TagValue] {
        guard let word, word.hasPrefix(tagsMark) else { return [] }
        let digits = word.utf8.dropFirst().map { UInt8(Character(Unicode.Scalar($0)).hexDigitValue ?? 0) }
        let bytes = stride(from: 0, to: digits.count - digits.count % 2, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
        return bytes.withUnsafeBytes { TagPairs.decode($0) }
    }

    private static func entry(_ line: Substring) -> DepartedEntry? {
        let words = line.split(separator: " ")
        let numbers = words.compactMap { Int64($0) }
        guard numbers.count == 7, numbers[0] > 0 else { return nil }
        let start = Duration.milliseconds(clamping: max(0, numbers[5]))
        let end = numbers[6] == absent ? nil : Duration.milliseconds(clamping: max(0, numbers[6]))
        return DepartedEntry(
            song: SongID(rawValue: numbers[0]), range: numbers[5] == absent ? nil : SongRange(start: start, end: end),
            sheetTags: tags(words.count > 7 ? words[7] : nil), priority: Int(numbers[3].clamped(to: 0...255)),
            predecessor: UInt32(exactly: numbers[1]).map { QueueEntryID(rawValue: $0) },
            position: Int(numbers[2].clamped(to: 0...Int64(Int32.max))), wasCurrent: numbers[4] == 1)
    }
}
