/// The texts of a column as searches compare them, one after the other. A needle of one or two letters narrows nothing
/// down in the trigram index; running over a megabyte of memory takes a fraction of a millisecond, where the same texts
/// in the database take ten.
final class ColumnTexts: Sendable {
    private let bytes: [UInt8]
    private let ends: [UInt32]

    /// Takes texts as they are; they share the column's memory.
    init(bytes: [UInt8], ends: [UInt32]) { (self.bytes, self.ends) = (bytes, ends) }

    /// Takes the texts of `column`, each in the form that `fold` puts into a buffer.
    init(of column: TagColumn, as fold: (UnsafeBufferPointer<UInt8>, inout [UInt8]) -> Void) {
        var bytes: [UInt8] = []
        var ends: [UInt32] = []
        ends.reserveCapacity(column.count)
        var buffer: [UInt8] = []
        for rank in 1..<UInt32(column.count + 1) {
            column.withBytes(rank) { text in
                fold(text, &buffer)
                bytes.append(contentsOf: buffer)
            }
            ends.append(UInt32(bytes.count))
        }
        (self.bytes, self.ends) = (bytes, ends)
    }

    /// Calls `found` with the rank of every text that contains `needle`, or begins with it; the needle isn't empty.
    func forEachHit(of needle: [UInt8], atStart: Bool, _ found: (UInt32) -> Void) {
        let search = ByteSearch(needle)
        bytes.withUnsafeBytes { bytes in
            var offset = 0
            var rank = 0
            while let start = search.first(in: bytes, from: offset) {
                rank = self.rank(at: start, from: rank)
                let end = Int(ends[rank])
                // Texts follow one another without a gap, so a hit may also reach from one into the next.
                if start + needle.count <= end, !atStart || start == begin(of: rank) {
                    found(UInt32(rank + 1))
                    offset = end
                } else {
                    offset = start + 1
                }
            }
        }
    }

    func forEachEqual(to needle: [UInt8], _ found: (UInt32) -> Void) {
        bytes.withUnsafeBytes { bytes in
            var start = 0
            for (index, end) in ends.enumerated() {
                if Int(end) - start == needle.count,
                    UnsafeRawBufferPointer(rebasing: bytes[start..<Int(end)]).equals(needle)
                { found(UInt32(index + 1)) }
                start = Int(end)
            }
        }
    }

    /// Calls `found` with the rank of every text that matches.
    /// - Throws: what the expression throws.
    func forEachMatch(of expression: RegularExpression, _ found: (UInt32) -> Void) throws {
        try bytes.withUnsafeBufferPointer { bytes in
            try expression.matchInTurn { matches in
                var rank = 0
                while rank < ends.count {
                    if let byte = expression.firstByte {
                        // Most texts don't hold the byte with which a match begins.
                        guard let offset = UnsafeRawBufferPointer(bytes).firstIndex(of: byte, from: begin(of: rank))
                        else { return }
                        rank = self.rank(at: offset, from: rank)
                    }
                    let text = UnsafeBufferPointer(rebasing: bytes[begin(of: rank)..<Int(ends[rank])])
                    if try matches(text) { found(UInt32(rank + 1)) }
                    rank += 1
                }
            }
        }
    }

    private func begin(of rank: Int) -> Int { rank == 0 ? 0 : Int(ends[rank - 1]) }

    /// The index of the text that holds a byte. Hits are mostly close to each other, so it looks nearby first.
    private func rank(at offset: Int, from first: Int) -> Int {
        var low = first
        var step = 1
        while low + step < ends.count, Int(ends[low + step]) <= offset {
            low += step
            step *= 2
        }
        var high = min(ends.count, low + step + 1)
        while low < high {
            let middle = (low + high) / 2
            if Int(ends[middle]) <= offset { low = middle + 1 } else { high = middle }
        }
        return low
    }
}

extension TagColumn {
    func songs(containing needle: [UInt8], atStart: Bool, in texts: ColumnTexts) -> SongSet {
        var isHit = [Bool](repeating: false, count: count + 1)
        texts.forEachHit(of: needle, atStart: atStart) { isHit[Int($0)] = true }
        return songs(where: isHit)
    }

    func songs(equalTo needle: [UInt8], in texts: ColumnTexts) -> SongSet {
        var isHit = [Bool](repeating: false, count: count + 1)
        texts.forEachEqual(to: needle) { isHit[Int($0)] = true }
        return songs(where: isHit)
    }

    /// The songs of which a value matches.
    /// - Throws: what the expression throws.
    func songs(matching expression: RegularExpression) throws -> SongSet {
        var isHit = [Bool](repeating: false, count: count + 1)
        try texts(folded: false).forEachMatch(of: expression) { isHit[Int($0)] = true }
        return songs(where: isHit)
    }
}
