import MusicModel
import Testing

@Suite("Cue sheets")
struct CueSheetTests {
    private func sheet(_ text: String) -> CueSheet { CueSheet(text) }

    private static let usual = """
        REM GENRE "Synth Pop"\r
        REM DATE 1987\r
        REM REPLAYGAIN_ALBUM_GAIN -7.50 dB\r
        PERFORMER "The Band"\r
        TITLE "The "Disc""\r
        FILE "disc one.flac" WAVE\r
          TRACK 01 AUDIO\r
            TITLE One\r
            INDEX 01 00:00:00\r
          TRACK 02 AUDIO\r
            TITLE "Two"\r
            PERFORMER "Guest"\r
            REM REPLAYGAIN_TRACK_GAIN -3 dB\r
            INDEX 00 00:09:50\r
            INDEX 01 00:10:30\r
          TRACK 03 MODE1/2352\r
            INDEX 01 50:00:00\r
        """

    @Test("Tracks begin at INDEX 01 and end where the next one begins; data tracks are none")
    func usual() {
        let found = sheet(Self.usual)
        #expect(found.files == ["disc one.flac"])
        #expect(found.tracks.map(\.start) == [.zero, .milliseconds(10_400)])
        #expect(found.ends == [.milliseconds(10_400), nil])
        #expect(
            found.tracks[1].tags == [
                TagValue(.genre, "Synth Pop"), TagValue(.date, "1987"), TagValue(.albumArtist, "The Band"),
                TagValue(.album, "The \"Disc\""), TagValue(.track, "02"), TagValue(.title, "Two"),
                TagValue(.artist, "Guest"),
            ])
        #expect(found.tracks[0].tags.contains(TagValue(.title, "One")))
        #expect(found.tracks[1].replayGain == ReplayGain(trackGain: -3, albumGain: -7.5))
        #expect(found.problems.isEmpty)
    }

    @Test("Every frame of a CD is the nearest sample of the usual rates", arguments: [44_100, 48_000, 96_000, 192_000])
    func samples(rate: Int64) {
        for frames in 0..<Int64(75 * 3) {
            let text = "FILE \"a\" WAVE\nTRACK 01 AUDIO\nINDEX 01 00:00:\(frames)"
            let start = sheet(text).tracks[0].start
            let samples =
                (Double(start.components.attoseconds) / 1e18 + Double(start.components.seconds)) * Double(rate)
            #expect(Int64(samples.rounded()) == (frames * rate * 2 + 75) / 150)
        }
    }

    @Test("A track may lie in another file than its pause; each file ends its last track")
    func twoFiles() {
        let found = sheet(
            """
            FILE "a.wav" WAVE
            TRACK 01 AUDIO
            INDEX 01 00:00:00
            TRACK 02 AUDIO
            INDEX 00 03:00:00
            FILE "b.wav" WAVE
            INDEX 01 00:00:00
            TRACK 03 AUDIO
            INDEX 00 01:00:00
            """)
        #expect(found.tracks.map(\.file) == [0, 1, 1])
        #expect(found.ends == [nil, .seconds(60), nil])
        #expect(!found.hasFileForEachTrack)
        #expect(
            sheet("FILE a.wav WAVE\nTRACK 01 AUDIO\nINDEX 01 00:00:00\nFILE b.wav WAVE\nTRACK 02 AUDIO\nINDEX 01 0:0:0")
                .hasFileForEachTrack)
    }

    @Test("The first track begins with its pause, in which some discs hide a song, as in MPD")
    func hiddenSong() {
        let text = """
            FILE "a.wav" WAVE
            TRACK 01 AUDIO
            INDEX 00 00:00:00
            INDEX 01 03:00:00
            TRACK 02 AUDIO
            INDEX 00 04:00:00
            INDEX 01 04:02:00
            """
        #expect(sheet(text).tracks.map(\.start) == [.zero, .seconds(242)])
        let apart = sheet("FILE p WAVE\nTRACK 01 AUDIO\nINDEX 00 00:00:00\nFILE a WAVE\nINDEX 01 00:00:00")
        #expect(apart.tracks.map(\.file) == [1])
    }

    @Test("Remarks give every tag that MPD knows, by its name")
    func remarks() {
        let text = """
            REM LABEL "Some Records"
            REM originaldate 1971
            REM NOTHING x
            FILE a WAVE
            TRACK 01 AUDIO
            REM Conductor Ada
            INDEX 01 00:00:00
            """
        #expect(
            sheet(text).tracks[0].tags == [
                TagValue(.label, "Some Records"), TagValue(.originalDate, "1971"), TagValue(.track, "01"),
                TagValue(.conductor, "Ada"),
            ])
    }

    @Test("Overlapping tracks are named and end at the next beginning, so that none is lost")
    func overlapping() {
        let found = sheet(
            """
            FILE "a" WAVE
            TRACK 01 AUDIO
            INDEX 01 00:10:00
            TRACK 02 AUDIO
            INDEX 01 00:05:00
            TRACK 03 AUDIO
            INDEX 01 00:05:00
            """)
        #expect(found.ends == [nil, .seconds(10), .seconds(10)])
        #expect(found.problems == ["track 02", "track 03"].map { "\($0) does not begin behind the one before it" })
    }

    @Test(
        "What is wrong is said, and the rest is read",
        arguments: [
            ("INDEX 01 xx:00:00", "line 3: \"xx:00:00\" is no time"), ("INDEX 01 -1:00:00", "is no time"),
            ("INDEX 01 99999999999999999999:00:00", "is no time"), ("INDEX 01", "has no number or no time"),
            ("TITLE \"no index\"", "track 01 has no INDEX 01"),
        ])
    func wrong(line: String, problem: String) {
        let found = sheet("FILE \"a\" WAVE\nTRACK 01 AUDIO\n\(line)\nTRACK 02 AUDIO\nINDEX 01 00:01:00")
        #expect(found.tracks.map(\.start) == [.seconds(1)])
        #expect(found.problems.contains { $0.contains(problem) })
    }

    @Test("A thousand tracks are read; an endless sheet is cut, and other texts are no sheets")
    func sizes() {
        func long(_ count: Int) -> CueSheet {
            sheet("FILE \"a\" WAVE\n" + (1...count).map { "TRACK \($0) AUDIO\nINDEX 01 \($0):00:00\n" }.joined())
        }
        #expect(long(1000).tracks.count == 1000)
        #expect(long(1000).tracks.last?.start == .seconds(60_000))
        #expect(long(5000).tracks.count == CueSheet.maxTracks)
        #expect(long(5000).problems.count == 1)
        #expect(sheet("").tracks.isEmpty)
        #expect(sheet(String(repeating: "\u{0}\"", count: 1000)).tracks.isEmpty)
        #expect(sheet("TRACK 01 AUDIO\nINDEX 01 00:00:00").tracks.isEmpty)
    }

    @Test("Tags of the disc and of tracks are bounded, so that a small sheet stays small, and each track has its title")
    func manyTags() {
        func size(_ sheet: CueSheet) -> Int {
            sheet.tracks.reduce(0) { $0 + $1.tags.reduce(0) { $0 + $1.value.utf8.count } }
        }
        let moods = (0..<12_000).map { "REM MOOD \($0)\n" }.joined()
        let tracks = (1...1200).map { "TRACK \($0) AUDIO\nTITLE T\($0)\nINDEX 01 \($0):00:00\n" }.joined()
        let many = sheet(moods + "FILE \"a\" WAVE\n" + tracks)
        #expect(many.tracks.count == 1200 && many.problems == ["there are too many tags; the rest is left out"])
        #expect(many.tracks.allSatisfy { $0.tags.count <= 130 && $0.tags.last?.tag == .title })
        #expect(Set(many.tracks.map { $0.tags.count { $0.tag == .mood } }).count == 1)
        #expect(size(many) < 4 << 20)
        // Few texts that are long, and many in each track.
        let long = String(repeating: "x", count: 1000)
        let comments = (0..<100).map { "REM COMMENT \($0)\(long)\n" }.joined()
        #expect(size(sheet(comments + "FILE \"a\" WAVE\n" + tracks)) < 4 << 20)
        let own = sheet("FILE \"a\" WAVE\nTRACK 01 AUDIO\n" + moods + "INDEX 01 00:00:00\n")
        #expect(own.tracks[0].tags.count == 128)
        let usual = sheet("TITLE D\nREM DATE 1987\nFILE \"a\" WAVE\n" + tracks)
        #expect(usual.problems.isEmpty && usual.tracks.allSatisfy { $0.tags.count == 4 })
        let name = String(repeating: "n", count: 200_000)
        #expect(sheet("FILE \"\(name)\" WAVE\n" + tracks).files[0].utf8.count == 2048)
    }

    @Test("Texts are UTF-8 or UTF-16 where they say so, and else in the charset that is configured")
    func charsets() {
        #expect(TextDecoding.text(Array("\u{FEFF}Ö".utf8)) == "Ö")
        #expect(TextDecoding.text([0xFF, 0xFE, 0xD6, 0]) == "Ö")
        #expect(TextDecoding.text([0xFE, 0xFF, 0, 0xD6, 0]) == "Ö")
        #expect(TextDecoding.text([0xD6, 0x41, 0x80]) == "ÖA€")
        #expect(TextDecoding.text([0xCF, 0xF0], charset: "windows-1251") == "Пр")
        #expect(TextDecoding.text([0x83, 0x65, 0xFF], charset: "shift_jis").hasPrefix("テ"))
        #expect(TextDecoding.text([0xD6], charset: "no such charset") == "Ö")
        #expect(TextDecoding.text([]) == "")
    }

    @Test("control characters in texts and names become spaces")
    func controlCharacters() throws {
        let text = "FILE \"a\u{0}b.flac\" WAVE\nTRACK 01 AUDIO\nTITLE \"One\u{1B}[2J\u{7F}\"\nINDEX 01 00:00:00\n"
        let read = sheet(text)
        #expect(read.files == ["a b.flac"])
        #expect(try #require(read.tracks.first).tags == [TagValue(.track, "01"), TagValue(.title, "One [2J ")])
    }

    @Test("a text with thousands of marks on one letter is cut")
    func longText() throws {
        let marked = "x" + String(repeating: "\u{301}", count: 5000)
        let text = "FILE a WAVE\nTRACK 01 AUDIO\nTITLE \(marked)\nINDEX 01 00:00:00\n"
        let title = try #require(sheet(text).tracks.first?.tags.first { $0.tag == .title })
        #expect(title.value.utf8.count < 4000)
    }

    @Test("A quoted text without an end is read in no time, whatever it is made of", .timeLimit(.minutes(1)))
    func unclosed() {
        let title = String(repeating: "\u{1F1E9}", count: 1 << 18)
        let sheet = CueSheet("FILE a WAVE\nTRACK 01 AUDIO\nTITLE \"\(title)\nINDEX 01 00:00:00\n")
        #expect(sheet.tracks.count == 1)
    }
}
