import Foundation
import LibraryIndex

/// The words by which a list of names is narrowed down.
struct SearchWords {
    private let words: [String]

    /// Reads the words of a question; none let everything through.
    init(_ text: String?) { self.init(APIRequest.words(text)) }

    /// Takes words that were read already.
    init(_ words: [String]) { self.words = words }

    /// The items that have all of the words in their names, in their order.
    func narrowing<Item>(_ items: [Item], by name: (Item) -> String) -> [Item] {
        words.isEmpty
            ? items : items.filter { item in words.allSatisfy { name(item).localizedCaseInsensitiveContains($0) } }
    }

    /// The items that have all of the words in their names, those that fit best first.
    func ranked<Item>(_ items: [Item], by name: (Item) -> String) -> [Item] {
        Relevance(words).sorted(narrowing(items, by: name), by: name)
    }
}
