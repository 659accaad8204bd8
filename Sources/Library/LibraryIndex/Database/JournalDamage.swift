import Foundation
import Glibc
import MusicModel

/// A journal of the database that is cut short: a place in its middle has changed, and SQLite takes that for its end.
package struct JournalDamage: Hashable, Sendable, CustomStringConvertible {
    /// The database's path.
    package var path: String
    /// Where a copy of the journal is kept.
    package var keptAs: String
    /// How many transactions lie behind the place at the least; they are lost.
    package var lost: Int

    /// One line for people.
    package var description: String {
        "The journal \(path)-wal was damaged: the last \(lost) changes or more are lost, such as plays, playlists and "
            + "stickers. It is kept as \(keptAs). Is the disk failing?"
    }

    /// Looks at a database's journal, before the database is opened, and keeps a copy of one that is damaged.
    ///
    /// - Returns: the damage; nil for a journal that ends where it ends, such as in a last transaction that a power cut
    ///   broke off.
    /// - Isolation: blocks for a read of the journal, of some megabytes at most.
    static func find(_ path: String) -> JournalDamage? {
        // A power cut breaks off one transaction; several lie only behind a place that was whole before.
        guard let file = FileHandle(forReadingAtPath: path + "-wal"), let lost = Self.lost(in: file), lost > 1 else {
            return nil
        }
        let kept = DatabaseRescue.nameAside(path + "-wal")
        do { try FileManager.default.copyItem(atPath: path + "-wal", toPath: kept) } catch {
            return JournalDamage(path: path, keptAs: "nothing (\(chain: error))", lost: lost)
        }
        return JournalDamage(path: path, keptAs: kept, lost: lost)
    }

    /// How many transactions of a journal's last round end behind its first wrong checksum; nil for no journal.
    ///
    /// - Source: https://www.sqlite.org/fileformat2.html#the_write_ahead_log
    private static func lost(in file: FileHandle) -> Int? {
        guard let header = try? file.read(upToCount: 32), header.count == 32 else { return nil }
        let words = Words(header, isBigEndian: true)
        guard words[0] & ~1 == 0x377F_0682, (512...65536).contains(words[2]), words[2].nonzeroBitCount == 1 else {
            return nil
        }
        let (isBigEndian, pageSize) = (words[0] & 1 == 1, Int(words[2]))
        var sum = Checksum(isBigEndian: isBigEndian)
        sum.add(header.prefix(24))
        var (isWhole, lost) = (sum.isSame(words[6], words[7]), 0)
        while let frame = try? file.read(upToCount: 24 + pageSize), frame.count == 24 + pageSize {
            let head = Words(frame.prefix(24), isBigEndian: true)
            // The rest is left of an earlier round.
            guard head[2] == words[4], head[3] == words[5] else { break }
            if isWhole {
                sum.add(frame.prefix(8))
                sum.add(frame.dropFirst(24))
                isWhole = sum.isSame(head[4], head[5])
            }
            // The last frame of a transaction has the size of the database.
            if !isWhole, head[1] != 0 { lost += 1 }
        }
        return lost
    }

    /// Bytes as numbers of 32 bits.
    private struct Words {
        private let bytes: [UInt8]
        private let isBigEndian: Bool

        init(_ data: Data, isBigEndian: Bool) { (bytes, self.isBigEndian) = (Array(data), isBigEndian) }

        var count: Int { bytes.count / 4 }

        subscript(_ index: Int) -> UInt32 {
            let word = bytes[(4 * index)..<(4 * index + 4)]
            return (isBigEndian ? Array(word) : word.reversed()).reduce(0) { $0 << 8 | UInt32($1) }
        }
    }

    /// The sum that each frame has of itself and of all before it.
    private struct Checksum {
        let isBigEndian: Bool
        private var sums: (UInt32, UInt32) = (0, 0)

        init(isBigEndian: Bool) { self.isBigEndian = isBigEndian }

        mutating func add(_ data: Data) {
            let words = Words(data, isBigEndian: isBigEndian)
            for index in stride(from: 0, to: words.count - 1, by: 2) {
                sums.0 = sums.0 &+ words[index] &+ sums.1
                sums.1 = sums.1 &+ words[index + 1] &+ sums.0
            }
        }

        func isSame(_ first: UInt32, _ second: UInt32) -> Bool { sums == (first, second) }
    }
}
