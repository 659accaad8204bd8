import Testing

@testable import MusicModel

@Suite("Control characters")
struct ControlCharacterTests {
    @Test(
        "become spaces: those of ASCII, the second set, and what turns the direction around",
        arguments: [
            ("plain", "plain"), ("a\u{1B}[31mb", "a [31mb"), ("a\u{9B}31mb", "a 31mb"), ("\u{80}\u{9F}", "  "),
            ("a\u{202E}b\u{202D}", "a b "), ("a\nb\u{7F}", "a b "), ("", ""), ("\u{A0}\u{202C}é", "\u{A0}\u{202C}é"),
            ("Â", "Â"), ("â", "â"),
        ])
    func spaces(text: String, expected: String) {
        #expect(text.withoutControls == expected)
        #expect(text.hasControls == (text != expected))
    }
}
