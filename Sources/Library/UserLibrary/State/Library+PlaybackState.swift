import Foundation
import GRDB
import LibraryIndex
import MusicModel

/// Reads and writes the queue: a row for each entry, and the order as one blob of ids, so that a move is a small write.
struct QueueStore {
    private let database: Database
    private let partition: Int64

    init?(_ database: Database, _ key: PartitionKey) throws {
        guard let id = try PartitionRow.id(of: key.name, in: database) else { return nil }
        (self.database, partition) = (database, id)
    }

    func save(_ queue: SavedQueue) throws {
        let (changed, gone) = try differences(queue.entries)
        try save(
            SavedQueueChanges(
                changed: changed.map { queue.entries[$0] }, gone: gone.map { QueueEntryID(rawValue: $0) },
                order: queue.entries.map(\.id), version: queue.version))
    }

    func save(_ changes: SavedQueueChanges) throws {
        try removeEntries(changes.gone, all: changes.order.isEmpty)
        try write(changes.changed)
        try database.run(
            "INSERT OR REPLACE INTO queue (partition, version, entries) VALUES (?, ?, ?)", partition,
            Int64(changes.version), changes.order.map(\.rawValue).littleEndianBytes)
    }

    private func write(_ entries: [SavedQueue.Entry]) throws {
        let insertion = try SQLStatement(
            database,
            """
            INSERT OR REPLACE INTO queue_entry (id, song, url, tags, priority, range_start, range_end, partition)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?)
            """)
        for entry in entries {
            let (song, url, tags): (Int64?, String?, [TagValue]) =
                switch entry.item {
                case .song(let id): (id.rawValue, nil, entry.sheetTags)
                case .stream(let url, let tags): (nil, url, tags)
                }
            try insertion.run(
                Int64(entry.id.rawValue), song, url, tags.isEmpty ? nil : TagPairs.encode(tags),
                entry.priority, entry.range?.start.milliseconds, entry.range?.end?.milliseconds, partition)
        }
    }

    /// Which entries, by place, differ from what is stored, and which stored ones are gone. Both are run through in the
    /// order of their ids, so that comparing 100,000 entries builds no table of them.
    private func differences(_ entries: [SavedQueue.Entry]) throws -> (changed: [Int], gone: [UInt32]) {
        var positions = entries.indices.map { UInt64(entries[$0].id.rawValue) << 32 | UInt64($0) }
        positions.sort()
        var (changed, gone, next): ([Int], [UInt32], Int) = ([], [], 0)
        try storedRows().forEach { row in
            let id = UInt32(truncatingIfNeeded: row.int(0))
            while next < positions.count, positions[next] >> 32 < id {
                changed.append(Int(positions[next] & 0xFFFF_FFFF))
                next += 1
            }
            guard next < positions.count, positions[next] >> 32 == id else { return gone.append(id) }
            let index = Int(positions[next] & 0xFFFF_FFFF)
            if entry(row) != entries[index] { changed.append(index) }
            next += 1
        }
        changed.append(contentsOf: positions[next...].map { Int($0 & 0xFFFF_FFFF) })
        return (changed, gone)
    }

    func load() throws -> SavedQueue {
        guard
            let (version, ids) = try database.first(
                "SELECT version, entries FROM queue WHERE partition = ?", partition,
                read: { ($0.int(0), [UInt32](littleEndian: $0.bytes(1))) })
        else { return SavedQueue() }
        var stored: [UInt32: SavedQueue.Entry] = [:]
        try storedRows().forEach { row in stored[UInt32(truncatingIfNeeded: row.int(0))] = entry(row) }
        return SavedQueue(entries: ids.compactMap { stored[$0] }, version: UInt32(truncatingIfNeeded: version))
    }

    private func storedRows() throws -> SQLStatement {
        let rows = try SQLStatement(
            database,
            """
            SELECT id, song, url, tags, priority, range_start, range_end FROM queue_entry WHERE partition = ?
            ORDER BY id
            """)
        rows.bind(1, partition)
        return rows
    }

    private func entry(_ row: SQLStatement) -> SavedQueue.Entry {
        let tags = TagPairs.decode(row.bytes(3))
        let item: QueueItem =
            if let song = row.optionalInt(1) {
                .song(SongID(rawValue: song))
            } else {
                .stream(url: row.text(2), tags: tags)
            }
        let range = row.optionalInt(5).flatMap {
            SongRange(start: .milliseconds(clamping: $0), end: row.optionalInt(6).map { .milliseconds(clamping: $0) })
        }
        return SavedQueue.Entry(
            id: QueueEntryID(rawValue: UInt32(truncatingIfNeeded: row.int(0))), item: item,
            priority: Int(row.int(4)).clamped(to: 0...255), range: range, sheetTags: item.isSong ? tags : [])
    }

    private func removeEntries(_ ids: [QueueEntryID], all: Bool) throws {
        if all { return try database.run("DELETE FROM queue_entry WHERE partition = ?", partition) }
        let deletion = try SQLStatement(database, "DELETE FROM queue_entry WHERE partition = ? AND id = ?")
        for id in ids { try deletion.run(partition, Int64(id.rawValue)) }
    }
}

