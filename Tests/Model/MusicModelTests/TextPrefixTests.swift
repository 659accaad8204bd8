import MusicModel
import Testing

@Suite("Texts that are cut")
struct TextPrefixTests {
    @Test("a text that fits stays as it is")
    func fits() {
        #expect("".prefix(utf8: 0).isEmpty)
        #expect("Björk".prefix(utf8: 6) == "Björk")
        #expect("Björk".prefix(utf8: .max) == "Björk")
        #expect("Björk".dropFirst().prefix(utf8: 5) == "jörk")
    }

    @Test("a cut never parts the bytes of a scalar", arguments: 0...16)
    func cuts(limit: Int) {
        let cut = "aö€😀e\u{301}".prefix(utf8: limit)
        #expect(cut.utf8.count <= limit)
        #expect("aö€😀e\u{301}".unicodeScalars.starts(with: cut.unicodeScalars))
        #expect(!cut.unicodeScalars.contains("\u{FFFD}"))
        #expect(cut.utf8.count > limit - 4 || cut.utf8.count == 13)
    }

    @Test("one letter with a megabyte of accents is no longer than anything else")
    func accents() {
        let letter = "e" + String(repeating: "\u{301}", count: 500_000)
        #expect(letter.count == 1)
        #expect(letter.prefix(utf8: 240).utf8.count == 239)
        #expect("x".prefix(utf8: -1).isEmpty)
    }
}
