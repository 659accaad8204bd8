import GRDB
public import MusicModel

extension Library {
    /// Saves the queue; only entries that changed are written.
    public func saveQueue(_ queue: SavedQueue) async throws {
        try await write { database in try QueueStore(database).save(queue) }
    }

    /// Saves the player's position and options.
    public func savePlayer(_ player: SavedPlayer) async throws {
        try await write { database in try PlayerStore(database).save(player) }
    }

    /// The queue as it was saved last; entries may be of songs that are gone since, for which `queueable` has no
    /// answer.
    public func savedQueue() throws -> SavedQueue { try readNow { try QueueStore($0).load() } }

    /// The player as it was saved last.
    public func savedPlayer() throws -> SavedPlayer { try readNow { try PlayerStore($0).load() } }
}

/// Reads and writes the queue: one row for each entry, and the order as one blob of ids, so that a move is one small
/// write.
struct QueueStore {
    private let database: Database

    init(_ database: Database) { self.database = database }

    func save(_ queue: SavedQueue) throws {
        let stored = try storedEntries()
        var kept: Set<UInt32> = []
        kept.reserveCapacity(queue.entries.count)
        let insertion = try SQLStatement(
            database,
            "INSERT OR REPLACE INTO queue_entry (id, song, url, tags, priority) VALUES (?, ?, ?, ?, ?)")
        for entry in queue.entries {
            kept.insert(entry.id.rawValue)
            if stored[entry.id.rawValue] == entry { continue }
            insertion.bind(1, Int64(entry.id.rawValue))
            insertion.bind(entry.item, at: 2)
            insertion.bind(5, entry.priority)
            try insertion.run()
        }
        try removeEntries(stored.keys.filter { !kept.contains($0) }, all: kept.isEmpty)
        let order = try SQLStatement(database, "INSERT OR REPLACE INTO queue (id, version, entries) VALUES (1, ?, ?)")
        order.bind(1, Int64(queue.version))
        order.bind(2, Self.encode(queue.entries.map(\.id.rawValue)))
        try order.run()
    }

    func load() throws -> SavedQueue {
        let row = try SQLStatement(database, "SELECT version, entries FROM queue")
        guard let (version, ids) = try row.first({ (row.int(0), Self.decode(row.bytes(1))) }) else {
            return SavedQueue()
        }
        let stored = try storedEntries()
        return SavedQueue(entries: ids.compactMap { stored[$0] }, version: UInt32(truncatingIfNeeded: version))
    }

    private func storedEntries() throws -> [UInt32: SavedQueue.Entry] {
        var entries: [UInt32: SavedQueue.Entry] = [:]
        entries.reserveCapacity(Int(try database.integer("SELECT count(*) FROM queue_entry")))
        let rows = try SQLStatement(database, "SELECT id, song, url, tags, priority FROM queue_entry")
        try rows.forEach {
            let id = UInt32(truncatingIfNeeded: rows.int(0))
            let item: QueueItem =
                if let song = rows.optionalInt(1) {
                    .song(SongID(rawValue: song))
                } else {
                    .stream(url: rows.text(2), tags: TagPairs.decode(rows.bytes(3)))
                }
            entries[id] = SavedQueue.Entry(id: QueueEntryID(rawValue: id), item: item, priority: Int(rows.int(4)))
        }
        return entries
    }

    private func removeEntries(_ ids: [UInt32], all: Bool) throws {
        if all { return try SQLStatement(database, "DELETE FROM queue_entry").run() }
        let deletion = try SQLStatement(database, "DELETE FROM queue_entry WHERE id = ?")
        for id in ids {
            deletion.bind(1, Int64(id))
            try deletion.run()
        }
    }

    private static func encode(_ ids: [UInt32]) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(ids.count * 4)
        for id in ids {
            for shift in stride(from: 0, to: 32, by: 8) { bytes.append(UInt8(truncatingIfNeeded: id >> shift)) }
        }
        return bytes
    }

    private static func decode(_ bytes: UnsafeRawBufferPointer) -> [UInt32] {
        stride(from: 0, to: bytes.count - bytes.count % 4, by: 4).map {
            UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: $0, as: UInt32.self))
        }
    }
}

/// Reads and writes the player's position and options, one row for each, so that new options need no migration.
struct PlayerStore {
    private let database: Database

    init(_ database: Database) { self.database = database }

    func save(_ player: SavedPlayer) throws {
        let statement = try SQLStatement(database, "INSERT OR REPLACE INTO player (key, value) VALUES (?, ?)")
        func put(_ key: String, _ value: String?) throws {
            statement.bind(1, key)
            statement.bind(2, value)
            try statement.run()
        }
        let elapsed = player.elapsed.components
        try put("state", player.state.rawValue)
        try put("position", player.position.map(String.init))
        try put("elapsed_ms", String(elapsed.seconds * 1000 + elapsed.attoseconds / 1_000_000_000_000_000))
        try put("repeat", player.isRepeating ? "1" : "0")
        try put("random", player.isRandom ? "1" : "0")
        try put("single", player.single.rawValue)
        try put("consume", player.consume.rawValue)
        try put("volume", String(player.volume))
        try put("crossfade", String(player.crossfade))
        try put("mixramp_threshold", String(player.mixRampThreshold))
        try put("mixramp_delay", player.mixRampDelay.map { String($0) })
        try put("replay_gain", player.replayGainMode)
        try put("last_loaded_playlist", player.lastLoadedPlaylist)
        try saveOutputs(player.outputs)
    }

    func load() throws -> SavedPlayer {
        var values: [String: String] = [:]
        let rows = try SQLStatement(database, "SELECT key, value FROM player WHERE value IS NOT NULL")
        try rows.forEach { values[rows.text(0)] = rows.text(1) }
        func number(_ key: String) -> Int? { values[key].flatMap { Int($0) } }
        var player = SavedPlayer()
        player.state = values["state"].flatMap(SavedPlayer.State.init) ?? player.state
        player.position = number("position")
        player.elapsed = .milliseconds(number("elapsed_ms") ?? 0)
        player.isRepeating = values["repeat"] == "1"
        player.isRandom = values["random"] == "1"
        player.single = values["single"].flatMap(OneshotOption.init) ?? player.single
        player.consume = values["consume"].flatMap(OneshotOption.init) ?? player.consume
        player.volume = number("volume") ?? player.volume
        player.crossfade = number("crossfade") ?? player.crossfade
        player.mixRampThreshold = values["mixramp_threshold"].flatMap { Double($0) } ?? player.mixRampThreshold
        player.mixRampDelay = values["mixramp_delay"].flatMap { Double($0) }
        player.replayGainMode = values["replay_gain"] ?? player.replayGainMode
        player.lastLoadedPlaylist = values["last_loaded_playlist"] ?? ""
        let outputs = try SQLStatement(database, "SELECT name, enabled FROM player_output")
        try outputs.forEach { player.outputs[outputs.text(0)] = outputs.int(1) != 0 }
        return player
    }

    private func saveOutputs(_ outputs: [String: Bool]) throws {
        try SQLStatement(database, "DELETE FROM player_output").run()
        let insertion = try SQLStatement(database, "INSERT INTO player_output (name, enabled) VALUES (?, ?)")
        for (name, isEnabled) in outputs {
            insertion.bind(1, name)
            insertion.bind(2, isEnabled ? 1 : 0)
            try insertion.run()
        }
    }
}
