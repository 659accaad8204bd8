import Foundation
import InProcessServer
import LibraryIndex
import MusicModel
import Testing
import UserLibrary

@testable import MediaLookup

/// A library with one song in a folder of its own; the song's file has no sound in it.
struct LocalSong {
    let files: TemporaryLibrary
    let folder: URL
    var library: Library { files.library }
    let uri = "Artist/Album/01 Song.flac"

    static func with(_ body: (LocalSong) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "segue-details-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let files = try await TemporaryLibrary(songs: 10)
        defer { try? files.close() }
        let song = LocalSong(files: files, folder: folder)
        try Data("no sound".utf8).write(to: song.file("01 Song.flac"))
        let indexed = IndexedSong(
            mount: "", sourceID: "local1", source: .localFile(path: song.file("01 Song.flac").path), path: song.uri,
            tags: [TagValue(.title, "Song")], duration: .seconds(1), lastModified: 1, added: 1, format: nil,
            replayGain: ReplayGain(), suffix: "flac", size: 8, coverArtID: nil, hash: 1)
        _ = try await files.library.index.apply(LibraryChanges(mount: "", upserts: [indexed]))
        try await body(song)
    }

    func file(_ name: String) -> URL { folder.appending(path: name) }
    func write(_ bytes: Data, _ name: String) throws { try bytes.write(to: file(name)) }
}

@Suite("Pictures of local songs")
struct LocalPictureTests {
    private static func picture(_ number: UInt8) -> Data { Data([0xFF, 0xD8, 0xFF, number]) }

    @Test("a text that is called like a cover, and a link to a private one, are shown to nobody")
    func texts() async throws {
        try await LocalSong.with { song in
            let pictures = LibraryPictures(library: song.library, covers: nil)
            let secret = song.folder.deletingLastPathComponent().appending(path: "secret-\(UUID().uuidString)")
            defer { try? FileManager.default.removeItem(at: secret) }
            try Data("password".utf8).write(to: secret)
            try song.write(Data("password".utf8), "cover.jpg")
            #expect(try await pictures.albumArt(for: song.uri) == nil)
            for content in [Data("password".utf8), Self.picture(7)] {
                try content.write(to: secret)
                try FileManager.default.removeItem(at: song.file("cover.jpg"))
                symlink(secret.path, song.file("cover.jpg").path)
                #expect(try await pictures.albumArt(for: song.uri) == nil)
            }
            // A link within the album is one of its owner's.
            try song.write(Self.picture(8), "front side.jpg")
            try FileManager.default.removeItem(at: song.file("cover.jpg"))
            symlink("front side.jpg", song.file("cover.jpg").path)
            #expect(try await pictures.albumArt(for: song.uri)?.bytes == Array(Self.picture(8)))
        }
    }

    @Test("the best of the names that covers have is taken, whatever its case, and other files never")
    func ranks() async throws {
        try await LocalSong.with { song in
            let pictures = LibraryPictures(library: song.library, covers: nil)
            #expect(try await pictures.albumArt(for: song.uri) == nil)
            try song.write(Self.picture(9), "back.jpg")
            try song.write(Self.picture(8), "cover.txt")
            #expect(try await pictures.albumArt(for: song.uri) == nil)
            try song.write(Self.picture(1), "AlbumArt.png")
            var found = try #require(try await pictures.albumArt(for: song.uri))
            #expect(found.bytes == Array(Self.picture(1)) && found.mimeType == "image/png")
            try song.write(Self.picture(2), "Folder.JPG")
            found = try #require(try await pictures.albumArt(for: song.uri))
            #expect(found.bytes == Array(Self.picture(2)) && found.mimeType == "image/jpeg")
            try song.write(Self.picture(3), "cover.webp")
            found = try #require(try await pictures.cover(inFolder: song.folder.path))
            #expect(found.bytes == Array(Self.picture(3)) && found.mimeType == "image/webp")
            #expect(found.file == song.file("cover.webp").path)
        }
    }

