/// A set of songs, one bit for each number: 500,000 songs are 62 KB, and AND, NOT and membership are machine words.
package struct SongSet: Sendable, Equatable {
    private(set) var words: [UInt64] = []
    init() {}
    init(upTo maximum: Int64) { words = [UInt64](repeating: 0, count: Int(maximum >> 6) + 1) }

    init(below count: Int, where isMember: (Int) -> Bool) {
        words = [UInt64](repeating: 0, count: count >> 6 + 1)
        for number in 0..<count where isMember(number) { words[number >> 6] |= 1 << UInt64(number & 63) }
    }

    mutating func insert(_ id: Int64) {
        let word = Int(id >> 6)
        if word >= words.count { words.append(contentsOf: repeatElement(0, count: word + 1 - words.count)) }
        words[word] |= 1 << UInt64(id & 63)
    }

    /// True if the song is in the set.
    package func contains(_ id: Int64) -> Bool {
        let word = Int(id >> 6)
        return word < words.count && words[word] & (1 << UInt64(id & 63)) != 0
    }

    var count: Int { words.reduce(0) { $0 + $1.nonzeroBitCount } }
    var isEmpty: Bool { words.allSatisfy { $0 == 0 } }

    mutating func formUnion(_ other: SongSet) {
        if other.words.count > words.count {
            words.append(contentsOf: repeatElement(0, count: other.words.count - words.count))
        }
        for index in other.words.indices { words[index] |= other.words[index] }
    }

    mutating func formIntersection(_ other: SongSet) {
        if words.count > other.words.count { words.removeSubrange(other.words.count...) }
        for index in words.indices { words[index] &= other.words[index] }
    }

    mutating func subtract(_ other: SongSet) {
        for index in 0..<min(words.count, other.words.count) { words[index] &= ~other.words[index] }
    }

    func subtracting(_ other: SongSet) -> SongSet {
        var result = self
        result.subtract(other)
        return result
    }

    func forEach(_ body: (Int64) throws -> Void) rethrows {
        for (index, bits) in words.enumerated() {
            var rest = bits
            while rest != 0 {
                try body(Int64(index << 6 + rest.trailingZeroBitCount))
                rest &= rest - 1
            }
        }
    }
}
