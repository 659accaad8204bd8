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

    @Test("a search has names that are the words first, then what begins with them, then words that do")
    func relevance() {
        let names = ["Backin", "Kind of Inland", "Some in Air", "Inside", "In Between", "in", "I’n", "The (In) Crowd"]
        #expect(
            Relevance(["IN"]).sorted(names) { $0 } == [
                "in", "Inside", "In Between", "Kind of Inland", "Some in Air", "The (In) Crowd", "Backin", "I’n",
            ])
        #expect(
            Relevance(["blue", "train"]).sorted(["Train, Blue", "A Blue Train", "Blue Trains", "Blue Train"]) { $0 }
                == ["Blue Train", "Blue Trains", "A Blue Train", "Train, Blue"])
        #expect(Relevance([]).sorted(names) { $0 } == names)
    }
}
