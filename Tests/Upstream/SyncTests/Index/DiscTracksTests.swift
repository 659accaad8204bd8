import Foundation
import LibraryIndex
import LibrarySamples
import MusicModel
import SyncBench
import Synchronization
import TestSupport
import Testing
import UserLibrary

@testable import Sync

/// Reads files as music of a minute; a file whose text is a cue sheet has it in its tags.
private final class DiscReader: TagReading {
    private let reads = Mutex<[String]>([])

    /// What was read since the last call.
    func takeReads() -> [String] {
        reads.withLock { reads in
            defer { reads = [] }
            return reads
        }
    }

    func read(path: String) throws -> ScannedTags {
        reads.withLock { $0.append((path as NSString).lastPathComponent) }
        let text = try String(contentsOfFile: path, encoding: .utf8)
        let sheet = CueSheet(text)
        return ScannedTags(
            tags: [TagValue(.title, "Whole"), TagValue(.artist, "File Artist"), TagValue(.mood, "calm")],
            duration: .seconds(60), replayGain: ReplayGain(trackGain: -5),
            cueSheet: sheet.tracks.isEmpty ? nil : sheet)
    }
}

@Suite("Cue sheets in a folder")
struct DiscTracksTests {
    private let folder: TemporaryFolder
    private let state: TemporaryFolder
    private let library: Library
    private let log = LogLines()
    private let reader = DiscReader()

    init() throws {
        folder = try TemporaryFolder()
        state = try TemporaryFolder()
        library = try Library(path: state.path + "/segue.db")
    }

    private func sync(_ rules: CueSheetRules = CueSheetRules()) -> LibrarySync {
        var settings = SyncSettings()
        settings.folders.cueSheets = rules
        return LibrarySync(
            library: library, server: nil,
            folder: FolderSource(mount: "", musicDirectory: folder.path, reader: reader), settings: settings,
            observer: SyncRecorder().observer, logger: log.logger)
    }

    private static func sheet(_ file: String, _ starts: [String] = ["00:00:00", "00:20:00", "00:40:37"]) -> String {
        "PERFORMER \"Band\"\nTITLE \"Disc\"\nFILE \"\(file)\" WAVE\n"
            + starts.enumerated().map { "TRACK 0\($0 + 1) AUDIO\nTITLE \"T\($0 + 1)\"\nINDEX 01 \($1)\n" }.joined()
    }

    private func paths() async throws -> [String] { try await library.allIDs().keys.sorted() }

    private static let tracks = ["A/disc.cue/track0001", "A/disc.cue/track0002", "A/disc.cue/track0003"]

