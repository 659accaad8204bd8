/// Texts one after the other, as a column of a tag has them, or folded as searches compare them. A needle of one or two
/// letters, which trigrams don't narrow down, takes a fraction of a millisecond a megabyte here, in the database ten.
struct PackedTexts: Sendable {
    private(set) var bytes: [UInt8] = []
    private(set) var ends: [UInt32] = []

    var count: Int { ends.count }

    mutating func append(_ text: some Sequence<UInt8>) {
        bytes.append(contentsOf: text)
        ends.append(UInt32(bytes.count))
    }

    func range(_ index: Int) -> Range<Int> { (index == 0 ? 0 : Int(ends[index - 1]))..<Int(ends[index]) }

    subscript(index: Int) -> ArraySlice<UInt8> { bytes[range(index)] }

    func withText<Result>(_ index: Int, _ body: (UnsafeBufferPointer<UInt8>) throws -> Result) rethrows -> Result {
        try bytes.withUnsafeBufferPointer { try body(UnsafeBufferPointer(rebasing: $0[range(index)])) }
    }

    /// Each text in the form that `fold` puts into a buffer.
    func folded(by fold: (UnsafeBufferPointer<UInt8>, inout [UInt8]) -> Void) -> PackedTexts {
        var (result, buffer) = (PackedTexts(), [UInt8]())
        for index in ends.indices {
            withText(index) { fold($0, &buffer) }
            result.append(buffer)
        }
        return result
    }

    /// Calls `found` with the rank of every text that contains `needle`, or begins with it; the needle isn't empty.
    func forEachHit(of needle: [UInt8], atStart: Bool, _ found: (UInt32) -> Void) {
        let search = ByteSearch(needle)
        bytes.withUnsafeBytes { bytes in
            var offset = 0
            var rank = 0
            while let start = search.first(in: bytes, from: offset) {
                rank = self.rank(at: start, from: rank)
                let text = range(rank)
                // Texts follow one another without a gap, so a hit may also reach from one into the next.
                if start + needle.count <= text.upperBound, !atStart || start == text.lowerBound {
                    found(UInt32(rank + 1))
                    offset = text.upperBound
                } else {
                    offset = start + 1
                }
            }
        }
    }

    func forEachEqual(to needle: [UInt8], _ found: (UInt32) -> Void) {
        bytes.withUnsafeBytes { bytes in
            for index in ends.indices where UnsafeRawBufferPointer(rebasing: bytes[range(index)]).equals(needle) {
                found(UInt32(index + 1))
            }
        }
    }

    /// Calls `found` with the rank of every text that matches; throws what the expression throws.
    func forEachMatch(of expression: RegularExpression, _ found: (UInt32) -> Void) throws {
        try bytes.withUnsafeBufferPointer { bytes in
            let raw = UnsafeRawBufferPointer(bytes)
            try expression.matchInTurn { matches in
                var rank = 0
                while rank < ends.count {
                    if let byte = expression.firstByte {
                        // Most texts don't hold the byte with which a match begins.
                        guard let offset = raw.firstIndex(of: byte, from: range(rank).lowerBound) else { return }
                        rank = self.rank(at: offset, from: rank)
                    }
                    if try matches(UnsafeBufferPointer(rebasing: bytes[range(rank)])) { found(UInt32(rank + 1)) }
                    rank += 1
                }
            }
        }
    }

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
    func songs(containing needle: [UInt8], atStart: Bool, in texts: PackedTexts) -> SongSet {
        songs { texts.forEachHit(of: needle, atStart: atStart, $0) }
    }

    func songs(equalTo needle: [UInt8], in texts: PackedTexts) -> SongSet {
        songs { texts.forEachEqual(to: needle, $0) }
    }

    func songs(matching expression: RegularExpression) throws -> SongSet {
        try songs { try texts(folded: false).forEachMatch(of: expression, $0) }
    }

    private func songs(_ find: (_ found: (UInt32) -> Void) throws -> Void) rethrows -> SongSet {
        var isHit = [Bool](repeating: false, count: count + 1)
        try find { isHit[Int($0)] = true }
        return songs(where: isHit)
    }
}