    @Test("an empty cover and a folder that is called like one are no pictures")
    func odd() async throws {
        try await LocalSong.with { song in
            let pictures = LibraryPictures(library: song.library, covers: nil)
            try song.write(Data(), "cover.jpg")
            #expect(try await pictures.albumArt(for: song.uri) == nil)
            try FileManager.default.removeItem(at: song.file("cover.jpg"))
            try FileManager.default.createDirectory(at: song.file("cover.jpg"), withIntermediateDirectories: false)
            #expect(try await pictures.albumArt(for: song.uri) == nil)
        }
    }

    @Test("songs of a server have no pictures where there is no server")
    func withoutServer() async throws {
        try await LocalSong.with { song in
            let pictures = LibraryPictures(library: song.library, covers: nil)
            let uri = "Artist 0/Album 0/1 Söng 0.flac"
            let missing = "nothing"
            let cover = try await pictures.albumArt(for: uri)
            #expect(cover == nil)
            for uri in [uri, missing] { #expect(try await pictures.picture(of: uri) == nil) }
        }
    }
}

@Suite("Lyrics of local songs")
struct LocalLyricsTests {
    private func lyrics(_ song: LocalSong) async -> String? {
        await LibraryLyrics(library: song.library, cache: nil).lyrics(of: song.uri, isUrgent: true)?.text
    }

    @Test("a file beside the song is read, one with times before one without")
    func beside() async throws {
        try await LocalSong.with { song in
            #expect(await lyrics(song) == nil)
            try song.write(Data("La la\n".utf8), "01 Song.txt")
            #expect(await lyrics(song)?.hasPrefix("La la") == true)
            try song.write(Data("[00:01.00]Fünf\n".utf8), "01 Song.lrc")
            #expect(await lyrics(song)?.contains("Fünf") == true)
        }
    }

    @Test(
        "UTF-8 with and without a mark, UTF-16 and what Windows wrote are understood",
        arguments: [
            Data([0xEF, 0xBB, 0xBF]) + Data("Fünf".utf8), Data([0xFF, 0xFE, 0x46, 0, 0xFC, 0, 0x6E, 0, 0x66, 0]),
            Data([0x46, 0xFC, 0x6E, 0x66]),
        ])
    func encodings(bytes: Data) async throws {
        try await LocalSong.with { song in
            try song.write(bytes, "01 Song.txt")
            #expect(await lyrics(song)?.trimmingCharacters(in: .newlines) == "Fünf")
        }
    }

    @Test("songs of a server, and what is no song, have no lyrics where there is no server")
    func withoutServer() async throws {
        try await LocalSong.with { song in
            let lyrics = LibraryLyrics(library: song.library, cache: nil)
            #expect(await lyrics.lyrics(of: "Artist 0/Album 0/1 Söng 0.flac", isUrgent: false) == nil)
            #expect(await lyrics.lyrics(of: "nothing", isUrgent: false) == nil)
        }
    }
}

@Suite("Links beside local songs")
struct LocalSideFileTests {
    @Test("words in a private file are shown to nobody by a link")
    func lyrics() async throws {
        try await LocalSong.with { song in
            let lyrics = LibraryLyrics(library: song.library, cache: nil)
            let secret = song.folder.deletingLastPathComponent().appending(path: "secret-\(UUID().uuidString)")
            defer { try? FileManager.default.removeItem(at: secret) }
            try Data("password".utf8).write(to: secret)
            symlink(secret.path, song.file("01 Song.lrc").path)
            #expect(await lyrics.lyrics(of: song.uri, isUrgent: true) == nil)
            try FileManager.default.removeItem(at: song.file("01 Song.lrc"))
            try song.write(Data("words".utf8), "01 Song.lrc")
            #expect(await lyrics.lyrics(of: song.uri, isUrgent: true) != nil)
        }
    }
}
