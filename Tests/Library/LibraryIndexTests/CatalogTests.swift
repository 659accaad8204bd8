import MusicModel
import Testing

@testable import LibraryIndex

@Suite("The library by albums and artists")
struct CatalogTests {
    @Test("letters begin where the first name with them stands, without accents, and # is for the rest")
    func letters() {
        let letters = Catalog.letters(["(hed)", "99 Luftballons", "Air", "Ängie", "björk", "Beck", "Москва", "渋谷"])
        #expect(letters.map(\.letter) == ["#", "A", "B", "М", "渋"])
        #expect(letters.map(\.offset) == [0, 2, 4, 6, 7])
    }

    @Test("a random order is the same for the same seed, and another one for another")
    func random() {
        var (first, second, third) = (SeededGenerator(state: 7), SeededGenerator(state: 7), SeededGenerator(state: 8))
        let numbers = Array(0..<100)
        let shuffled = numbers.shuffled(using: &first)
        #expect(shuffled == numbers.shuffled(using: &second))
        #expect(shuffled != numbers.shuffled(using: &third))
    }
}
