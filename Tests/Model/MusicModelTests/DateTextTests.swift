import MusicModel
import Testing

@Suite("Dates in tags")
struct DateTextTests {
    @Test(
        "the year of a date is found however the date is written",
        arguments: [
            ("1999", 1999), ("1999-05-25", 1999), ("1999-05-25T01:02:03", 1999), ("25.05.1999", 1999),
            ("05/25/1999", 1999), ("ca. 1720", 1720), ("1999-2001", 1999), ("19990525", 1999), ("c1999", 1999),
            ("May 1999 (2004)", 1999), ("", nil), ("99", nil), ("0000", nil), ("0999", nil), ("3000", nil),
            ("19991", nil), ("19991305", nil), ("unknown", nil), ("199905", nil),
        ] as [(String, Int?)])
    func years(text: String, year: Int?) { #expect(DateText.year(of: text) == year) }
}
