import LibraryIndex
import LibrarySamples
import MusicModel
import SyncBench
import TestSupport
import Testing

@testable import Sync

@Suite("Cue sheets for songs of a server")
struct CueFolderTests {
    private let folder: TemporaryFolder
    private let log = LogLines()

    init() throws { folder = try TemporaryFolder() }

    private func sheets() throws -> CueFolder {
        try CueFolder(folder: folder.path, charset: "windows-1252", logger: log.logger)
    }

    private static func sheet(_ file: String, _ starts: [String] = ["00:00:00", "00:20:00", "00:40:37"]) -> String {
        "PERFORMER \"Band\"\nTITLE \"Disc\"\nFILE \"\(file)\" WAVE\n"
            + starts.enumerated().map { "TRACK 0\($0 + 1) AUDIO\nTITLE \"T\($0 + 1)\"\nINDEX 01 \($1)\n" }.joined()
    }

    private static func song(
        _ path: String, title: String = "Whole", album: String = "Other", seconds: Int64? = 60, hash: UInt64 = 7
    ) -> IndexedSong {
        IndexedSong(
            mount: "", sourceID: "s1", source: .navidrome(id: "s1"), path: path,
            tags: [TagValue(.title, title), TagValue(.album, album), TagValue(.albumArtist, "Band")],
            duration: seconds.map { .seconds($0) }, lastModified: 5, added: 6, format: nil, replayGain: ReplayGain(),
            suffix: "flac", size: 9, coverArtID: "al-1", starred: true, rating: 4, hash: hash)
    }

    @Test("A song's tracks are parts of it, with the sheet's tags and the song's")
    func tracks() throws {
        try folder.write("any/my.cue", Self.sheet("disc.wav"), modified: 2000)
        let made = try #require(try sheets().tracks(of: Self.song("A/B/disc.flac"), id: "s1"))
        #expect(made.map(\.sourceID) == ["s1/track0001", "s1/track0002", "s1/track0003"])
        #expect(made.map(\.path) == (1...3).map { "A/B/my.cue/track000\($0)" })
        let range = try #require(SongRange(start: .seconds(20), end: .seconds(40) + .nanoseconds(493_333_333)))
        #expect(made[1].source == .navidromePart(id: "s1", range: range))
        #expect(made[1].tags.first { $0.tag == .title }?.value == "T2")
        #expect(made[1].tags.first { $0.tag == .album }?.value == "Disc")
        #expect(made[1].duration == .milliseconds(20_493) && made[1].coverArtID == "al-1" && made[1].size == 9)
        #expect(!made[1].starred && made[1].rating == 0)
        #expect(Set(made.map(\.hash)).count == 3)
    }

    @Test(
        "A sheet is found by the song's path, by its name, by its title and by its album",
        arguments: [
            ("A/B/disc.cue", "else.wav", song("A/B/DISC.flac")),
            ("disc.cue", "x.wav", song("A/01 - disc.flac", title: "disc")),
            ("x.cue", "D:\\rips\\Disc one.wav", song("A/B/disc one.ape")),
            ("x.cue", "y.wav", song("Z.flac", album: "DISC")),
            ("Disc.cue", "y.wav", song("Q/disc.flac")),
        ])
    func found(sheet: String, file: String, song: IndexedSong) throws {
        try folder.write(sheet, Self.sheet(file), modified: 2000)
        #expect(try sheets().tracks(of: song, id: "s1")?.count == 3)
    }

    @Test("What is too short, has no length, or could be meant by two sheets stays one song")
    func refused() throws {
        try folder.write("x.cue", Self.sheet("disc.wav"), modified: 2000)
        #expect(try sheets().tracks(of: Self.song("disc.flac", seconds: 40), id: "s1") == nil)
        #expect(try sheets().tracks(of: Self.song("disc.flac", seconds: nil), id: "s1") == nil)
        #expect(try sheets().tracks(of: Self.song("other.flac"), id: "s1") == nil)
        try folder.write("y.cue", Self.sheet("disc.wav"), modified: 2000)
        #expect(try sheets().tracks(of: Self.song("disc.flac"), id: "s1") == nil)
        // The path tells them apart.
        #expect(try sheets().tracks(of: Self.song("y.flac"), id: "s1")?.count == 3)
    }

    @Test("The stamp moves with every sheet, and a sheet of one track or of other files makes nothing")
    func stamps() throws {
        let empty = try sheets().stamp
        #expect(empty != CueFolder().stamp)
        try folder.write("x.cue", Self.sheet("disc.wav", ["00:00:00"]), modified: 2000)
        let one = try sheets().stamp
        #expect(try sheets().tracks(of: Self.song("disc.flac"), id: "s1") == nil)
        try folder.write("x.cue", Self.sheet("disc.wav"), modified: 3000)
        let other = try sheets().stamp
        #expect(Set([empty, one, other]).count == 3)
        #expect(throws: FolderError.self) {
            try CueFolder(folder: folder.path + "/gone", charset: "windows-1252", logger: log.logger)
        }
    }
}
