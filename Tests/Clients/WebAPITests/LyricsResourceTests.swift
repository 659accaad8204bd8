import MusicModel
import Testing

@testable import WebAPI

@Suite("The words of a song for the page")
struct LyricsResourceTests {
    @Test("a chorus stands there at each of its times, in their order")
    func chorus() throws {
        let lyrics = try #require(Lyrics(text: "[ar:Name]\n[00:10][00:01.50]La\n[00:05]Li"))
        let lines = LyricsResource.lines(lyrics)
        #expect(lines.map(\.text) == ["La", "Li", "La"] && lines.map(\.time) == [1.5, 5, 10])
    }

    @Test("a small file makes no large answer: a line has 64 times at most, and all take four megabytes")
    func bounds() throws {
        let line = String(repeating: "[0:01]", count: 10_000) + String(repeating: "x", count: 60_000)
        let lyrics = try #require(Lyrics(text: line + "\n" + line + "\n[0:02]y"))
        let lines = LyricsResource.lines(lyrics)
        #expect(lines.count > 2 && lines.count < 64)
        #expect(lines.reduce(0) { $0 + $1.text.utf8.count } < 5 << 20)
        #expect(lines.last?.text == "y")
    }
}
