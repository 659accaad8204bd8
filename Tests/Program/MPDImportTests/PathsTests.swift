import Foundation
import TestSupport
import Testing

@testable import MPDImport

@Suite(.enabled(if: testsEverything)) struct PathsTests {
    @Test("~ and variables mean the folders of the user who runs MPD")
    func variables() throws {
        let folder = try TemporaryFolder()
        try folder.write(".config/user-dirs.dirs", "# made by a tool\nXDG_MUSIC_DIR=\"$HOME/Klänge\"\n")
        let environment = ["HOME": folder.path, "XDG_CACHE_HOME": "/cache", "XDG_RUNTIME_DIR": "relative"]
        let paths = MPDPaths(environment: environment, isRoot: false)
        let home = folder.path
        #expect(paths.absolute("~/Music", in: "/etc") == home + "/Music")
        #expect(paths.absolute("~", in: "/etc") == home)
        #expect(paths.absolute("$HOME/.mpd/state", in: "/etc") == home + "/.mpd/state")
        #expect(paths.absolute("$XDG_CONFIG_HOME/mpd/db", in: "/etc") == home + "/.config/mpd/db")
        #expect(paths.absolute("$XDG_CACHE_HOME/mpd/state", in: "/etc") == "/cache/mpd/state")
        #expect(paths.absolute("$XDG_MUSIC_DIR", in: "/etc") == home + "/Klänge")
        // Without a value it can't be expanded; then it is a name like others.
        #expect(paths.absolute("$XDG_RUNTIME_DIR/x", in: "/etc") == "/etc/$XDG_RUNTIME_DIR/x")
        #expect(paths.absolute("~no such user/x", in: "/etc") == "/etc/~no such user/x")
        #expect(paths.absolute("db", in: "/etc") == "/etc/db")
        #expect(paths.written("~/Music") == "~/Music")
        #expect(paths.written("$HOME/Music") == home + "/Music")
    }

    @Test("the setting user says whose folder ~ is, and root's configuration names it in full")
    func user() throws {
        let root = try #require(getpwuid(0).map { String(cString: $0.pointee.pw_dir) })
        let environment = ["HOME": "/home/me", "XDG_CACHE_HOME": "/cache"]
        let paths = MPDPaths(user: "root", environment: environment, isRoot: false)
        #expect(paths.absolute("~/x", in: "/") == root + "/x")
        #expect(paths.absolute("$XDG_CACHE_HOME/x", in: "/") == root + "/.cache/x")
        #expect(paths.written("~/x") == root + "/x")
        #expect(MPDPaths(environment: ["HOME": "/home/me"], isRoot: true).written("~/x") == "/home/me/x")
    }

    @Test("bytes that are no UTF-8 come back as they were, whatever they are", arguments: 0..<100)
    func lossless(seed: UInt64) {
        var random = RepeatableGenerator(seed: seed)
        let pieces: [[UInt8]] = [
            [0x61], [0x0A], [0xE9], [0xFF], [0xC3, 0xA9], [0xF0, 0x9F, 0x8E, 0xB5], [0xED, 0xA0, 0x80],
            [0xF4, 0x8F, 0xBE, 0x80], [0xF4, 0x8F, 0xBF, 0xBF], [0xE2, 0x82],
        ]
        let bytes = (0..<40).flatMap { _ in pieces.randomElement(using: &random) ?? [] }
        #expect(LosslessText.bytes(LosslessText.text(bytes)) == bytes)
    }

    @Test("a charset is for the lines that are no UTF-8")
    func charset() {
        let bytes = Array("é\n".utf8) + [0xE9]
        #expect(LosslessText.text(bytes, charset: "ISO-8859-1") == "é\né")
        #expect(LosslessText.shown(LosslessText.text(bytes)) == "é\n\u{FFFD}")
    }

    @Test("playlists with names and entries in another charset keep them")
    func playlists() throws {
        let folder = try TemporaryFolder()
        let file = try #require(fopen(LosslessText.cString(folder.path + "/Caf\u{10FFE9}.m3u"), "w"))
        fputs("Caf", file)
        fputc(0xE9, file)
        fputs("/a.mp3\n", file)
        fclose(file)
        let kept = try MPDPlaylist.all(in: folder.path)
        #expect(kept.problems.isEmpty)
        #expect(kept.playlists.map(\.name) == ["Café"])
        #expect(kept.playlists.first.map { LosslessText.bytes($0.entries[0].uri)[3] } == 0xE9)
        let read = try MPDPlaylist.all(in: folder.path, charset: "ISO-8859-1")
        #expect(read.playlists.first?.entries == [.init(uri: "Café/a.mp3")])
    }
}