    @Test("Tracks are songs with parts of the file, which is hidden; nothing is read again")
    func external() async throws {
        try folder.write("A/disc.flac", "music", modified: 1000)
        try folder.write("A/disc.cue", Self.sheet("disc.flac"), modified: 2000)
        let sync = sync()
        #expect(try await sync.syncOnce().added == 3)
        #expect(try await paths() == Self.tracks)
        let last = try #require(try await library.index.song(at: Self.tracks[2]))
        #expect(last.range == SongRange(start: .seconds(40) + .nanoseconds(493_333_333), end: nil))
        #expect(last.duration == .milliseconds(60_000 - 40_493))
        #expect(
            last.tags == [
                TagValue(.artist, "File Artist"), TagValue(.album, "Disc"), TagValue(.albumArtist, "Band"),
                TagValue(.title, "T3"), TagValue(.track, "03"), TagValue(.mood, "calm"),
            ])
        #expect(last.replayGain == ReplayGain(albumGain: -5))
        let id = try #require(last.id)
        let source = try #require(try await library.index.source(of: id)?.source)
        #expect(source == .localPart(path: folder.path + "/A/disc.flac", range: try #require(last.range)))
        #expect(try await library.index.songs(ofCueSheet: "A/disc.cue")?.count == 3)
        _ = reader.takeReads()
        #expect(try await sync.syncOnce().changedSongs == false)
        #expect(reader.takeReads().isEmpty)
        try folder.write("A/disc.cue", Self.sheet("disc.flac", ["00:00:00", "00:30:00"]), modified: 3000)
        _ = try await sync.syncOnce()
        #expect(try await paths() == Array(Self.tracks.prefix(2)))
        try folder.remove("A/disc.cue")
        _ = try await sync.syncOnce()
        #expect(try await paths() == ["A/disc.flac"])
        #expect(try await library.index.songs(ofCueSheet: "A/disc.cue") == nil)
    }

    @Test("A hidden file keeps its number and its path, is found by these alone, and is read once with its tracks")
    func hidden() async throws {
        try folder.write("A/disc.flac", "music", modified: 1000)
        let sync = sync()
        _ = try await sync.syncOnce()
        let whole = try #require(try await library.index.song(at: "A/disc.flac"))
        try folder.write("A/disc.cue", Self.sheet("disc.flac"), modified: 2000)
        _ = reader.takeReads()
        let summary = try await sync.syncOnce()
        #expect(summary.added == 3 && summary.removed == 0)
        #expect(reader.takeReads() == ["disc.flac"])
        #expect(try await paths() == Self.tracks)
        #expect(try await library.index.song(at: "A/disc.flac") == whole)
        #expect(try await library.index.queueable(below: "A/disc.flac").map(\.id) == [try #require(whole.id)])
        #expect(try await library.index.statistics().songs == 3)
        #expect(try await self.sync().syncOnce().changedSongs == false, "also after a restart")
        try folder.write("A/disc.flac", "longer music", modified: 3000)
        _ = try await sync.syncOnce()
        #expect(try await library.index.song(at: "A/disc.flac")?.lastModified == 3000)
        #expect(try await paths() == Self.tracks)
        try folder.remove("A/disc.cue")
        _ = try await sync.syncOnce()
        #expect(try await library.allIDs() == ["A/disc.flac": try #require(whole.id)])
        try folder.write("A/disc.cue", Self.sheet("disc.flac"), modified: 4000)
        try folder.write("other.flac")
        _ = try await sync.syncOnce()
        try folder.remove("A/disc.flac")
        _ = try await sync.syncOnce()
        #expect(try await library.index.song(at: "A/disc.flac") == nil)
    }

    @Test("A file with the sheet within it is a song beside the folder of its tracks")
    func hiddenByItself() async throws {
        try folder.write("B/disc.flac", Self.sheet("x"), modified: 1000)
        _ = try await sync().syncOnce()
        #expect(try await library.index.song(at: "B/disc.flac")?.first(.title) == "Whole")
        #expect(try await library.index.queueable(below: "B/disc.flac").count == 3)
        #expect(try await library.index.statistics().songs == 3)
        let id = try await library.index.songID(at: "B/disc.flac")
        try folder.write("B/disc.flac", "no sheet", modified: 2000)
        _ = try await sync().syncOnce()
        #expect(try await library.allIDs() == ["B/disc.flac": try #require(id)])
    }

    @Test("Where sheets make no songs, files with sheets within them are playlists, and stay so when nothing is read")
    func listed() async throws {
        try folder.write("B/disc.flac", Self.sheet("x"), modified: 1000)
        try folder.write("B/other.flac", "no sheet", modified: 1000)
        let rules = CueSheetRules(makesSongs: false)
        for _ in 0..<2 {
            _ = try await sync(rules).syncOnce()
            #expect(try await paths() == ["B/disc.flac", "B/other.flac"])
            #expect(try await library.index.playlistSources(mount: "") == [folder.path + "/B/disc.flac"])
        }
        _ = reader.takeReads()
        _ = try await sync().syncOnce()
        #expect(try await paths() == (1...3).map { "B/disc.flac/track000\($0)" } + ["B/other.flac"])
        #expect(reader.takeReads() == ["disc.flac"], "only what has a sheet")
        try folder.write("B/disc.flac", "no sheet", modified: 2000)
        _ = try await sync(rules).syncOnce()
        #expect(try await library.index.playlistSources(mount: "").isEmpty)
    }

    @Test("A sheet within a file makes tracks of it, also where it comes or goes later")
    func embedded() async throws {
        try folder.write("B/disc.flac", Self.sheet("x"), modified: 1000)
        let sync = sync()
        _ = try await sync.syncOnce()
        #expect(try await paths() == (1...3).map { "B/disc.flac/track000\($0)" })
        #expect(try await library.index.songs(ofCueSheet: "B/disc.flac")?.count == 3)
        _ = reader.takeReads()
        #expect(try await sync.syncOnce().changedSongs == false)
        #expect(reader.takeReads().isEmpty)
        #expect(try await library.index.songs(ofCueSheet: "B/disc.flac")?.count == 3)
        try folder.write("B/disc.flac", "no sheet", modified: 2000)
        _ = try await sync.syncOnce()
        #expect(try await paths() == ["B/disc.flac"])
        try folder.write("B/disc.flac", Self.sheet("x", ["00:00:00", "00:01:00"]), modified: 3000)
        _ = try await sync.syncOnce()
        #expect(try await paths() == ["B/disc.flac/track0001", "B/disc.flac/track0002"])
    }

    @Test("Files are shown beside their tracks, or sheets make no songs, where the settings say so")
    func rules() async throws {
        try folder.write("A/disc.flac")
        try folder.write("A/disc.cue", Self.sheet("disc.flac"))
        _ = try await sync(CueSheetRules(hidesFiles: false)).syncOnce()
        #expect(try await paths() == Self.tracks + ["A/disc.flac"])
        _ = try await sync(CueSheetRules(makesSongs: false)).syncOnce()
        #expect(try await paths() == ["A/disc.flac"])
    }

    @Test("Files are found after a conversion, in other case, and with the paths of other machines")
    func names() async throws {
        try folder.write("A/Disc One.FLAC")
        try folder.write("A/1.cue", Self.sheet("disc one.wav"))
        try folder.write("C/disc.flac")
        try folder.write("C/disc.cue", Self.sheet("C:\\rips\\DISC.wav"))
        try folder.write("D/other.flac")
        try folder.write("D/other.cue", Self.sheet("gone.wav"))
        try folder.write("E/sheets/x.cue", Self.sheet("..\\x.flac"))
        try folder.write("E/x.flac")
        _ = try await sync().syncOnce()
        let found = Set(try await paths().map { $0.split(separator: "/").dropLast().joined(separator: "/") })
        #expect(found == ["A/1.cue", "C/disc.cue", "D/other.cue", "E/sheets/x.cue"])
    }

    @Test("Missing files, late tracks and files for each track: a line in the log, and nothing is lost")
    func bad() async throws {
        try folder.write("A/a.flac")
        try folder.write("A/missing.cue", Self.sheet("none.wav"))
        try folder.write("B/late.flac")
        try folder.write("B/late.cue", Self.sheet("late.flac", ["00:00:00", "99:00:00"]))
        try folder.write("C/1.flac")
        try folder.write("C/2.flac")
        try folder.write("C/each.cue", Self.sheet("1.flac", ["00:00:00"]) + Self.sheet("2.flac", ["00:00:00"]))
        try folder.write("D/outside.cue", Self.sheet("../../../../etc/passwd.flac"))
        try folder.write("D/d.flac")
        let sync = sync()
        _ = try await sync.syncOnce()
        #expect(
            try await paths() == ["A/a.flac", "B/late.cue/track0001", "C/1.flac", "C/2.flac", "D/d.flac"])
        #expect(log.all.contains { $0.contains("missing.cue makes no songs: it names tracks of \"none.wav\"") })
        #expect(log.all.contains { $0.contains("late.cue/track0002 is skipped") })
        let lines = log.all
        _ = try await sync.syncOnce()
        #expect(log.all.dropFirst(lines.count).filter { $0.contains(".cue") }.isEmpty)
    }

    @Test("A file stays a song where its sheet makes no track of it, until the sheet is mended")
    func wrongTimes() async throws {
        try folder.write("A/disc.flac", "music", modified: 1000)
        try folder.write("A/disc.cue", Self.sheet("disc.flac", ["01:00:00", "02:00:00"]), modified: 2000)
        try folder.write("B/1.flac", "music", modified: 1000)
        try folder.write("B/2.flac", "music", modified: 1000)
        try folder.write(
            "B/two.cue", Self.sheet("1.flac") + Self.sheet("2.flac", ["05:00:00", "06:00:00"]), modified: 2000)
        let expected = ["A/disc.flac", "B/2.flac"] + (1...3).map { "B/two.cue/track000\($0)" }
        let first = sync()
        _ = try await first.syncOnce()
        #expect(try await paths() == expected)
        #expect(try await first.syncOnce().changedSongs == false)
        #expect(try await sync().syncOnce().changedSongs == false, "also after a restart")
        #expect(try await paths() == expected)
        try folder.write("A/disc.cue", Self.sheet("disc.flac"), modified: 3000)
        _ = try await first.syncOnce()
        #expect(try await paths() == Self.tracks + expected.dropFirst())
        try folder.write("A/disc.cue", Self.sheet("disc.flac", ["01:00:00", "02:00:00"]), modified: 4000)
        _ = try await first.syncOnce()
        #expect(try await paths() == expected)
    }

    @Test("A sheet of several files takes no other file for one that is missing")
    func missingOfSeveral() async throws {
        try folder.write("A/disc.flac")
        try folder.write("A/disc 2.flac")
        try folder.write("A/disc.cue", Self.sheet("disc 1.wav") + Self.sheet("disc 2.wav"))
        _ = try await sync().syncOnce()
        #expect(try await paths() == (4...6).map { "A/disc.cue/track000\($0)" } + ["A/disc.flac"])
    }

    @Test("Another charset has files read again that may have texts in it")
    func charset() async throws {
        try folder.write("A/song.mp3")
        _ = try await sync().syncOnce()
        _ = reader.takeReads()
        // That of sheets alone concerns no other file.
        _ = try await sync(CueSheetRules(charset: "windows-1251", tagCharset: "Windows-1252")).syncOnce()
        #expect(reader.takeReads().isEmpty)
        _ = try await sync(CueSheetRules(tagCharset: "windows-1251")).syncOnce()
        #expect(reader.takeReads() == ["song.mp3"])
    }

    @Test("A file of many tags gives each of many tracks as many as fit for all")
    func manyTags() {
        let text = (1...300).map { "TRACK \($0) AUDIO\nINDEX 01 \($0):00:00\n" }.joined()
        let file = FoundFile(path: "a.flac", modified: 0, exactTime: 0, size: 1)
        let disc = DiscTracks(CueSheet("FILE a WAVE\n" + text), in: file, stamp: 1)
        let moods = (0..<12_000).map { TagValue(.mood, String($0)) }
        let parts = disc.tracks.compactMap { $0.part(of: ScannedTags(tags: [TagValue(.album, "A")] + moods)) }
        #expect(parts.count == 300 && parts.allSatisfy { $0.tags.tags.contains(TagValue(.album, "A")) })
        #expect(parts.reduce(0) { $0 + $1.tags.tags.count } < 100_000)
    }

    @Test("A sheet with one track within a file divides nothing, and is a playlist where sheets make no songs")
    func single() async throws {
        try folder.write("A/one.flac", Self.sheet("one.flac", ["00:00:00"]))
        try folder.write("A/late.flac", Self.sheet("late.flac", ["00:10:00"]))
        _ = try await sync().syncOnce()
        #expect(try await paths() == ["A/late.flac", "A/one.flac"])
    }

    @Test("A thousand tracks are a thousand songs, and an update of the file alone keeps them")
    func thousand() async throws {
        try folder.write("A/disc.flac")
        let starts = (0..<1000).map {
            "00:\(String(format: "%02d", $0 * 60 / 1100)):\(String(format: "%02d", $0 % 75))"
        }
        try folder.write("A/disc.cue", Self.sheet("disc.flac", starts))
        let sync = sync()
        #expect(try await sync.syncOnce().added == 1000)
        let running = Task { [sync] in await sync.run() }
        for path in ["A/disc.flac", "A/disc.cue", "A/disc.cue/track0007"] {
            _ = sync.startUpdate(uri: path, rescan: true)
            try await eventually("the update") { sync.runningJob == nil }
        }
        #expect(try await paths().count == 1000)
        running.cancel()
        await running.value
    }

    @Test("Tracks name the file that they are parts of, also those of a database that knew none")
    func wholeURIs() async throws {
        try folder.write("A/disc.flac")
        try folder.write("A/disc.cue", Self.sheet("disc.flac"))
        try folder.write("B/within.flac", Self.sheet("any.wav"))
        func wholes() async throws -> [String?] {
            try await library.allSongs().sorted { $0.key < $1.key }.map(\.value.wholeURI)
        }
        let files = Array(repeating: "A/disc.flac", count: 3) + Array(repeating: "B/within.flac", count: 3)
        _ = try await sync().syncOnce()
        #expect(try await wholes() == files)
        // As the migration leaves them.
        try await library.write { database in
            try SQLStatement(database, "UPDATE song SET whole = NULL, hash = 0 WHERE source_kind = 2").run()
        }
        #expect(try await wholes() == Array(repeating: nil, count: 6))
        #expect(try await sync().syncOnce().updated == 6)
        #expect(try await wholes() == files)
        _ = reader.takeReads()
        #expect(try await !sync().syncOnce().changedSongs && reader.takeReads().isEmpty)
    }
}
