import GRDB
import MusicModel
import Synchronization

/// Which values of one tag each song has, as ranks in the byte order of the values. Four bytes a song and the texts
/// once; read from the index when `list`, `sort` or a test for absence first needs the tag, and kept for the
/// generation.
final class TagColumn: Sendable {
    /// The values one after the other, in byte order; rank 1 is the first, rank 0 means no value.
    private let bytes: [UInt8]
    private let ends: [UInt32]
    /// The rank of the first value by song number.
    private let first: [UInt32]
    /// All ranks of the songs with several values, in the order of the song's tags.
    private let several: [UInt32: [UInt32]]
    let present: SongSet
    /// The texts in their folded form, made when a search needs them first.
    private let foldedTexts = Mutex<ColumnTexts?>(nil)

    var count: Int { ends.count }

    var capacity: Int { first.count }

    var footprint: Int {
        2 * (bytes.count + ends.count * 4) + first.count * 4 + several.count * 64 + present.words.count * 8
    }

    private init(bytes: [UInt8], ends: [UInt32], first: [UInt32], several: [UInt32: [UInt32]], present: SongSet) {
        (self.bytes, self.ends, self.first) = (bytes, ends, first)
        (self.several, self.present) = (several, present)
    }

    /// Reads the column of `tag`, without fall-backs, inside the caller's transaction.
    convenience init(_ database: Database, _ tag: Tag, songCapacity: Int) throws {
        var bytes: [UInt8] = []
        var ends: [UInt32] = []
        var first = [UInt32](repeating: 0, count: songCapacity)
        var firstPosition = [UInt8](repeating: 0, count: songCapacity)
        var values: [UInt32: [(position: UInt8, rank: UInt32)]] = [:]
        var present = SongSet(upTo: Int64(songCapacity))
        var lastValue: Int64 = -1
        try database.forEach(
            """
            SELECT v.id, v.text, sv.song, sv.place FROM value v INDEXED BY value_text
            CROSS JOIN song_value sv ON sv.value = v.id WHERE v.kind = ? ORDER BY v.text
            """, Int(tag.rawValue)
        ) { row in
            if row.int(0) != lastValue {
                lastValue = row.int(0)
                bytes.append(contentsOf: row.bytes(1))
                ends.append(UInt32(bytes.count))
            }
            guard (0..<Int64(songCapacity)).contains(row.int(2)) else { return }
            let song = UInt32(row.int(2))
            let position = UInt8(clamping: row.int(3))
            let rank = UInt32(ends.count)
            if first[Int(song)] == 0 {
                first[Int(song)] = rank
                firstPosition[Int(song)] = position
                present.insert(Int64(song))
            } else {
                values[song, default: [(firstPosition[Int(song)], first[Int(song)])]].append((position, rank))
            }
        }
        var several: [UInt32: [UInt32]] = [:]
        for (song, ranks) in values {
            let sorted = ranks.sorted { $0.position < $1.position }.map(\.rank)
            several[song] = sorted
            first[Int(song)] = sorted[0]
        }
        self.init(bytes: bytes, ends: ends, first: first, several: several, present: present)
    }

    func text(_ rank: UInt32) -> String { rank == 0 ? "" : withBytes(rank) { String(decoding: $0, as: UTF8.self) } }

    func withBytes<Result>(
        _ rank: UInt32, _ body: (UnsafeBufferPointer<UInt8>) throws -> Result
    ) rethrows -> Result {
        let index = Int(rank) - 1
        let start = index == 0 ? 0 : Int(ends[index - 1])
        return try bytes.withUnsafeBufferPointer {
            try body(UnsafeBufferPointer(rebasing: $0[start..<Int(ends[index])]))
        }
    }

    /// The texts as a test compares them. Those without diacritics are made for each search: few clients ask for them.
    func texts(for test: StringTest) -> ColumnTexts {
        test.stripsDiacritics ? ColumnTexts(of: self, as: test.fold) : texts(folded: test.foldsCase)
    }

    func texts(folded: Bool) -> ColumnTexts {
        guard folded else { return ColumnTexts(bytes: bytes, ends: ends) }
        return foldedTexts.withLock { texts in
            if let texts { return texts }
            let made = ColumnTexts(of: self, as: TextFolding.fold)
            texts = made
            return made
        }
    }

    /// The rank of a song's first value in the order of its tags; 0 without one.
    func firstRank(of song: UInt32) -> UInt32 { Int(song) < first.count ? first[Int(song)] : 0 }

    /// Calls `body` for each value of a song; with rank 0 when it has none.
    func forEachRank(of song: UInt32, _ body: (UInt32) -> Void) {
        let rank = firstRank(of: song)
        if !several.isEmpty, let ranks = several[song] { ranks.forEach(body) } else { body(rank) }
    }

    func songs(where isHit: [Bool]) -> SongSet {
        guard isHit.contains(true) else { return SongSet() }
        var result = first.withUnsafeBufferPointer { first in
            isHit.withUnsafeBufferPointer { isHit in
                SongSet(below: first.count) { isHit[Int(first[$0])] }
            }
        }
        for (song, ranks) in several where ranks.contains(where: { isHit[Int($0)] }) { result.insert(Int64(song)) }
        return result
    }

    func hasSeveral(_ song: UInt32) -> Bool { !several.isEmpty && several[song] != nil }

    /// This column with the values of `others`, nearest first, for songs that lack the tag.
    func completed(by others: [TagColumn], all: SongSet) -> TagColumn {
        var missing = all.subtracting(present)
        var result = self
        for other in others where !missing.isEmpty {
            result = result.merged(with: other, for: missing)
            missing.subtract(other.present)
        }
        return result
    }

    /// Takes the values of `other` for the songs of `missing`; ranks are those of both texts together.
    private func merged(with other: TagColumn, for missing: SongSet) -> TagColumn {
        var bytes: [UInt8] = []
        var ends: [UInt32] = []
        var mine = [UInt32](repeating: 0, count: count + 1)
        var theirs = [UInt32](repeating: 0, count: other.count + 1)
        var left: UInt32 = 1
        var right: UInt32 = 1
        while Int(left) <= count || Int(right) <= other.count {
            let order = order(left, other, right)
            (order <= 0 ? self : other).withBytes(order <= 0 ? left : right) { bytes.append(contentsOf: $0) }
            ends.append(UInt32(bytes.count))
            if order <= 0 {
                mine[Int(left)] = UInt32(ends.count)
                left += 1
            }
            if order >= 0 {
                theirs[Int(right)] = UInt32(ends.count)
                right += 1
            }
        }
        var first = first.map { mine[Int($0)] }
        var several = several.mapValues { $0.map { mine[Int($0)] } }
        var present = present
        for song in first.indices where missing.contains(Int64(song)) {
            let number = UInt32(song)
            guard other.firstRank(of: number) != 0 else { continue }
            first[song] = theirs[Int(other.firstRank(of: number))]
            if let ranks = other.several[number] { several[number] = ranks.map { theirs[Int($0)] } }
            present.insert(Int64(song))
        }
        return TagColumn(bytes: bytes, ends: ends, first: first, several: several, present: present)
    }

    private func order(_ left: UInt32, _ other: TagColumn, _ right: UInt32) -> Int {
        if Int(left) > count { return 1 }
        if Int(right) > other.count { return -1 }
        return withBytes(left) { mine in other.withBytes(right) { mine.order(against: $0) } }
    }
}
