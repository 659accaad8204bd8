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
        try database.readNow { database in
            try database.rows("SELECT name FROM partition ORDER BY id") { $0.text(0) }
        }
    }

    /// Keeps a new partition; nothing happens if there is one of that name.
    @concurrent
    package func addPartition(_ name: String) async throws {
        try await write { try $0.run("INSERT OR IGNORE INTO partition (name) VALUES (?)", name) }
    }

    /// Gives a partition another name with all that is kept of it, and its key the name with the commit: writes that
    /// wait find it under its new one. One that could not be kept so far is kept from now on.
    /// - Throws: `LibraryError`, also when another partition has the name.
    @concurrent
    package func renamePartition(_ partition: PartitionKey, to name: String) async throws {
        try await write { database in
            let earlier = partition.name
            guard earlier != name else { return }
            try PartitionRow.rename(earlier, to: name, in: database)
            let facts = Facts(database)
            try facts.set(Self.departedKey(name), facts.value(Self.departedKey(earlier)))
            try facts.set(Self.departedKey(earlier), nil)
            database.afterNextTransaction { _ in partition.becomes(name) }
        }
    }

    /// Forgets a partition with its queue, options and outputs; the default one stays.
    @concurrent
    package func removePartition(_ partition: PartitionKey) async throws {
        try await write { database in
            let name = partition.name
            guard name != Self.defaultPartition, let id = try PartitionRow.id(of: name, in: database) else { return }
            try Facts(database).set(Self.departedKey(name), nil)
            for table in ["queue_entry", "queue", "player", "player_output", "dj", "pick"] {
                try database.run("DELETE FROM \(table) WHERE partition = ?", id)
            }
            try database.run("DELETE FROM partition WHERE id = ?", id)
        }
    }

    /// Songs of the library by chance, each once.
    @concurrent
    package func songsByChance(_ count: Int) async throws -> [SongID] {
        try await read { database in
            try database.rows(
                "SELECT id FROM song WHERE walk IS NOT NULL ORDER BY random() LIMIT ?", max(count, 0)
            ) { SongID(rawValue: $0.int(0)) }
        }
    }

    /// Saves a partition's queue; only entries that changed are written. Nothing is kept for a partition that is gone.
    @concurrent
    package func saveQueue(_ queue: SavedQueue, of partition: PartitionKey = Library.defaultKey) async throws {
        try await write { database in
            guard let id = try PartitionRow.id(of: partition.name, in: database) else { return }
            try QueueStore(database, partition: id).save(queue)
        }
    }

    /// Makes a partition's saved queue a later one. Nothing is kept for a partition that is gone.
    @concurrent
    package func saveQueue(
        _ changes: SavedQueueChanges, of partition: PartitionKey = Library.defaultKey
    ) async throws {
        try await write { database in
            guard let id = try PartitionRow.id(of: partition.name, in: database) else { return }
            try QueueStore(database, partition: id).save(changes)
        }
    }

    /// Saves a partition's position and options. Nothing is kept for a partition that is gone.
    @concurrent
    package func savePlayer(_ player: SavedPlayer, of partition: PartitionKey = Library.defaultKey) async throws {
        try await write { database in
            guard let id = try PartitionRow.id(of: partition.name, in: database) else { return }
            try PlayerStore(database, partition: id).save(player)
        }
    }

    /// A partition's queue as it was saved last; entries may be of songs that are gone since, for which `queueable`
    /// has no answer.
    package func savedQueue(of partition: PartitionKey = Library.defaultKey) throws -> SavedQueue {
        try database.readNow { database in
            guard let id = try PartitionRow.id(of: partition.name, in: database) else { return SavedQueue() }
            return try QueueStore(database, partition: id).load()
        }
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
        try database.readNow { database in
            guard let id = try PartitionRow.id(of: partition.name, in: database) else { return SavedPlayer() }
            return try PlayerStore(database, partition: id).load()
        }
    }
}

enum PartitionRow {
    /// The number by which other tables refer to a partition; nil if there is none of that name.
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
