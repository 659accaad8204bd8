/// How well names fit the words of a search: the whole name, its beginning, the beginnings of its words, anything.
package struct Relevance: Sendable {
    private let phrase: String
    private let words: [String]

    /// Compares with these words; case and the forms of punctuation don't count.
    package init(_ words: [String]) {
        self.words = words.map(TextFolding.folded)
        phrase = self.words.joined(separator: " ")
    }

    /// The same items, those whose names fit best first; those that fit as well stay in their order.
    package func sorted<Item>(_ items: [Item], by name: (Item) -> String) -> [Item] {
        words.isEmpty ? items : sorted(items) { rank(of: name($0)) }
    }

    /// Songs, those whose titles fit best first. A title that many songs have is compared once.
    func sorted(_ songs: [UInt32], of titles: TagColumn) -> [UInt32] {
        var known: [UInt32: Int] = [:]
        return sorted(songs) { song in
            let title = titles.firstRank(of: song)
            if let rank = known[title] { return rank }
            let rank = title == 0 ? Self.worst : rank(of: titles.text(title))
            known[title] = rank
            return rank
        }
    }

    private static let worst = 4

    /// From 0, for the name itself, to 4, for one that has the words somewhere or not at all.
    func rank(of name: String) -> Int {
        let name = TextFolding.folded(name)
        if name == phrase { return 0 }
        if name.hasPrefix(phrase) { return 1 }
        let parts = name.split { !$0.isLetter && !$0.isNumber }
        let beginWords = words.allSatisfy { word in
            parts.contains { $0.hasPrefix(word) } || name.hasPrefix(word) || name.contains(" " + word)
        }
        guard beginWords else { return Self.worst }
        return name.contains(" " + phrase) ? 2 : 3
    }

    private func sorted<Item>(_ items: [Item], rank: (Item) -> Int) -> [Item] {
        var groups = [[Item]](repeating: [], count: Self.worst + 1)
        for item in items { groups[rank(item)].append(item) }
        return groups.flatMap { $0 }
    }
}
