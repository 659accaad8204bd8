import MPDCommands
import MusicModel
import ServerLoop
import Testing

/// Words of one song.
private final class OneSongsWords: LyricsProviding {
    let words: Lyrics?

    init(_ text: String) { words = Lyrics(text: text) }

    @concurrent func lyrics(of uri: String, isUrgent: Bool) async -> Lyrics? { uri == "Café/Straße.flac" ? words : nil }
}

/// What a server read in every file.
private struct SameComments: CommentsProviding {
    @concurrent func comments(of song: SongID) async -> [(name: String, value: String)] {
        [("title", "Tee"), ("isrc", "GBAAW9700001"), ("date", "1997-09-22")]
    }
}

@Suite("Words of songs")
@ServerActor
struct LyricsTests {
    private let song = "\"Café/Straße.flac\""

    private func hex(_ text: String) -> String {
        text.utf8.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
    }

    @Test("readcomments tells what the server read in the file, behind the tags and without repeating them")
    func serverComments() async throws {
        let desk = try await Desk()
        let before = await desk.ask("readcomments \(song)")
        let title = try #require(before.first { $0.hasPrefix("Title: ") })
        desk.reassemble { parts, _ in parts.comments = SameComments() }
        let expected = title == "Title: Tee" ? [] : ["title: Tee"]
        #expect(
            await desk.ask("readcomments \(song)")
                == before.dropLast() + expected + ["isrc: GBAAW9700001", "date: 1997-09-22", "OK"])
        try desk.close()
    }

    @Test("readlyrics sends the words whole, or in chunks as readpicture does")
    func whole() async throws {
        let desk = try await Desk()
        desk.reassemble { parts, _ in parts.lyrics = OneSongsWords("[00:01.00]Fünf\n[00:02.00]Sechs") }
        let text = "[00:01.00]Fünf\n[00:02.00]Sechs\n"
        #expect(
            await desk.ask("readlyrics \(song)") == ["size: 32", "type: text/x-lrc", "binary: 32", hex(text), "OK"])
        #expect(
            await desk.ask("readlyrics \(song) 26") == [
                "size: 32", "type: text/x-lrc", "binary: 6", hex("Sechs\n"), "OK",
            ])
        #expect(
            await desk.ask("readlyrics \(song) 32") == ["size: 32", "type: text/x-lrc", "binary: 0", "", "OK"])
        #expect(await desk.ask("readlyrics \(song) 33") == ["ACK [2@0] {readlyrics} Bad file offset"])
        try desk.close()
    }

    @Test("words without times are plain text, and longer than a chunk they come in several")
    func chunks() async throws {
        let desk = try await Desk()
        let text = String(repeating: "La la\n", count: 20)
        desk.reassemble { parts, _ in parts.lyrics = OneSongsWords(text) }
        _ = await desk.ask("binarylimit 64")
        let first = await desk.ask("readlyrics \(song)")
        let second = await desk.ask("readlyrics \(song) 64")
        #expect(first.prefix(3) == ["size: 120", "type: text/plain", "binary: 64"])
        #expect(first[3] + second[3] == hex(text) && second[2] == "binary: 56")
        try desk.close()
    }

    @Test("without words there is an empty answer, and an error for what is no song")
    func missing() async throws {
        let desk = try await Desk()
        desk.reassemble { parts, _ in parts.lyrics = OneSongsWords("x") }
        #expect(await desk.ask("readlyrics root.flac") == ["OK"])
        #expect(await desk.ask("readlyrics \"Café\"") == ["ACK [50@0] {readlyrics} No such song"])
        #expect(await desk.ask("readlyrics nothing 0") == ["ACK [50@0] {readlyrics} No such song"])
        #expect(await desk.ask("readlyrics \"http://example.org/a\"") == ["OK"])
        #expect(await desk.ask("readlyrics root.flac x") == ["ACK [2@0] {readlyrics} Integer expected: x"])
        #expect(await desk.ask("readlyrics") == ["ACK [2@0] {readlyrics} too few arguments for \"readlyrics\""])
        try desk.close()
    }

    @Test("commands lists it only where there can be words")
    func listed() async throws {
        let desk = try await Desk()
        #expect(await !desk.ask("commands").contains("command: readlyrics"))
        desk.reassemble { parts, _ in parts.lyrics = OneSongsWords("x") }
        #expect(await desk.ask("commands").contains("command: readlyrics"))
        try desk.close()
    }

    @Test("readcomments tells the words line by line behind the tags, within the limit of a line")
    func comments() async throws {
        let desk = try await Desk()
        let plain = await desk.ask("readcomments \(song)")
        desk.reassemble { parts, _ in
            parts.lyrics = OneSongsWords("[00:01.00]One\n\n" + String(repeating: "ü", count: 3000))
        }
        let answer = await desk.ask("readcomments \(song)")
        #expect(answer.dropLast(4) == plain.dropLast())
        #expect(answer.suffix(4).prefix(2) == ["Lyrics: [00:01.00]One", "Lyrics: "])
        let longest = try #require(answer.dropLast().last)
        #expect(longest.hasPrefix("Lyrics: üüü") && longest.utf8.count + 1 <= 4095 && longest.utf8.count > 4000)
        #expect(await desk.ask("readcomments root.flac").contains { $0.hasPrefix("Lyrics") } == false)
        try desk.close()
    }
}
