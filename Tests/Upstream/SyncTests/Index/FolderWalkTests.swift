import Foundation
import LibraryIndex
import MusicModel
import SyncBench
import Testing

@testable import Sync

@Suite("Walking a music folder")
struct FolderWalkTests {
    @Test("music is found in order; hidden files, other files and circles are not")
    func walk() throws {
        let folder = try TemporaryFolder()
        try folder.write("B/02.flac")
        try folder.write("B/01.MP3")
        try folder.write("A/song.opus")
        try folder.write("A/cover.jpg")
        try folder.write(".hidden/x.flac")
        try folder.write("A/.x.flac")
        try folder.write("A/flac")
        try folder.link("A/circle", to: folder.path)
        try folder.link("A/again.flac", to: folder.path + "/B/02.flac")
        try folder.link("A/broken.flac", to: "/nowhere")
        let findings = try FolderWalk.files(root: folder.path, below: "")
        #expect(findings.files.map(\.path) == ["A/again.flac", "A/song.opus", "B/01.MP3", "B/02.flac"])
        #expect(findings.files.map(\.suffix) == ["flac", "opus", "mp3", "flac"])
        #expect(findings.unreadable.isEmpty)
        #expect(try FolderWalk.files(root: folder.path, below: "B").files.map(\.path) == ["B/01.MP3", "B/02.flac"])
        #expect(try FolderWalk.files(root: folder.path, below: "B/02.flac").files.map(\.path) == ["B/02.flac"])
        #expect(try FolderWalk.files(root: folder.path, below: "C").files.isEmpty)
    }

    @Test("a link to a folder beside is followed")
    func linkedFolder() throws {
        let folder = try TemporaryFolder()
        let other = try TemporaryFolder()
        try other.write("x/one.flac")
        try folder.link("linked", to: other.path)
        #expect(try FolderWalk.files(root: folder.path, below: "").files.map(\.path) == ["linked/x/one.flac"])
    }

    @Test("links are told by bytes from those that stay in the folder")
    func accents() throws {
        let folder = try TemporaryFolder()
        let other = try TemporaryFolder()
        try other.write("one.flac")
        try folder.write("music/two.flac")
        try folder.write("music\u{301}/three.flac")
        try folder.link("music/\u{301}out", to: other.path)
        try folder.link("music/beside", to: folder.path + "/music\u{301}")
        try folder.link("music/\u{301}in.flac", to: folder.path + "/music/two.flac")
        let rules = LinkRules(followsOutside: false)
        let found = try FolderWalk.files(root: folder.path + "/music", below: "", links: rules).files.map(\.path)
        #expect(Set(found) == ["two.flac", "\u{301}in.flac"])
    }

    @Test("a missing music folder is an error that names it")
    func missing() throws {
        #expect(throws: FolderError.self) { try FolderWalk.files(root: "/no/such/folder", below: "") }
        do {
            _ = try FolderWalk.files(root: "/no/such/folder", below: "")
        } catch {
            #expect("\(error)".contains("/no/such/folder"))
        }
    }

    @Test("only changed files are read, only missing ones removed, and unreadable folders keep their songs")
    func plan() throws {
        let files = ["a/1.flac", "a/2.flac", "b/3.flac"].map { FoundFile(path: $0, modified: 5, exactTime: 5, size: 7) }
        func plan(
            _ findings: FolderWalk.Findings, _ known: [String: (id: SongID, hash: UInt64)], below: String = "",
            rescan: Bool = false, passedOver: [String: UInt32] = [:]
        ) -> FolderPlan {
            FolderPlan(findings: findings, known: known, below: below, rescan: rescan, passedOver: passedOver)
        }
        let first = plan(FolderWalk.Findings(files: files), [:])
        #expect(first.toRead.map(\.file) == files)
        var known: [String: (id: SongID, hash: UInt64)] = [:]
        for (file, stamp) in first.toRead {
            let hash = FolderPlan.hash(stamp: stamp, tags: ScannedTags(tags: [TagValue(.title, file.path)]))
            known[file.path] = (SongID(rawValue: Int64(known.count + 1)), hash)
        }

        let second = plan(FolderWalk.Findings(files: files), known)
        #expect(second.toRead.isEmpty && second.removals.isEmpty && second.unchanged == 3)

        var touched = files
        touched[1].exactTime = 6
        touched.remove(at: 2)
        let third = plan(FolderWalk.Findings(files: touched), known)
        #expect(third.toRead.map(\.file.path) == ["a/2.flac"])
        #expect(third.removals == ["b/3.flac"])

        #expect(plan(FolderWalk.Findings(files: touched, unreadable: ["b"]), known).removals.isEmpty)
        #expect(plan(FolderWalk.Findings(files: []), known, below: "a").removals == ["a/1.flac", "a/2.flac"])
        #expect(plan(FolderWalk.Findings(files: files), known, rescan: true).toRead.count == 3)

        let passedOver = Dictionary(uniqueKeysWithValues: first.toRead.map { ($0.file.path, $0.stamp) })
        #expect(plan(FolderWalk.Findings(files: files), [:], passedOver: passedOver).toRead.isEmpty)
        #expect(plan(FolderWalk.Findings(files: touched), [:], passedOver: passedOver).toRead.count == 1)
    }