/// Reads and writes the player's position and options, one row for each, so that new options need no migration.
struct PlayerStore {
    private let database: Database
    private let partition: Int64

    init?(_ database: Database, _ key: PartitionKey) throws {
        guard let id = try PartitionRow.id(of: key.name, in: database) else { return nil }
        (self.database, partition) = (database, id)
    }

    func save(_ player: SavedPlayer) throws {
        let statement = try SQLStatement(
            database, "INSERT OR REPLACE INTO player (key, value, partition) VALUES (?, ?, ?)")
        func put(_ key: String, _ value: String?) throws { try statement.run(key, value, partition) }
        try put("state", player.state.rawValue)
        try put("position", player.position.map(String.init))
        try put("elapsed_ms", String(player.elapsed.milliseconds))
        try put("repeat", player.isRepeating ? "1" : "0")
        try put("random", player.isRandom ? "1" : "0")
        try put("single", player.single.rawValue)
        try put("consume", player.consume.rawValue)
        try put("volume", String(player.volume))
        try put("crossfade", String(player.crossfade))
        try put("mixramp_threshold", String(player.mixRampThreshold))
        try put("mixramp_delay", player.mixRampDelay.map { String($0) })
        try put("replay_gain", player.replayGainMode.rawValue)
        try put("speed", player.speed == 1 ? nil : String(player.speed))
        try put("other_speed", player.otherSpeed.map { String($0) })
        try put("last_loaded_playlist", player.lastLoadedPlaylist)
        try put("output_attributes", OutputAttributeText.write(player.outputs))
        try saveOutputs(player.outputs)
    }

    func load() throws -> SavedPlayer {
        var values: [String: String] = [:]
        try database.forEach(
            "SELECT key, value FROM player WHERE partition = ? AND value IS NOT NULL", partition
        ) { values[$0.text(0)] = $0.text(1) }
        func number(_ key: String) -> Int? { values[key].flatMap { Int($0) } }
        var player = SavedPlayer()
        player.state = values["state"].flatMap(SavedPlayer.State.init) ?? player.state
        player.position = number("position").flatMap { $0 >= 0 ? $0 : nil }
        player.elapsed = .milliseconds(clamping: number("elapsed_ms") ?? 0)
        player.isRepeating = values["repeat"] == "1"
        player.isRandom = values["random"] == "1"
        player.single = values["single"].flatMap(OneshotOption.init) ?? player.single
        player.consume = values["consume"].flatMap(OneshotOption.init) ?? player.consume
        player.volume = (number("volume") ?? player.volume).clamped(to: 0...100)
        player.crossfade = (number("crossfade") ?? player.crossfade).clamped(to: 0...Int(Int32.max))
        player.mixRampThreshold = values["mixramp_threshold"].flatMap(Self.finite) ?? player.mixRampThreshold
        player.mixRampDelay = values["mixramp_delay"].flatMap(Self.finite)
        player.replayGainMode = values["replay_gain"].flatMap(ReplayGainMode.init) ?? player.replayGainMode
        player.speed = values["speed"].flatMap(Self.finite) ?? player.speed
        player.otherSpeed = values["other_speed"].flatMap(Self.finite)
        player.lastLoadedPlaylist = values["last_loaded_playlist"] ?? ""
        let attributes = OutputAttributeText.read(values["output_attributes"])
        player.outputs = try database.rows(
            "SELECT name, enabled, moved_away FROM player_output WHERE partition = ? ORDER BY place", partition
        ) { row in
            let name = row.text(0)
            return SavedOutput(
                name: name, isEnabled: row.int(1) != 0, isMovedAway: row.int(2) != 0,
                attributes: attributes[name] ?? [:])
        }
        return player
    }

    private static func finite(_ text: String) -> Double? { Double(text).flatMap { $0.isFinite ? $0 : nil } }

    private func saveOutputs(_ outputs: [SavedOutput]) throws {
        try database.run("DELETE FROM player_output WHERE partition = ?", partition)
        let insertion = try SQLStatement(
            database,
            "INSERT INTO player_output (partition, place, name, enabled, moved_away) VALUES (?, ?, ?, ?, ?)")
        for (index, output) in outputs.enumerated() {
            try insertion.run(partition, index, output.name, output.isEnabled, output.isMovedAway)
        }
    }
}

/// The run-time attributes of a partition's outputs as the database keeps them: JSON, by output and attribute.
enum OutputAttributeText {
    static func write(_ outputs: [SavedOutput]) -> String? {
        let set = outputs.filter { !$0.attributes.isEmpty }
        let attributes = Dictionary(set.map { ($0.name, $0.attributes) }, uniquingKeysWith: { $1 })
        guard !attributes.isEmpty else { return nil }
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        // Dictionaries of texts can't fail to be encoded.
        return (try? encoder.encode(attributes)).map { String(decoding: $0, as: UTF8.self) }
    }

    /// The attributes in the text; none where it is damaged: outputs then begin as they are configured.
    static func read(_ text: String?) -> [String: [String: String]] {
        guard let text else { return [:] }
        return (try? JSONDecoder().decode([String: [String: String]].self, from: Data(text.utf8))) ?? [:]
    }
}
