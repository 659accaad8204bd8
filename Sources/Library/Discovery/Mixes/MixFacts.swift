import GRDB
import LibraryIndex
import MusicModel
import UserLibrary

/// Facts of songs beyond their tags and plays, by their slots.
package struct MixFacts: Sendable {
    /// How often songs were heard at this time of day.
    package var heardNow: [Int: Int] = [:]
    /// A number that changes with the day and its part.
    package var partOfDay: Int64 = 0

    /// The hours at which night, morning, noon, afternoon and evening begin.
    private static let parts: [Int64] = [0, 6, 11, 14, 18]
    /// The time for which plays count, in seconds.
    private static let memory: Int64 = 180 * 86_400

    /// Reads what these groups need at `seconds` of the listener's clock since 1970, which goes `zone` before UTC.
    @concurrent
    static func read(
        _ library: Library, of catalogue: SongCatalogue, _ groups: Set<MixGroup>, seconds: Int64, zone: Int64
    ) async throws -> MixFacts {
        var facts = MixFacts()
        let (day, hour) = (seconds / 86_400, seconds % 86_400 / 3600)
        let part = parts.lastIndex { $0 <= hour } ?? 0
        facts.partOfDay = day * 8 + Int64(part)
        let (first, end) = (parts[part], part + 1 < parts.count ? parts[part + 1] : 24)
        guard groups.contains(.now) else { return facts }
        return try await library.read { [facts] database in
            var facts = facts
            try database.forEach(
                """
                SELECT song, count(*) FROM history WHERE started / 1000 > ?1
                    AND (started / 1000 + ?2) % 86400 BETWEEN ?3 AND ?4 - 1 GROUP BY song
                """, seconds - zone - Self.memory, zone, first * 3600, end * 3600
            ) { row in
                guard let slot = catalogue.slot(of: SongID(rawValue: row.int(0))) else { return }
                facts.heardNow[slot] = Int(clamping: row.int(1))
            }
            return facts
        }
    }

    /// Seconds from midnight to the beginning of this part of the day.
    static func partBegin(_ seconds: Int64) -> Int64 {
        let past = seconds % 86_400
        return (parts.last { $0 * 3600 <= past } ?? 0) * 3600
    }

    static func untilNextPart(_ seconds: Int64) -> Int64 {
        let past = seconds % 86_400
        return (parts.first { $0 * 3600 > past } ?? 24) * 3600 - past
    }
}