    @Test("a file of any year has a time that can be written down, and one of its own")
    func years() throws {
        let folder = try TemporaryFolder()
        // tmpfs and ext4 keep the year 2300; older file systems cut it themselves.
        for (name, seconds) in [("1.flac", 10_413_792_000), ("2.flac", -1), ("3.flac", Int.max), ("4.flac", Int.min)] {
            try folder.write(name)
            var times = [timespec(tv_sec: 0, tv_nsec: 0), timespec(tv_sec: seconds, tv_nsec: 999_999_999)]
            utimensat(AT_FDCWD, "\(folder.path)/\(name)", &times, 0)
        }
        let files = try FolderWalk.files(root: folder.path, below: "").files
        #expect(files.count == 4)
        for file in files { #expect(FileTime.range.contains(file.modified)) }
        let plan = FolderPlan(
            findings: .init(files: files), known: [:], below: "", rescan: false, passedOver: [:])
        #expect(plan.toRead.count == 4)
    }

    @Test("a tree of links to folders of links ends after a few visits")
    func linkTree() throws {
        let folder = try TemporaryFolder()
        // Each level links twice to the next: 2^24 ways lead to the song.
        for level in 0..<24 {
            for name in ["a", "b"] {
                try folder.write("\(level)/keep.txt")
                try folder.link("\(level)/\(name)", to: "\(folder.path)/\(level + 1)")
            }
        }
        try folder.write("24/song.flac")
        let findings = try FolderWalk.files(root: folder.path, below: "")
        #expect(findings.files.contains { $0.path == "24/song.flac" })
        #expect(findings.files.count <= 9)
        #expect(!findings.passedOver.isEmpty)
    }

    @Test("links are followed as the rules say")
    func linkRules() throws {
        let (folder, outside) = (try TemporaryFolder(), try TemporaryFolder())
        try folder.write("A/1.flac")
        try outside.write("2.flac")
        try folder.link("inside", to: "A")
        try folder.link("outside", to: outside.path)
        try folder.link("3.flac", to: outside.path + "/2.flac")
        func paths(_ rules: LinkRules) throws -> [String] {
            try FolderWalk.files(root: folder.path, below: "", links: rules).files.map(\.path)
        }
        #expect(try paths(LinkRules()) == ["3.flac", "A/1.flac", "inside/1.flac", "outside/2.flac"])
        #expect(try paths(LinkRules(followsOutside: false)) == ["A/1.flac", "inside/1.flac"])
        #expect(try paths(LinkRules(followsInside: false)) == ["3.flac", "A/1.flac", "outside/2.flac"])
        #expect(try paths(LinkRules(followsOutside: false, followsInside: false)) == ["A/1.flac"])
    }

    @Test("depth and number of entries are limited, and what was not looked at stays in the index")
    func limits() throws {
        let folder = try TemporaryFolder()
        try folder.write("a/b/c/d/deep.flac")
        for number in 0..<10 { try folder.write("z/\(number).flac") }
        var limits = FolderWalk.Limits()
        limits.depth = 3
        let shallow = try FolderWalk.files(root: folder.path, below: "", limits: limits)
        #expect(shallow.files.count == 10)
        #expect(shallow.passedOver.map(\.path) == ["a/b/c"])
        limits = FolderWalk.Limits()
        limits.entries = 8
        let short = try FolderWalk.files(root: folder.path, below: "", limits: limits)
        #expect(short.unreadable == [""])
        let known = ["z/9.flac": (id: SongID(rawValue: 1), hash: UInt64(0))]
        let plan = FolderPlan(findings: short, known: known, below: "", rescan: false, passedOver: [:])
        #expect(plan.removals.isEmpty)
    }

    @Test("what the system makes up is no folder of music, and a walk ends when it is not waited for")
    func pseudo() throws {
        let findings = try FolderWalk.files(root: "/proc", below: "")
        #expect(findings.files.isEmpty && findings.passedOver.map(\.path) == [""])
        let folder = try TemporaryFolder()
        try folder.write("1.flac")
        #expect(throws: CancellationError.self) {
            try FolderWalk.files(root: folder.path, below: "", isCancelled: { true })
        }
    }
}
