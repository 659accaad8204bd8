import Foundation
import LibraryIndex
import Logging
import MusicModel
import Synchronization
import TestSupport
import Testing

@testable import Sync

@Suite("Music whose names are not UTF-8")
struct OldNameTests {
    private let folder: RawFolder
    private let latin1: FileNames

    init() throws {
        folder = try RawFolder()
        latin1 = try #require(FileNames(charset: "iso-8859-1"))
    }

    private func walk(_ names: FileNames, below start: String = "", _ links: LinkRules = LinkRules()) throws
        -> FolderWalk.Findings
    {
        try FolderWalk.files(root: folder.path, below: start, names: names, links: links)
    }

    @Test("is found by its text, in folders of either charset")
    func walk() throws {
        for name in [
            [UInt8](latin1: "Mötley/café.mp3"), Array("Mötley2/".utf8) + [UInt8](latin1: "é.flac"),
            [UInt8](latin1: "ö/") + Array("曲.flac".utf8), [UInt8](latin1: "ö/Übung.cue"), Array("plain.ogg".utf8),
            [UInt8](latin1: ".é.flac"), [UInt8](latin1: "é\n.flac"),
        ] {
            try folder.write(name)
        }
        let found = try walk(latin1)
        #expect(Set(found.files.map(\.path)) == ["Mötley/café.mp3", "Mötley2/é.flac", "ö/曲.flac", "plain.ogg"])
        #expect(found.playlists.map(\.path) == ["ö/Übung.cue"])
        #expect(found.files.allSatisfy { $0.size > 0 })
        #expect(found.unnamable == 0 && found.shadowed.isEmpty && found.unreadable.isEmpty)
        #expect(try walk(latin1, below: "Mötley").files.map(\.path) == ["Mötley/café.mp3"])
        #expect(try walk(latin1, below: "Mötley/café.mp3").files.map(\.path) == ["Mötley/café.mp3"])
        let without = try walk(FileNames())
        #expect(without.files.map(\.path) == ["plain.ogg"] && without.unnamable == 5)
    }

    @Test("is left out where another name in the folder has its text in UTF-8, and that is told")
    func twice() throws {
        try folder.write([UInt8](latin1: "a/é.mp3"), Array("one".utf8))
        try folder.write(Array("a/é.mp3".utf8), Array("three".utf8))
        try folder.write(Array("ö/1.mp3".utf8))
        try folder.write([UInt8](latin1: "ö/2.mp3"))
        let found = try walk(latin1)
        #expect(found.files.map(\.path) == ["a/é.mp3", "ö/1.mp3"])
        #expect(found.files.first?.size == 5)
        #expect(Set(found.shadowed) == ["a/é.mp3", "ö"])
        folder.remove(Array("a/é.mp3".utf8))
        #expect(try walk(latin1, below: "a/é.mp3").files.map(\.size) == [3])
    }

    @Test("is left out by rules that are written in either charset")
    func rules() throws {
        for name in ["Übung.mp3", "Größe.mp3", "b.mp3"] { try folder.write([UInt8](latin1: "a/" + name)) }
        try folder.write(Array("a/.mpdignore".utf8), [UInt8](latin1: "Ü*\n"))
        try folder.write(Array(".ndignore".utf8), Array("Größe.mp3\n".utf8))
        #expect(try walk(latin1).files.map(\.path) == ["a/b.mp3"])
        #expect(try walk(latin1, below: "a/Übung.mp3").files.isEmpty)
    }

    @Test("is followed through links by what these lead to, not by a text that two folders have")
    func links() throws {
        let outside = try RawFolder()
        try outside.write([UInt8](latin1: "é/out.mp3"))
        try folder.write([UInt8](latin1: "é/in.mp3"))
        folder.link([UInt8](latin1: "zü"), to: Array(folder.path.utf8) + [UInt8](latin1: "/é"))
        folder.link([UInt8](latin1: "zö"), to: Array(outside.path.utf8) + [UInt8](latin1: "/é"))
        func paths(_ links: LinkRules) throws -> [String] { try walk(latin1, links).files.map(\.path) }
        #expect(try paths(LinkRules()) == ["zö/out.mp3", "zü/in.mp3", "é/in.mp3"])
        #expect(try paths(LinkRules(followsOutside: false)) == ["zü/in.mp3", "é/in.mp3"])
        #expect(try paths(LinkRules(followsInside: false)) == ["zö/out.mp3", "é/in.mp3"])
    }

    @Test("is noticed when it comes, is renamed and goes, and so are its folders")
    func watcher() async throws {
        try folder.write([UInt8](latin1: "ö/1.mp3"))
        let told = Mutex<Set<String>>([])
        let pace = FolderWatcher.Pace(quiet: .milliseconds(10), maxWait: .milliseconds(100))
        let watcher = try #require(
            FolderWatcher(root: folder.path, names: latin1, pace: pace, logger: Logger(label: "test")) { paths in
                told.withLock { $0.formUnion(paths) }
            })
        defer { watcher.stop() }
        for path in ["", "ö"] { watcher.watch(path) }
        func expect(_ paths: Set<String>, _ change: () throws -> Void) async throws {
            told.withLock { $0 = [] }
            try change()
            try await eventually("\(paths)") { told.withLock { $0.isSuperset(of: paths) } }
        }
        try await expect(["ö/é.mp3"]) { try folder.write([UInt8](latin1: "ö/é.mp3")) }
        try await expect(["ö/é.mp3", "ü.mp3"]) { folder.move([UInt8](latin1: "ö/é.mp3"), to: [UInt8](latin1: "ü.mp3")) }
        try await expect(["ü.mp3"]) { folder.remove([UInt8](latin1: "ü.mp3")) }
        try await expect(["ß"]) { folder.makeFolder([UInt8](latin1: "ß")) }
        // Neither hidden names nor those that would break an answer are told.
        try await expect(["x.mp3"]) {
            for name in [".é.mp3", "é\n.mp3", "é\r\n.mp3", "x.mp3"] { try folder.write([UInt8](latin1: "ö/" + name)) }
            try folder.write(Array("x.mp3".utf8))
        }
        #expect(told.withLock { $0.isSubset(of: ["x.mp3", "ö/x.mp3"]) })
    }
}
