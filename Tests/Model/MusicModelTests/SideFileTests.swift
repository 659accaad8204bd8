import Foundation
import MusicModel
import Testing

@Suite("Files beside songs")
struct SideFileTests {
    /// A folder with a library of two albums, a folder beside it, and one of the program's own.
    private func withFolders(_ body: (_ folder: String) throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "segue-side-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: folder) }
        for name in ["music/one", "music/one/disc", "music/two", "home", "music/state", "music/state/demo"] {
            try FileManager.default.createDirectory(atPath: "\(folder)/\(name)", withIntermediateDirectories: true)
            try Data(name.utf8).write(to: URL(filePath: "\(folder)/\(name)/text"))
        }
        try body(folder)
    }

    private func text(_ path: String) -> String? {
        (try? SideFile.read(path, upTo: 100)).map { String(decoding: $0, as: UTF8.self) }
    }

    @Test("are read in their own folder and below it, also by links, and elsewhere only in a library")
    func links() throws {
        try withFolders { folder in
            for (link, target) in [
                ("music/one/same", "text"), ("music/one/below", "disc/text"), ("music/one/disc/above", "../text"),
                ("music/one/other", "../two/text"), ("music/one/out", "\(folder)/home/text"),
                ("music/one/hop", "out"), ("music/one/folder", "\(folder)/home"), ("music/one/round", "round"),
            ] { symlink(target, "\(folder)/\(link)") }
            let before = ["same", "below", "disc/above", "other", "out", "hop", "round"].map {
                text("\(folder)/music/one/\($0)")
            }
            #expect(before == ["music/one", "music/one/disc", nil, nil, nil, nil, nil])
            SideFile.keep(library: "\(folder)/music")
            #expect(text("\(folder)/music/one/disc/above") == "music/one")
            #expect(text("\(folder)/music/one/other") == "music/two")
            #expect(text("\(folder)/music/one/out") == nil && text("\(folder)/music/one/hop") == nil)
            // Whether links of folders are followed, others decide.
            #expect(text("\(folder)/music/one/folder/text") == "home")
        }
    }

    @Test("are never the program's own, also where these lie in a music folder; a library among those is one")
    func apart() throws {
        try withFolders { folder in
            SideFile.keep(library: "\(folder)/music")
            symlink("../state/text", "\(folder)/music/one/state")
            #expect(text("\(folder)/music/one/state") == "music/state")
            SideFile.keep(apart: "\(folder)/music/state")
            #expect(text("\(folder)/music/one/state") == nil && text("\(folder)/music/state/text") == nil)
            #expect(text("\(folder)/music/state/demo/text") == nil)
            SideFile.keep(library: "\(folder)/music/state/demo")
            #expect(text("\(folder)/music/state/demo/text") == "music/state/demo")
            #expect(text("\(folder)/music/state/text") == nil)
        }
    }
}
