import GRDB
import MusicModel

/// Puts query results in the order that `sort` asks for; songs that compare equal stay in the order of the walk.
/// - Source: MPD v0.24.13 src/db/VHelper.cxx, src/tag/Sort.cxx, `Tag::GetSortValue`.
struct SongOrder {
    let database: Database
    let cache: AnswerCache
    let order: WalkOrder

    func sorted(_ songs: [UInt32], by sort: SongSort?, window: Range<Int>?) throws -> [UInt32] {
        let result = try sort.flatMap { try indices(of: songs, by: $0) }?.map { songs[$0] } ?? songs
        guard let window else { return result }
        return Array(result[window.clamped(to: 0..<result.count)])
    }

    /// The indices of songs in the order of a sort; equal ones stay as they are. Nil when all are.
    func indices(of songs: [UInt32], by sort: SongSort) throws -> [Int]? {
        guard let keys = try keys(sort.key, songs) else { return nil }
        let maxKey = keys.max() ?? 0
        var indices = keys.enumerated().map { index, key in
            (sort.isDescending ? maxKey - key : key) << 32 | UInt64(index)
        }
        indices.sort()
        return indices.map { Int($0 & 0xFFFF_FFFF) }
    }

    /// For each song a number below 2^32 that grows with the key; nil when all are the same.
    func keys(_ key: SongSort.Key, _ songs: [UInt32]) throws -> [UInt64]? {
        switch key {
        case .priority: return nil
        case .lastModified: return try times(songs, column: "modified")
        case .added: return try times(songs, column: "added")
        case .tag(let tag):
            let column = try cache.column(database, tag, completion: tag.sortFallbacks, order: order)
            if tag == .date || tag == .originalDate { return dates(songs, column) }
            guard tag == .track || tag == .disc else { return songs.map { UInt64(column.firstRank(of: $0)) } }
            let numbers = [0] + (1..<(column.count + 1)).map { leadingNumber(column.text(UInt32($0))) }
            return songs.map { UInt64(Int64(numbers[Int(column.firstRank(of: $0))]) - Int64(Int32.min)) }
        }
    }

    /// By years, and within one by the texts of the dates, which for ISO's form is MPD's order.
    private func dates(_ songs: [UInt32], _ column: TagColumn) -> [UInt64] {
        let years = [0] + (1..<(column.count + 1)).map { DateText.year(of: column.text(UInt32($0))) ?? 0 }
        return songs.map { song in
            let rank = column.firstRank(of: song)
            return UInt64(years[Int(rank)]) << 20 | UInt64(min(rank, 1 << 20 - 1))
        }
    }

    /// The places of the songs' times among all times; songs without one come first.
    private func times(_ songs: [UInt32], column: String) throws -> [UInt64] {
        var ranks = [UInt32](repeating: 0, count: order.durations.count)
        var rank: UInt32 = 0
        var last: Int64?
        try database.forEach(
            """
            SELECT id, \(column) FROM song INDEXED BY song_\(column)
            WHERE \(column) IS NOT NULL ORDER BY \(column)
            """
        ) { row in
            if row.int(1) != last {
                rank += 1
                last = row.int(1)
            }
            ranks[Int(row.int(0))] = rank
        }
        return songs.map { UInt64(ranks[Int($0)]) }
    }
}

/// The number at the start of a text as `strtol` reads it, cut to 32 bits; 0 without one.
func leadingNumber(_ text: String) -> Int32 {
    var value: Int64 = 0
    var isNegative = false
    var digits = text.utf8.drop { $0 == 0x20 || ($0 >= 0x09 && $0 <= 0x0D) }
    if let sign = digits.first, sign == 0x2D || sign == 0x2B {
        isNegative = sign == 0x2D
        digits = digits.dropFirst()
    }
    for digit in digits {
        guard digit >= 0x30, digit <= 0x39 else { break }
        value = min(value * 10 + Int64(digit - 0x30), 1 << 40)
    }
    return Int32(clamping: isNegative ? -value : value)
}
