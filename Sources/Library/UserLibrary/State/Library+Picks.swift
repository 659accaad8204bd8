import GRDB
import LibraryIndex
package import MusicModel

/// The memory of a partition's auto-DJ between runs.
package struct SavedDJ: Hashable, Sendable {
    /// True if it adds songs.
    package var isOn = false
    /// The word for what it chooses from.
    package var mode: String
    /// The share of picks from further away, 0 to 1.
    package var adventure: Double
    /// The songs that the listener chose, the newest last.
    package var seeds: [SongID] = []

    /// Remembers nothing yet.
    package init(mode: String, adventure: Double) { (self.mode, self.adventure) = (mode, adventure) }
}

/// The end of a pick: whether it was heard, skipped or removed.
package enum PickOutcome: Int64, Sendable {
    case waiting
    /// It played until its end, or for a good part of it.
    case heard
    /// The listener skipped to another song soon.
    case skipped
    /// The listener took it out of the queue, or the queue was emptied.
    case removed
    /// It could not be played, or was left while nothing was heard yet.
    case failed
}

/// A song that the auto-DJ added to a queue.
package struct SavedPick: Hashable, Sendable {
    /// The entry in the queue, as long as the queue has it.
    package var entry: QueueEntryID
    /// The song that it plays.
    package var song: SongID
    /// Why it was picked, for people.
    package var why: String

    /// Describes a pick.
    package init(entry: QueueEntryID, song: SongID, why: String) {
        (self.entry, self.song, self.why) = (entry, song, why)
    }
}

/// The whole memory of a partition's auto-DJ.
package struct DJMemory: Sendable {
    /// How it was set, and what the listener chose.
    package let dj: SavedDJ
    /// The picks that wait or play, in the order in which they were picked.
    package let waiting: [SavedPick]
    /// The newest picks that were heard or skipped, or failed, oldest first; the queue may have them no longer.
    package let finished: [SavedPick]
    /// The songs of the newest plays in all partitions, oldest first.
    package let lineup: [SongID]
}

extension Library {
    /// The sticker that says why a song was picked last.
    package static let whySticker = "djWhy"
    private static let maxPicks: Int64 = 10_000
    private static let maxSeeds = 50

    /// Reads the memory of a partition's auto-DJ; nil where it was never used.
    /// - Parameter limit: how many finished picks and how many songs of the line-up, at most.
    package func djMemory(of partition: PartitionKey, limit: Int) async throws -> DJMemory? {
        try await read { database in
            guard let id = try PartitionRow.id(of: partition.name, in: database) else { return nil }
            let saved = try database.first(
                "SELECT is_on, mode, adventure, seeds FROM dj WHERE partition = ?", id
            ) { row in
                var saved = SavedDJ(mode: row.text(1), adventure: (row.optionalDouble(2) ?? 0).clamped(to: 0...1))
                saved.isOn = row.int(0) != 0
                saved.seeds = row.text(3).split(separator: ",").suffix(Self.maxSeeds).compactMap {
                    Int64($0).map(SongID.init(rawValue:))
                }
                return saved
            }
            guard let saved else { return nil }
            return DJMemory(
                dj: saved, waiting: try Self.picks(id, [.waiting], limit: Self.maxPicks, database),
                finished: try Self.picks(id, [.heard, .skipped, .failed], limit: Int64(limit), database),
                lineup: try database.rows(
                    "SELECT song FROM (SELECT song, id FROM history ORDER BY id DESC LIMIT ?) ORDER BY id", limit
                ) { SongID(rawValue: $0.int(0)) })
        }
    }

