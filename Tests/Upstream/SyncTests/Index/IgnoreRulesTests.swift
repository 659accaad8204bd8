import SyncBench
import Testing

@testable import Sync

@Suite("Ignore files")
struct IgnoreRulesTests {
    private func paths(_ folder: TemporaryFolder, below start: String = "") throws -> [String] {
        try FolderWalk.files(root: folder.path, below: start).files.map(\.path)
    }

    @Test(".mpdignore leaves out names in its folder and below, as shell patterns")
    func mpd() throws {
        let folder = try TemporaryFolder()
        for name in ["a.flac", "b.mp3", "Demo/a.flac", "Demo/c.mp3", "Old/x.mp3", "#1.mp3"] { try folder.write(name) }
        try folder.write(".mpdignore", "*.flac   # no FLAC\n  Old\t\n# a comment\n")
        #expect(try paths(folder) == ["#1.mp3", "Demo/c.mp3", "b.mp3"])
        #expect(try paths(folder, below: "Demo") == ["Demo/c.mp3"])
        #expect(try paths(folder, below: "Old").isEmpty)
        #expect(try paths(folder, below: "Demo/a.flac").isEmpty)
    }

    @Test(".ndignore has git's patterns, and an empty one leaves out its folder")
    func navidrome() throws {
        let folder = try TemporaryFolder()
        for name in [
            "a.flac", "b.flac", "Live/a.flac", "Live/deep/a.flac", "Live/keep.flac", "Empty/a.flac", "x/y/z.flac",
            "x/z.flac", "top/only.flac", "x/top/only.flac",
        ] {
            try folder.write(name)
        }
        try folder.write(".ndignore", "# comment\nLive/*\n!Live/keep.flac\nx/**/z.flac\n/top/\nb.flac/\n")
        try folder.write("Empty/.ndignore", "")
        #expect(try paths(folder) == ["Live/keep.flac", "a.flac", "b.flac", "x/top/only.flac"])
        #expect(try paths(folder, below: "Empty").isEmpty)
        #expect(try paths(folder, below: "x/y").isEmpty)
    }

    @Test("Patterns that would take long to compare don't")
    func hostile() throws {
        let folder = try TemporaryFolder()
        try folder.write(String(repeating: "a/", count: 40) + "b.flac")
        try folder.write(".ndignore", String(repeating: "**/a/", count: 200) + "c\n")
        #expect(try paths(folder).count == 1)
    }

    @Test("Files that can't be read leave nothing out, and are named with the reason")
    func unread() throws {
        let folder = try TemporaryFolder()
        try folder.write("A/b.flac")
        try folder.write("A/.mpdignore", String(repeating: "#", count: 65_537))
        let findings = try FolderWalk.files(root: folder.path, below: "")
        #expect(findings.files.map(\.path) == ["A/b.flac"])
        #expect(findings.unreadRules.map(\.path) == ["A/.mpdignore"])
        #expect(findings.unreadRules.map(\.reason) == ["it is too large"])
    }
}
