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
}
