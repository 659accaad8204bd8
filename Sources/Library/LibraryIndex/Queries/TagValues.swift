import GRDB
import MusicModel

/// Distinct values of tags over a set of songs, alone, grouped, or counted.
/// - Source: MPD v0.24.13 src/db/UniqueTags.cxx, src/db/Count.cxx, src/tag/VisitFallback.hxx.
struct TagValues {
    let database: Database
    let cache: AnswerCache
    let order: WalkOrder

    /// The values of `tag` within the values of `groups`, sorted by bytes, the last group outermost.
    func list(_ tag: Tag, groups: [Tag], songs: SongSet?) throws -> [GroupedValue] {
        let columns = try columns([tag] + groups)
        if groups.isEmpty { return single(columns[0], songs) }
        return try distinct(columns, songs).map { ranks in
            GroupedValue(
                groups: groups.indices.map { columns[$0 + 1].text(ranks[$0 + 1]) }, value: columns[0].text(ranks[0]))
        }
    }

    /// Songs and playing time for each combination of the values of `groups`, the last group outermost.
    func count(groups: [Tag], songs: SongSet?) throws -> [GroupedCount] {
        guard !groups.isEmpty else { return [total(songs)] }
        let columns = try columns(groups)
        if columns.count == 1 { return totals(columns[0], songs) }
        var totals: [[UInt32]: (songs: Int, milliseconds: Int64)] = [:]
        try forEachSong(songs) { song in
            let duration = Int64(max(0, order.durations[Int(song)]))
            try forEachCombination(of: song, columns) { ranks in
                totals[ranks, default: (0, 0)].songs += 1
                totals[ranks, default: (0, 0)].milliseconds += duration
            }
            try Self.check(totals.count)
        }
        return totals.sorted { Self.precedes($0.key, $1.key) }.map { ranks, total in
            GroupedCount(
                groups: groups.indices.map { columns[$0].text(ranks[$0]) }, songs: total.songs,
                playtime: .milliseconds(total.milliseconds))
        }
    }

    /// The number of combinations of the values of one song that are no longer what a tagger meant.
    private static let maxOfOneSong = 4096
    private static let maxCombinations = 2_000_000

    private static func check(_ combinations: Int) throws {
        guard combinations <= maxCombinations else {
            throw LibraryError(.answerTooLarge, "Too many combinations; group by fewer tags")
        }
        try Task.checkCancellation()
    }

    /// The order of ranks of several columns, of which the first varies fastest: the last `group` is the outermost.
    private static func precedes(_ left: [UInt32], _ right: [UInt32]) -> Bool {
        left.reversed().lexicographicallyPrecedes(right.reversed())
    }

    private func columns(_ tags: [Tag]) throws -> [TagColumn] {
        try tags.map { try cache.column(database, $0, completion: $0.fallbacks, order: order) }
    }

    private func forEachSong(_ songs: SongSet?, _ body: (UInt32) throws -> Void) rethrows {
        if let songs { try songs.forEach { try body(UInt32($0)) } } else { try order.songs.forEach(body) }
    }

    private func total(_ songs: SongSet?) -> GroupedCount {
        var count = 0
        var milliseconds: Int64 = 0
        forEachSong(songs) { song in
            count += 1
            milliseconds += Int64(max(0, order.durations[Int(song)]))
        }
        return GroupedCount(groups: [], songs: count, playtime: .milliseconds(milliseconds))
    }

    /// One group, which is what clients ask for: the ranks are places in an array, so nothing is hashed or sorted.
    private func totals(_ column: TagColumn, _ songs: SongSet?) -> [GroupedCount] {
        var totals = [(songs: Int, milliseconds: Int64)](repeating: (0, 0), count: column.count + 1)
        forEachSong(songs) { song in
            let duration = Int64(max(0, order.durations[Int(song)]))
            column.forEachRank(of: song) { rank in
                totals[Int(rank)].songs += 1
                totals[Int(rank)].milliseconds += duration
            }
        }
        return totals.indices.filter { totals[$0].songs > 0 }.map { rank in
            GroupedCount(
                groups: [column.text(UInt32(rank))], songs: totals[rank].songs,
                playtime: .milliseconds(totals[rank].milliseconds))
        }
    }

    private func single(_ column: TagColumn, _ songs: SongSet?) -> [GroupedValue] {
        var seen = [Bool](repeating: false, count: column.count + 1)
        forEachSong(songs) { song in column.forEachRank(of: song) { seen[Int($0)] = true } }
        return seen.indices.filter { seen[$0] }.map { GroupedValue(groups: [], value: column.text(UInt32($0))) }
    }

    private func distinct(_ columns: [TagColumn], _ songs: SongSet?) throws -> [[UInt32]] {
        if columns.count == 2 { return try distinctPairs(columns[0], columns[1], songs) }
        var found: Set<[UInt32]> = []
        var last: [UInt32] = []
        try forEachSong(songs) { song in
            try forEachCombination(of: song, columns) { ranks in
                // Neighbours mostly belong to one album; comparing is cheaper than hashing.
                if ranks != last {
                    found.insert(ranks)
                    last = ranks
                }
            }
            try Self.check(found.count)
        }
        return found.sorted(by: Self.precedes)
    }

    private func distinctPairs(_ inner: TagColumn, _ outer: TagColumn, _ songs: SongSet?) throws -> [[UInt32]] {
        var keys: [UInt64] = []
        try forEachSong(songs) { song in
            outer.forEachRank(of: song) { outerRank in
                inner.forEachRank(of: song) { innerRank in
                    let key = UInt64(outerRank) << 32 | UInt64(innerRank)
                    if keys.last != key { keys.append(key) }
                }
            }
            try Self.check(keys.count)
        }
        keys.sort()
        var result: [[UInt32]] = []
        var last: UInt64?
        for key in keys where key != last {
            result.append([UInt32(truncatingIfNeeded: key), UInt32(key >> 32)])
            last = key
        }
        return result
    }

    private func forEachCombination(of song: UInt32, _ columns: [TagColumn], _ body: ([UInt32]) -> Void) throws {
        guard columns.contains(where: { $0.hasSeveral(song) }) else {
            body(columns.map { $0.firstRank(of: song) })
            return
        }
        var combinations: [[UInt32]] = [[]]
        for column in columns {
            var longer: [[UInt32]] = []
            column.forEachRank(of: song) { rank in
                if longer.count <= Self.maxOfOneSong { longer += combinations.map { $0 + [rank] } }
            }
            guard longer.count <= Self.maxOfOneSong else {
                throw LibraryError(.answerTooLarge, "Too many combinations; group by fewer tags")
            }
            combinations = longer
        }
        combinations.forEach(body)
    }
}
