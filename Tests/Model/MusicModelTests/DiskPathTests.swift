import Foundation
import TestSupport
import Testing

@testable import MusicModel

@Suite("Paths on the disk")
struct DiskPathTests {
    private let folder: RawFolder
    private let latin1: FileNames

    init() throws {
        folder = try RawFolder()
        latin1 = try #require(FileNames(charset: "iso-8859-1"))
    }

    /// The bytes of the file that a path leads to, which are its name.
    private func content(_ path: String, _ names: FileNames) -> [UInt8]? {
        try? RegularFile.read(DiskPath("\(folder.path)/\(path)", names: names), upTo: 1000)
    }

    private func listing(_ path: String, _ names: FileNames) throws -> DiskPath.Listing {
        try #require(DiskPath(folder.path + path, names: names).list(names: names))
    }

    @Test("Folders and files in either charset are found below each other")
    func mixed() throws {
        let paths = ["é/ö/ü.flac", "plain/ö/x.flac", "é/x.flac"]
        var written: [[UInt8]] = []
        for path in paths {
            let parts = path.split(separator: "/").map { (Array($0.utf8), [UInt8](latin1: String($0))) }
            // Each part in Latin-1 or UTF-8, in trees of their own.
            for choice in 0..<(1 << parts.count) {
                let chosen = parts.enumerated().map { choice >> $0 & 1 == 0 ? $1.0 : $1.1 }
                let name = Array("\(choice) \(path.utf8.count)/".utf8) + chosen.joined(separator: [UInt8(ascii: "/")])
                try folder.write(name)
                written.append(name)
                #expect(content("\(choice) \(path.utf8.count)/\(path)", latin1) == name)
            }
        }
        #expect(written.count == 20)
    }

    @Test("Of two names with one text the one in UTF-8 is listed, opened and entered")
    func twice() throws {
        try folder.write(Array("é.flac".utf8))
        try folder.write([UInt8](latin1: "é.flac"))
        try folder.write(Array("ö/1".utf8))
        try folder.write([UInt8](latin1: "ö/2"))
        let found = try listing("", latin1)
        #expect(found.entries.map(\.name).sorted() == ["é.flac", "ö"])
        #expect(found.shadowed.sorted() == ["é.flac", "ö"])
        #expect(content("é.flac", latin1) == Array("é.flac".utf8))
        #expect(content("ö/1", latin1) != nil)
        // The folder that is left out is no way to a file either.
        #expect(content("ö/2", latin1) == nil)
        try folder.write([UInt8](latin1: "only/é.flac"))
        #expect(content("only/é.flac", latin1) == [UInt8](latin1: "only/é.flac"))
    }

    @Test("Every entry of a listing leads to its file, and so does its text")
    func entries() throws {
        let names = try #require(FileNames(charset: "cp932"))
        let written: [[UInt8]] = [
            [0x83, 0x5C], [0x83, 0x5C, 0x2E, 0x6D, 0x70, 0x33], Array("ソ.flac".utf8), Array("a\\b".utf8), [0x81],
            [0x0A, 0x83, 0x5C], Array(".hidden".utf8),
        ]
        for name in written { try folder.write(name) }
        let found = try listing("", names)
        #expect(found.entries.count == 6)
        #expect(found.unnamable == 1 && found.shadowed.isEmpty)
        for (name, path) in found.entries {
            let bytes = try RegularFile.read(path, upTo: 100)
            #expect(written.contains(bytes))
            #expect(content(name, names) == bytes)
        }
    }

    @Test("Without a charset names that are not UTF-8 are counted, and no text leads to them")
    func withoutCharset() throws {
        try folder.write([UInt8](latin1: "é"))
        try folder.write(Array("ö".utf8))
        let found = try listing("", FileNames())
        #expect(found.entries.map(\.name) == ["ö"] && found.unnamable == 1)
        #expect(content("é", FileNames()) == nil && content("ö", FileNames()) != nil)
    }

    @Test("A text whose bytes in the charset are the name of another file doesn't open that")
    func otherFile() throws {
        try folder.write(Array("é".utf8))
        #expect(content("Ã©", latin1) == nil)
    }

    @Test("A listing ends behind its limit")
    func limit() throws {
        for number in 0..<5 { try folder.write(Array("\(number)".utf8)) }
        let path = DiskPath(folder.path)
        #expect(path.list(atMost: 2)?.entries.count == 3)
        #expect(path.list(atMost: 5)?.entries.count == 5)
        #expect(path.list { $0 == "3" }?.entries.map(\.name) == ["3"])
        #expect(DiskPath(folder.path + "/none").list() == nil && errno == ENOENT)
    }

    @Test("A path of more parts than any has is taken as it is, and at once", .timeLimit(.minutes(1)))
    func endless() {
        let path = String(repeating: "/é", count: 1 << 20)
        #expect(DiskPath(path, names: latin1).status() == nil && errno == ENAMETOOLONG)
        let missing = folder.path + String(repeating: "/é", count: 500)
        #expect(DiskPath(missing, names: latin1).status() == nil && errno == ENOENT)
    }

    @Test("Links are resolved by their bytes, which say what lies within a folder")
    func resolved() throws {
        try folder.write([UInt8](latin1: "é/in"))
        try folder.write([UInt8](latin1: "é2/out"))
        try folder.write(Array("é/x".utf8))
        folder.link(Array("inside".utf8), to: Array((folder.path + "/").utf8) + [UInt8](latin1: "é"))
        folder.link(Array("beside".utf8), to: Array((folder.path + "/").utf8) + [UInt8](latin1: "é2"))
        func resolved(_ path: String) throws -> DiskPath {
            try #require(DiskPath("\(folder.path)/\(path)", names: latin1).resolved())
        }
        let target = try resolved("inside")
        #expect(try resolved("inside/in").isInside(target) && target.isInside(target))
        #expect(try !resolved("beside/out").isInside(target))
        // The folder of the same text in UTF-8.
        #expect(try !resolved("é/x").isInside(target))
        #expect(try target.isInside(#require(DiskPath("/").resolved())))
        #expect(DiskPath(folder.path + "/gone").resolved() == nil)
    }

    @Test("An address has the bytes of the name")
    func address() throws {
        try folder.write([UInt8](latin1: "é 1%.flac"))
        #expect(DiskPath("\(folder.path)/é 1%.flac", names: latin1).url == "file://\(folder.path)/%E9%201%25.flac")
        #expect(DiskPath(exactly: "/é.flac").url == "file:///%C3%A9.flac")
        let plain = "/a-Z_0.~!$&'()*+,=:@;#?[]\"<>|\\^`{}"
        #expect(DiskPath(exactly: plain).url == URL(fileURLWithPath: plain).absoluteString)
    }
}
