import MusicModel
import Testing

@Suite("Paths by their bytes")
struct PathTextTests {
    @Test(
        "A slash parts a path whatever stands behind it",
        arguments: [
            ("/a/b", ["a", "b"], "b", "/a"), ("a", ["a"], "a", ""), ("/a", ["a"], "a", ""),
            ("a//b/", ["a", "b"], "", "a//b"),
            ("/\u{301}a/\u{301}b", ["\u{301}a", "\u{301}b"], "\u{301}b", "/\u{301}a"), ("", [], "", ""),
        ] as [(String, [String], String, String)])
    func parts(_ path: String, parts: [String], name: String, folder: String) {
        #expect(path.pathParts.map { String($0) } == parts)
        #expect(path.pathName == name)
        #expect(path.pathFolder == folder)
        #expect(path.isAbsolutePath == (path.utf8.first == 0x2F) && path.endsWithSlash == (path.utf8.last == 0x2F))
        #expect(path.hasSlash == path.utf8.contains(0x2F))
    }

    @Test(
        "The rest of a path in a folder",
        arguments: [
            ("/a/b", "/a", "b"), ("/a", "/a", ""), ("/ab", "/a", nil), ("/a/b", "/a/", "b"), ("/a", "/", "a"),
            ("a/b", "", "a/b"), ("/a//b", "/a", "b"), ("/a/\u{301}b", "/a", "\u{301}b"), ("/a", "/a/b", nil),
            ("/e\u{301}/b", "/\u{e9}", nil), ("/a/b", "/b", nil), ("", "", ""),
        ] as [(String, String, String?)])
    func rest(_ path: String, folder: String, rest: String?) {
        #expect(path.path(below: folder).map { String($0) } == rest)
        #expect(path.isPath(in: folder) == (rest != nil))
        #expect(Array(path.utf8).path(below: Array(folder.utf8)).map { Array($0) } == rest.map { Array($0.utf8) })
    }

    @Test(
        "The ending of a name is behind its last dot, in lower case",
        arguments: [
            ("a/b.FLAC", "flac"), ("a.b/c", ""), (".m3u", ""), ("a/.m3u", ""), ("a.tar.gz", "gz"), ("a.", ""), ("", ""),
            ("a.\u{301}x", "\u{301}x"),
        ])
    func suffix(_ path: String, suffix: String) { #expect(path.pathSuffix == suffix) }

    // Two letters of a region are one flag: each step back through a row of them leads to its beginning.
    @Test("A megabyte of flags is as fast as any other name", .timeLimit(.minutes(1)))
    func flags() {
        let name = String(repeating: "\u{1F1E9}", count: 1 << 18)
        #expect(name.pathSuffix == "" && (name + ".m3u").pathSuffix == "m3u")
    }

    @Test("Slashes at the end go, but for the root", arguments: [("/a//", "/a"), ("//", "/"), ("a", "a"), ("", "")])
    func ends(_ path: String, without: String) { #expect(path.withoutLastSlashes == without) }
}
