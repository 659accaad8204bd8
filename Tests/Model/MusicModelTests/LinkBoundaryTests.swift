import Foundation
import MusicModel
import Testing

@Suite("Links of network storages")
struct LinkBoundaryTests {
    /// A folder with a volume of two folders, a private file beside it, and a link to one of the folders as a storage.
    private func withStorage(_ body: (_ folder: String, _ storage: String) throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "segue-links-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: folder) }
        for name in ["volume/music/albums", "volume/films", "storages", "private"] {
            try FileManager.default.createDirectory(atPath: "\(folder)/\(name)", withIntermediateDirectories: true)
        }
        for name in ["volume/music/a", "volume/music/albums/a", "volume/films/a", "private/a"] {
            try Data(name.utf8).write(to: URL(filePath: "\(folder)/\(name)"))
        }
        symlink("\(folder)/volume/music", "\(folder)/storages/nas")
        LinkBoundary.keep("\(folder)/storages")
        try body(folder, "\(folder)/storages/nas")
    }

    private func text(_ path: String) -> String? {
        (try? RegularFile.read(path, upTo: 100)).map { String(decoding: $0, as: UTF8.self) }
    }

    @Test("Files of a storage are read, by its links that stay in it, too")
    func inside() throws {
        try withStorage { folder, storage in
            symlink("albums/a", "\(storage)/link")
            symlink("\(folder)/volume/music/albums", "\(storage)/\u{301}link")
            #expect(text("\(storage)/a") == "volume/music/a")
            #expect(text("\(storage)/link") == "volume/music/albums/a")
            #expect(text("\(storage)/\u{301}link/a") == "volume/music/albums/a")
            #expect(text("\(folder)/private/a") == "private/a", "what is no storage has no boundary")
        }
    }

    @Test(
        "Nothing is opened by links that lead out of a storage",
        arguments: [
            ("private", "out", "out/a"), ("private", "\u{301}out", "\u{301}out/a"), ("private/a", "out", "out"),
            ("volume/films", "out", "out/a"), ("", "out", "out/volume/films/a"), ("private", "e\u{301}", "e\u{301}/a"),
        ])
    func outside(_ target: String, link: String, path: String) throws {
        try withStorage { folder, storage in
            try #require(symlink("\(folder)/\(target)", "\(storage)/\(link)") == 0)
            try #require(access("\(storage)/\(path)", R_OK) == 0)
            #expect(text("\(storage)/\(path)") == nil)
            let (descriptor, reason) = (LinkBoundary.open("\(storage)/\(path)", O_RDONLY | O_CLOEXEC), errno)
            #expect(descriptor < 0 && reason == EXDEV)
            #expect(DiskPath("\(storage)/\(link)").list()?.entries.isEmpty ?? true)
            #expect(text("\(storage)/../../private/a") == nil)
        }
    }

    @Test("A storage whose own folder was exchanged for a link has nothing")
    func exchangedRoot() throws {
        try withStorage { folder, storage in
            try FileManager.default.removeItem(atPath: "\(folder)/volume/music")
            symlink("\(folder)/private", "\(folder)/volume/music")
            try #require(access("\(storage)/a", R_OK) == 0)
            #expect(text("\(storage)/a") == nil)
        }
    }
}
