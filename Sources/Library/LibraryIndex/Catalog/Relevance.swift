/// How well names fit the words of a search: the whole name, its beginning, the beginnings of its words, anything.
/// Names are compared byte by byte: a search as one types may rank a million of them.
package struct Relevance: Sendable {
    private let phrase: [UInt8]
    private let words: [[UInt8]]

    /// Compares with these words; case and the forms of punctuation don't count.
    package init(_ words: [String]) {
        let folded = words.map { TextFolding.folded($0) }
        self.words = folded.map { Array($0.utf8) }
        phrase = Array(folded.joined(separator: " ").utf8)
    }

    /// The same items, those whose names fit best first; those that fit as well stay in their order.
    package func sorted<Item>(_ items: [Item], by name: (Item) -> String) -> [Item] {
        if words.isEmpty { return items }
        var folded: [UInt8] = []
        return sorted(items) { item in
            var name = name(item)
            name.withUTF8 { TextFolding.fold($0, into: &folded) }
            return rank(of: folded)
        }
    }

    /// Songs, those whose titles fit best first. A title that many songs have is compared once.
    /// - Throws: `CancellationError` where the search is not wanted any more.
    func sorted(_ songs: [UInt32], of titles: TagColumn) throws -> [UInt32] {
        var known = [UInt8](repeating: .max, count: titles.count + 1)
        known[0] = UInt8(Self.worst)
        var folded: [UInt8] = []
        var sinceCheck = 0
        return try sorted(songs) { song in
            let title = Int(titles.firstRank(of: song))
            if known[title] != .max { return Int(known[title]) }
            sinceCheck += 1
            if sinceCheck.isMultiple(of: 1024) { try Task.checkCancellation() }
            var text = titles.text(UInt32(title))
            text.withUTF8 { TextFolding.fold($0, into: &folded) }
            let rank = rank(of: folded)
            known[title] = UInt8(rank)
            return rank
        }
    }

    private static let worst = 4

    /// From 0, for the name itself, to 4, for one that has the words somewhere or not at all.
    private func rank(of name: [UInt8]) -> Int {
        if name.starts(with: phrase) { return name.count == phrase.count ? 0 : 1 }
        guard words.allSatisfy({ Self.begins($0, in: name) { !Self.isPartOfWord($0) } }) else { return Self.worst }
        return Self.begins(phrase, in: name) { $0 == UInt8(ascii: " ") } ? 2 : 3
    }

    private static func begins(_ word: [UInt8], in name: [UInt8], behind isBoundary: (UInt8) -> Bool) -> Bool {
        guard let first = word.first else { return true }
        guard name.count >= word.count else { return false }
        for start in 0...name.count - word.count where name[start] == first {
            if start == 0 || isBoundary(name[start - 1]), name[start...].starts(with: word) { return true }
        }
        return false
    }

    /// True if a byte belongs to a letter or a number; beyond ASCII all count as letters, as punctuation is folded.
    private static func isPartOfWord(_ byte: UInt8) -> Bool {
        byte >= 0x80 || (0x61...0x7A).contains(byte) || (0x30...0x39).contains(byte)
    }

    private func sorted<Item>(_ items: [Item], rank: (Item) throws -> Int) rethrows -> [Item] {
        var groups = [[Item]](repeating: [], count: Self.worst + 1)
        for item in items { groups[try rank(item)].append(item) }
        return groups.flatMap { $0 }
    }
}
