import MusicModel
import Testing

@Suite("Letters with endless marks", .timeLimit(.minutes(1)))
struct ExcessMarksTests {
    /// Marks of two classes in turn, which are to be put in order.
    private static let marks = String(repeating: "\u{301}\u{323}", count: 200_000)

    @Test("Texts of people stay, whatever their script")
    func people() {
        for text in ["", "plain", "Zoë", "Tiếng Việt", "สวัสดีครับ", "שָׁלוֹם", "日本語", "🇩🇪🏴‍☠️", "Z̸̢̛a̷l̴g̵o̶"] {
            #expect(!text.hasExcessMarks && text.withoutExcessMarks.utf8.elementsEqual(text.utf8))
        }
    }

    @Test("The first thirty marks of a letter stay, and all that follows them")
    func cut() {
        let text = "a" + Self.marks + "b" + Self.marks
        #expect(text.hasExcessMarks)
        #expect(text.withoutExcessMarks.unicodeScalars.count == 62)
        #expect(text.withoutExcessMarks.unicodeScalars.last == "\u{323}")
    }

    @Test("A megabyte of marks in a sheet or in words is read at once")
    func texts() {
        #expect(
            CueSheet("FILE a\(Self.marks) WAVE\nT\(Self.marks) x\nTRACK 01 AUDIO\nINDEX 01 00:00:00").tracks.count == 1)
        #expect(Lyrics(text: "[00:01]a\(Self.marks)")?.lines.count == 1)
        #expect(TextDecoding.text(Array(Self.marks.utf8)).unicodeScalars.count == 30)
        #expect(TextDecoding.text(Self.marks.utf8, linesLike: FileNames()).unicodeScalars.count == 30)
    }
}
