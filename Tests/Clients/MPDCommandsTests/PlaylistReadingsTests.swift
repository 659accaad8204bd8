import MusicModel
import Synchronization
import Testing

@testable import MPDCommands

@Suite("Paths in playlists of other programs and systems")
struct PlaylistReadingsTests {
    @Test(
        "a path is read word for word first, then without percent signs and backslashes",
        arguments: [
            ("a/b.mp3", ["a/b.mp3"]), ("a\\b.mp3", ["a\\b.mp3", "a/b.mp3"]),
            ("100%.mp3", ["100%.mp3"]), ("a%20b", ["a%20b", "a b"]),
            ("a%5Cb\\c%20d", ["a%5Cb\\c%20d", "a\\b\\c d", "a%5Cb/c%20d", "a/b/c d"]),
            ("file:/m/a%C3%A9", ["file:/m/a%C3%A9", "file:///m/a%C3%A9", "file:///m/aé"]),
            ("file://localhost/m/a", ["file://localhost/m/a", "file:///m/a"]), ("a%00b%0A", ["a%00b%0A"]),
            ("%", ["%"]), ("%4", ["%4"]), ("%zz", ["%zz"]),
        ] as [(String, [String])])
    func readings(path: String, expected: [String]) { #expect(WrittenPath.readings(of: path) == expected) }

    @Test(
        "an absolute path of Windows is known by its ends",
        arguments: [
            ("C:\\Music\\A\\x.mp3", ["Music/A/x.mp3", "A/x.mp3", "x.mp3"]), ("d:/A/x.mp3", ["A/x.mp3", "x.mp3"]),
            ("file:///C:/A%20B/x.mp3", ["A B/x.mp3", "x.mp3"]),
            ("\\\\nas\\m\\x.mp3", ["nas/m/x.mp3", "m/x.mp3", "x.mp3"]),
            ("A\\x.mp3", []), ("/A/x.mp3", []), ("file:///A/x.mp3", []), ("AB:/x", []),
            ("C:x", []), ("C:/", []), ("", []),
        ] as [(String, [String])])
    func windows(path: String, expected: [String]) {
        #expect(WrittenPath.ends(ofForeign: path) == expected)
        #expect(expected.isEmpty || WrittenPath.hasReadings(path))
    }

    @Test("playlists of Windows find their songs wherever the music is there")
    func foreign() async throws {
        let lines = [
            "C:\\Users\\me\\Music\\Caf\u{E9}\\Stra\u{DF}e.flac", "file:///D:/root.flac", "\\\\nas\\music\\root.flac",
            "C:\\Music\\gone.flac",
        ]
        let files = ImaginaryFiles(["/srv/music/Caf\u{E9}/list.m3u8": lines.joined(separator: "\r\n")])
        let desk = try await files.desk()
        #expect(await desk.ask("load Caf\u{E9}/list.m3u8") == ["OK"])
        let songs = ["0:file: Caf\u{E9}/Stra\u{DF}e.flac", "1:file: root.flac", "2:file: root.flac", "OK"]
        #expect(await desk.ask("playlist") == songs)
        #expect(files.missing.withLock { $0.last }?.contains("gone.flac") == true)
        try await desk.close()
    }

    private static let lists: [(name: String, text: String)] = [
        ("m3u", "..\\root.flac\nCaf%C3%A9\\nope.mp3\nStra%C3%9Fe.flac\n"),
        ("pls", "[playlist]\nNumberOfEntries=3\nFile1=..\\root.flac\nFile2=nope.mp3\nFile3=Stra%c3%9fe.flac\n"),
        (
            "asx",
            "<asx><entry><ref href=\"..\\root.flac\"/></entry><entry><ref href='nope.mp3'/></entry>"
                + "<entry><ref href='file://localhost/srv/music/Caf%C3%A9/Stra%C3%9Fe.flac'/></entry></asx>"
        ),
        (
            "xspf",
            "<playlist><trackList><track><location>../root%2Eflac</location></track>"
                + "<track><location>nope.mp3</location></track><track>"
                + "<location>file:///srv/music/Caf%C3%A9/Stra%C3%9Fe.flac</location></track></trackList></playlist>"
        ),
        (
            "cue",
            "FILE \"..\\root.flac\" WAVE\n TRACK 01 AUDIO\n  INDEX 01 00:00:00\nFILE \"nope.mp3\" MP3\n TRACK 02 AUDIO\n"
                + "  INDEX 01 00:00:00\nFILE \"file:/srv/music/Caf%C3%A9/Stra%C3%9Fe.flac\" WAVE\n TRACK 03 AUDIO\n"
                + "  INDEX 01 00:00:00\n"
        ),
    ]

    @Test("such paths are found in lists of every kind, and what is missing is told", arguments: lists.indices)
    func found(index: Int) async throws {
        let (name, text) = Self.lists[index]
        let files = ImaginaryFiles(["/srv/music/Café/list.\(name)": text])
        let desk = try await files.desk()
        let shown = await desk.ask("listplaylist Café/list.\(name)").filter { $0.hasPrefix("file: ") }
        #expect(shown.count == 3 && shown.first == "file: root.flac" && shown.last == "file: Café/Straße.flac")
        #expect(await desk.ask("load Café/list.\(name)") == ["OK"])
        #expect(await desk.ask("playlist") == ["0:file: root.flac", "1:file: Café/Straße.flac", "OK"])
        let told = files.missing.withLock { $0.last }
        #expect(told?.hasPrefix("Café/list.\(name): Café/") == true && told?.hasSuffix("nope.mp3") == true)
        try await desk.close()
    }

    @Test("a file whose name has percent signs or backslashes is found before any other reading of it")
    func wordForWord() async throws {
        let files = ImaginaryFiles(["/srv/music/list.m3u": "root.flac\nhttp%3A//h/x\n"])
        let desk = try await files.desk()
        // What was decoded is never an address.
        #expect(await desk.ask("load list.m3u") == ["OK"])
        #expect(await desk.ask("playlist") == ["0:file: root.flac", "OK"])
        try await desk.close()
    }
}
