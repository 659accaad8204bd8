import Testing

@testable import MPDCommands

@Suite("Folders of this machine in the library")
struct LocalFoldersTests {
    private let folders = LocalFolders(folders: [("nas", "/srv/nas"), ("", "/srv/music")])

    @Test(
        "A path of the library leads to its file and back, whatever letters stand behind a slash",
        arguments: [
            ("nas/a.flac", "/srv/nas/a.flac"), ("nas/\u{301}a/b.flac", "/srv/nas/\u{301}a/b.flac"),
            ("nasal/a.flac", "/srv/music/nasal/a.flac"), ("\u{301}a.flac", "/srv/music/\u{301}a.flac"),
        ])
    func bothWays(_ path: String, file: String) {
        #expect(folders.file(at: path) == file)
        #expect(folders.path(ofFile: file) == path)
    }

    @Test("A folder has a place on the disk, but is no file")
    func roots() {
        #expect(folders.file(at: "nas") == "/srv/nas" && folders.file(at: "") == "/srv/music")
        #expect(folders.path(ofFile: "/srv/nas") == nil && folders.path(ofFile: "/srv/musical/a") == nil)
    }

    @Test("Names of mounts are told from others by their bytes")
    func normalForms() {
        let folders = LocalFolders(folders: [("\u{e9}", "/srv/composed"), ("", "/srv/music")])
        #expect(folders.file(at: "\u{e9}/a.flac") == "/srv/composed/a.flac")
        #expect(folders.file(at: "e\u{301}/a.flac")?.utf8.elementsEqual("/srv/music/e\u{301}/a.flac".utf8) == true)
        #expect(folders.path(ofFile: "/elsewhere/a.flac") == nil)
    }
}