    private static func picks(
        _ partition: Int64, _ outcomes: [PickOutcome], limit: Int64, _ database: Database
    ) throws -> [SavedPick] {
        let numbers = outcomes.map(\.rawValue.description).joined(separator: ",")
        return try database.rows(
            """
            SELECT * FROM (SELECT entry, song, why, id FROM pick WHERE partition = ? AND outcome IN (\(numbers))
                ORDER BY id DESC LIMIT ?) ORDER BY id
            """, partition, limit
        ) { row in
            SavedPick(
                entry: QueueEntryID(rawValue: UInt32(clamping: row.int(0))),
                song: SongID(rawValue: row.int(1)), why: row.text(2))
        }
    }

    /// Keeps what a partition's auto-DJ remembers.
    package func saveDJ(_ dj: SavedDJ, of partition: PartitionKey) async throws {
        try await write { database in
            guard let id = try PartitionRow.id(of: partition.name, in: database) else { return }
            try database.run(
                "INSERT OR REPLACE INTO dj (partition, is_on, mode, adventure, seeds) VALUES (?, ?, ?, ?, ?)", id,
                dj.isOn, dj.mode, dj.adventure.isFinite ? dj.adventure : 0,
                dj.seeds.suffix(Self.maxSeeds).map(\.description).joined(separator: ","))
        }
    }

    /// Keeps picks and, where that is wanted, says in a sticker of each song why it was picked.
    package func addPicks(_ picks: [SavedPick], of partition: PartitionKey, explains: Bool) async throws {
        let now = UnixTime.seconds
        try await write { database in
            guard let id = try PartitionRow.id(of: partition.name, in: database) else { return }
            let insertion = try SQLStatement(
                database,
                "INSERT INTO pick (partition, entry, song, picked, why, outcome) VALUES (?, ?, ?, ?, ?, 0)")
            for pick in picks { try insertion.run(id, Int64(pick.entry.rawValue), pick.song.rawValue, now, pick.why) }
            let newest = database.lastInsertedRowID
            try database.run("DELETE FROM pick WHERE id <= ?", newest - Self.maxPicks)
            guard explains else { return }
            let stickers = StickerStore(database)
            for pick in picks { _ = try stickers.set(Self.whySticker, of: .song(pick.song), to: pick.why) }
        }
    }

    /// Notes what became of the waiting pick of an entry; a skip is counted in the song's stickers, as myMPD does.
    package func finishPick(_ pick: SavedPick, of partition: PartitionKey, _ outcome: PickOutcome) async throws {
        let now = UnixTime.seconds
        try await write { database in
            guard let id = try PartitionRow.id(of: partition.name, in: database) else { return }
            try database.run(
                "UPDATE pick SET outcome = ? WHERE partition = ? AND outcome = 0 AND entry = ?", outcome.rawValue, id,
                Int64(pick.entry.rawValue))
            guard outcome == .skipped else { return }
            let stickers = StickerStore(database)
            _ = try stickers.count("skipCount", of: .song(pick.song), .up, by: "1")
            _ = try stickers.set("lastSkipped", of: .song(pick.song), to: String(now))
        }
    }

    /// Takes a counted skip back.
    package func takeBackSkip(of song: SongID) async throws {
        try await write { database in
            let stickers = StickerStore(database)
            let skips = try stickers.value("skipCount", of: .song(song)).flatMap { Int64($0) } ?? 0
            if skips > 1 {
                _ = try stickers.set("skipCount", of: .song(song), to: String(skips - 1))
            } else {
                _ = try stickers.delete("skipCount", of: .song(song))
                _ = try stickers.delete("lastSkipped", of: .song(song))
            }
        }
    }

    /// How many of a partition's picks had each outcome.
    package func pickOutcomes(of partition: PartitionKey) async throws -> [PickOutcome: Int64] {
        try await read { database in
            guard let id = try PartitionRow.id(of: partition.name, in: database) else { return [:] }
            var counts: [PickOutcome: Int64] = [:]
            try database.forEach("SELECT outcome, count(*) FROM pick WHERE partition = ? GROUP BY outcome", id) { row in
                if let outcome = PickOutcome(rawValue: row.int(0)) { counts[outcome] = row.int(1) }
            }
            return counts
        }
    }
}
