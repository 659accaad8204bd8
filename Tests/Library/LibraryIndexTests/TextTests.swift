import Coordination
import Testing

@testable import LibraryIndex

@Suite("Texts")
struct TextTests {
    @Test(
        "Folding is MPD's: NFKC case folding, plain punctuation, diacritics kept",
        arguments: [
            ("Abc", "abc"), ("abc 1-2", "abc 1-2"), ("", ""), ("Straße", "strasse"), ("STRASSE", "strasse"),
            ("ＡＢＣ１", "abc1"), ("Émile", "émile"), ("e\u{301}", "é"), ("İ", "i\u{307}"), ("ı", "ı"),
            ("ΣΊΣΥΦΟΣ", "σίσυφοσ"), ("ﬁn", "fin"), ("‘Don’t’ – “Stop”…", "'don't' - \"stop\"..."), ("МУМИЙ", "мумий"),
            ("so\u{AD}ft", "soft"), ("½", "1⁄2"), ("椎名林檎", "椎名林檎"),
        ])
    func folding(text: String, folded: String) {
        #expect(ExactText.equal(TextFolding.folded(text), folded), "\(TextFolding.folded(text))")
        var buffer: [UInt8] = [1, 2, 3]
        var copy = text
        copy.withUTF8 { TextFolding.fold($0, into: &buffer) }
        #expect(buffer == Array(folded.utf8))
    }

    @Test("Folding twice is folding once, also for long texts with ligatures that grow eighteenfold")
    func foldingGrows() {
        let text = String(repeating: "\u{FDFA}", count: 50)
        let folded = TextFolding.folded(text)
        #expect(folded.unicodeScalars.count == 50 * 18)
        #expect(ExactText.equal(TextFolding.folded(folded), folded))
    }

