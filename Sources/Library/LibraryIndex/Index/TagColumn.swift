import GRDB
import MusicModel
import Synchronization

/// Which values of one tag each song has, as ranks in the byte order of the values: four bytes a song.
final class TagColumn: Sendable {
    /// The values one after the other, in byte order; rank 1 is the first, rank 0 means no value.
    private let values: PackedTexts
    private let first: [UInt32]
    private let several: [UInt32: [UInt32]]
    let present: SongSet
    private let foldedTexts = Mutex<PackedTexts?>(nil)

    var count: Int { values.count }

    var footprint: Int {
        2 * (values.bytes.count + count * 4) + first.count * 4 + several.count * 64 + present.words.count * 8
    }

    private init(_ values: PackedTexts, first: [UInt32], several: [UInt32: [UInt32]], present: SongSet) {
        (self.values, self.first, self.several, self.present) = (values, first, several, present)
    }

    /// Reads the column of `tag`, without fall-backs, inside the caller's transaction.
    convenience init(_ database: Database, _ tag: Tag, songCapacity: Int) throws {
        var texts = PackedTexts()
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
                texts.append(row.bytes(1))
            }
            guard (0..<Int64(songCapacity)).contains(row.int(2)) else { return }
            let song = UInt32(row.int(2))
            let position = UInt8(clamping: row.int(3))
            let rank = UInt32(texts.count)
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
        self.init(texts, first: first, several: several, present: present)
    }

    func text(_ rank: UInt32) -> String { rank == 0 ? "" : withBytes(rank) { String(decoding: $0, as: UTF8.self) } }

    func withBytes<Result>(_ rank: UInt32, _ body: (UnsafeBufferPointer<UInt8>) throws -> Result) rethrows -> Result {
        try values.withText(Int(rank) - 1, body)
    }

    /// The texts as a test compares them. Those without diacritics are made for each search: few clients ask for them.
    func texts(for test: StringTest) -> PackedTexts {
        test.stripsDiacritics ? values.folded(by: test.fold) : texts(folded: test.foldsCase)
    }

    func texts(folded: Bool) -> PackedTexts {
        guard folded else { return values }
        return foldedTexts.withLock { texts in
            if let texts { return texts }
            let made = values.folded { TextFolding.fold($0, into: &$1) }
            texts = made
            return made
        }
    }

    func firstRank(of song: UInt32) -> UInt32 { Int(song) < first.count ? first[Int(song)] : 0 }

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
        var texts = PackedTexts()
        var mine = [UInt32](repeating: 0, count: count + 1)
        var theirs = [UInt32](repeating: 0, count: other.count + 1)
        var left: UInt32 = 1
        var right: UInt32 = 1
        while Int(left) <= count || Int(right) <= other.count {
            let order = order(left, other, right)
            (order <= 0 ? self : other).withBytes(order <= 0 ? left : right) { texts.append($0) }
            if order <= 0 {
                mine[Int(left)] = UInt32(texts.count)
                left += 1
            }
            if order >= 0 {
                theirs[Int(right)] = UInt32(texts.count)
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
        return TagColumn(texts, first: first, several: several, present: present)
    }

    private func order(_ left: UInt32, _ other: TagColumn, _ right: UInt32) -> Int {
        if Int(left) > count { return 1 }
        if Int(right) > other.count { return -1 }
        return withBytes(left) { mine in other.withBytes(right) { mine.order(against: $0) } }
    }
}