    @Test("Exact texts are told apart by bytes and ordered as strcmp does")
    func exactTexts() {
        #expect(ExactText("é") != ExactText("e\u{301}"))
        #expect(Set([ExactText("é"), ExactText("e\u{301}"), ExactText("é")]).count == 2)
        #expect(
            ["b", "Z", "é", "a", "", "ab"].map(ExactText.init).sorted().map(\.text) == ["", "Z", "a", "ab", "b", "é"])
    }

    @Test("Names are ordered as ICU's root collation does")
    func collation() {
        let names = ["Zebra", "apple", "Éclair", "banana", "Apple", "_x", "10", "9", "eclair"]
        #expect(
            names.sorted(by: Collation.precedes) == [
                "_x", "10", "9", "apple", "Apple", "banana", "eclair", "Éclair", "Zebra",
            ])
    }

    @Test(
        "Regular expressions search, fold when asked, and refuse nonsense",
        arguments: [
            ("^Mid", "Midnight", false, true), ("mid", "Midnight", false, false), ("mid", "Midnight", true, true),
            ("n.ght$", "Midnight", false, true), ("", "x", false, true), ("x", "", false, false),
            ("É", "Émile", false, true), ("^é.i", "Émile", true, true), ("^.{5}$", "Émile", false, true),
            ("a.b", "a\nb", false, true), ("(?<=d)n", "Midnight", false, true),
        ])
    func regularExpressions(pattern: String, text: String, folds: Bool, matches: Bool) throws {
        #expect(try RegularExpression(pattern, foldsCase: folds).matches(text) == matches)
    }

    @Test(
        "Texts that are matched in turn match as each by itself does",
        arguments: [
            "Mo+n", "^Mo", "n$", "oo?", "(?i)moon", "x*", "", "M|S", "[MS]", "Éc", "é", "\\bS", ".u.", "(?<=M)o",
            "\\QM(?\\E",
        ])
    func matchingInTurn(pattern: String) throws {
        let texts = [
            "", "Moon", "moon", "Full Moon", "S", "M(?", "Éclair", "éclair", "Sun", "aMn", "MMoon", "o", "Mo\nn",
        ]
        var column = PackedTexts()
        for text in texts { column.append(text.utf8) }
        for foldsCase in [false, true] {
            let expression = try RegularExpression(pattern, foldsCase: foldsCase)
            var ranks: [UInt32] = []
            try column.forEachMatch(of: expression) { ranks.append($0) }
            let expected = try texts.indices.filter { try expression.matches(texts[$0]) }
            #expect(ranks == expected.map { UInt32($0 + 1) })
        }
    }

    @Test("Quick values are counted by the handful, slow ones and those that were given up one by one")
    func matchingPace() throws {
        let value = String(repeating: "a", count: 40) + "b"
        let texts = Array(repeating: "a", count: 100) + Array(repeating: value, count: MatchingBudget.maxValuesGivenUp)
        var column = PackedTexts()
        for text in texts { column.append(text.utf8) }
        let budget = MatchingBudget(time: .seconds(600))
        let expression = try RegularExpression("^(a+)+$", foldsCase: false, budget: budget)
        var hits = 0
        #expect(throws: LibraryError.self) { try column.forEachMatch(of: expression) { _ in hits += 1 } }
        #expect(hits == 100)
        let short = try RegularExpression("a", foldsCase: false, budget: MatchingBudget(time: .zero))
        #expect(throws: LibraryError.self) { try column.forEachMatch(of: short) { _ in } }
    }

    @Test("A bad regular expression names its place")
    func badRegularExpression() {
        #expect(throws: LibraryError(.badExpression, "Error in regex at offset 3: missing closing parenthesis")) {
            _ = try RegularExpression("a(b", foldsCase: false)
        }
    }

    @Test("A regular expression that backtracks without end gives a value up, and after 20 of them the query")
    func catastrophicExpression() throws {
        let budget = MatchingBudget(time: .seconds(600))
        let expression = try RegularExpression("^(a+)+$", foldsCase: false, budget: budget)
        let value = String(repeating: "a", count: 40) + "b"
        for _ in 1..<MatchingBudget.maxValuesGivenUp { #expect(try !expression.matches(value)) }
        #expect(throws: LibraryError.self) { try expression.matches(value) }
        // The budget is the whole query's.
        let other = try RegularExpression("b", foldsCase: false, budget: budget)
        #expect(throws: LibraryError.self) { try other.matches("b") }
    }

    @Test("A query's regular expressions may take so long together")
    func slowExpressions() throws {
        let expression = try RegularExpression("x", foldsCase: false, budget: MatchingBudget(time: .zero))
        #expect(throws: LibraryError.self) { try expression.matches("x") }
    }

    @Test("A query whose thread waited for a processor has its time still")
    func interruptedExpression() throws {
        let budget = MatchingBudget(time: .seconds(2))
        let tenSecondsAgo = Monotonic.now - .seconds(10)
        for _ in 0..<19 { try budget.charge(since: tenSecondsAgo, gaveUp: false) }
        #expect(throws: LibraryError.self) { for _ in 0..<2 { try budget.charge(since: tenSecondsAgo, gaveUp: false) } }
    }

    @Test("A cancelled query compares no further")
    func cancelledExpression() async throws {
        let expression = try RegularExpression("x", foldsCase: false)
        let task = Task {
            while !Task.isCancelled { await Task.yield() }
            return try expression.matches("x")
        }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    @Test(
        "Settings in front of a regular expression, which could lift the limits, are refused",
        arguments: ["(*NO_JIT)x", "(*LIMIT_MATCH=4000000000)x", "(*LIMIT_HEAP=4000000000)x", "(*UTF)(*NO_JIT)x"])
    func settings(pattern: String) {
        #expect(throws: LibraryError.self) { _ = try RegularExpression(pattern, foldsCase: false) }
    }

    @Test("A regular expression that needs too much memory is an error and not a silent no")
    func deepExpression() throws {
        let expression = try RegularExpression("^(?<x>a(?&x)?b?)+$", foldsCase: false)
        let value = String(repeating: "a", count: 4_000_000)
        #expect(throws: LibraryError.self) { try expression.matches(value) }
    }

    @Test("A quote with an accent on it is still a quote for the trigram index")
    func accentedQuotes() {
        #expect(Trigrams.expression(for: "b\"\u{301}c") == "\"b\"\"\u{301}\" AND \"\"\"\u{301}c\"")
    }

    @Test(
        "Paths lose what the protocol forbids",
        arguments: [
            ("/a/b.flac", "a/b.flac"), ("a//b.flac", "a/b.flac"), ("./a/../b.flac", "a/b.flac"), ("", "x.flac"),
            ("///", "x.flac"), ("..", "x.flac"), ("a/b\nc\u{0}.flac", "a/b c .flac"), ("a/.hidden", "a/.hidden"),
            ("http://x/y", "http:/x/y"), ("a b/ c .mp3", "a b/ c .mp3"),
        ])
    func paths(path: String, clean: String) { #expect(CleanText.path(path, fallback: "x.flac") == clean) }

    @Test("A path of 10 kB keeps its suffix and fits into a line")
    func longPath() {
        let path = CleanText.path(String(repeating: "ä", count: 5000) + ".flac", fallback: "x")
        #expect(path.utf8.count <= 3800)
        #expect(path.hasSuffix("ä.flac"))
    }

    @Test("Numbers stand before the suffix")
    func numbered() {
        #expect(CleanText.numbered("a.b/c.flac", 2) == "a.b/c (2).flac")
        #expect(CleanText.numbered("a.b/c", 2) == "a.b/c (2)")
        #expect(CleanText.numbered(".hidden", 3) == ".hidden (3)")
    }

    @Test("Values are one line of at most 4,000 bytes, cut between characters")
    func values() {
        #expect(CleanText.tagValue("a\nb\tc") == "a b c")
        #expect(CleanText.tagValue("") == nil)
        let long = CleanText.tagValue(String(repeating: "€", count: 5000))
        #expect(long == String(repeating: "€", count: 1333))
    }

    @Test(
        "Numbers are read as strtol does",
        arguments: [("7", 7), (" 7/12", 7), ("-3", -3), ("x", 0), ("", 0), ("99999999999", Int32.max)]
            as [(String, Int32)])
    func leadingNumbers(text: String, number: Int32) { #expect(leadingNumber(text) == number) }
}
