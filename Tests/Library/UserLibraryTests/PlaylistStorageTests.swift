import Foundation
import GRDB
import LibraryIndex
import LibrarySamples
import MusicModel
import Testing

@testable import UserLibrary

@Suite("How stored playlists are kept")
struct PlaylistStorageTests {
    private let stream = QueueItem.stream(url: "http://radio/1", tags: [TagValue(.title, "Radio")])

    private func items(_ test: TestLibrary, _ uris: String...) async throws -> [QueueItem] {
        let numbers = try await test.numbers()
        return try uris.map { .song(try #require(numbers[$0])) }
    }

    private func names(_ library: Library, _ playlist: String) async throws -> String {
        var names: [String] = []
        for item in try await library.storedPlaylist(playlist) {
            switch item {
            case .song(let id): names.append(try await library.index.songs([id])[0]?.uri ?? "?")
            case .stream(let url, _): names.append(url)
            }
        }
        return names.joined(separator: " ")
    }

    /// What a program that was killed now would leave behind.
    private func remains(_ test: TestLibrary) throws -> String {
        let folder = test.folder.appendingPathComponent("killed-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        for ending in ["", "-wal"] {
            let path = test.path + ending
            guard FileManager.default.fileExists(atPath: path) else { continue }
            try FileManager.default.copyItem(
                atPath: path, toPath: folder.appendingPathComponent("segue.db" + ending).path)
        }
        return folder.appendingPathComponent("segue.db").path
    }

    // MARK: The database

    @Test("A stored playlist grows to its limit and no further, however it is added to")
    func limit() async throws {
        let test = try TestLibrary(playlistLimit: 5)
        _ = try await test.library.index.apply(LibraryChanges(mount: "", upserts: [song("a.flac"), song("b.flac")]))
        let songs = try await items(test, "a.flac", "b.flac")
        let library = test.library
        let tooLarge = LibraryError(.playlistTooLarge, "Stored playlist is too large")
        try await library.insertIntoStoredPlaylist("p", songs, at: nil)
        try await library.insertIntoStoredPlaylist("p", songs, at: nil)
        await #expect(throws: tooLarge) { try await library.insertIntoStoredPlaylist("p", songs, at: nil) }
        await #expect(throws: tooLarge) { try await library.insertIntoStoredPlaylist("p", songs, at: 0) }
        await #expect(throws: tooLarge) { try await library.saveStoredPlaylist("p", songs, mode: .append) }
        try await library.insertIntoStoredPlaylist("p", [stream], at: nil)
        #expect(try await library.storedPlaylist("p").count == 5)
        await #expect(throws: tooLarge) {
            try await library.saveStoredPlaylist("q", songs + songs + songs, mode: .create)
        }
        try await library.saveStoredPlaylist("p", songs, mode: .replace)
        #expect(try await names(library, "p") == "a.flac b.flac")
    }

    @Test("A playlist is as long as what clients see of it", arguments: [2, 30_000])
    func length(count: Int) async throws {
        let test = try TestLibrary()
        var songs = [song("a.flac"), song("b.flac"), song("gone.flac")]
        for (place, seconds) in zip(songs.indices, [10, 200, 5000]) { songs[place].duration = .seconds(seconds) }
        _ = try await test.library.index.apply(LibraryChanges(mount: "", upserts: songs))
        let (seen, gone) = (try await items(test, "a.flac", "b.flac"), try await items(test, "gone.flac"))
        let entries = (0..<count / 2).flatMap { _ in seen } + gone + [stream]
        try await test.library.saveStoredPlaylist("p", entries, mode: .create)
        _ = try await test.library.index.apply(LibraryChanges(mount: "", removals: ["gone.flac"]))
        let length = try await test.library.lengthOfStoredPlaylist("p")
        #expect(length.songs == count + 1)
        #expect(length.playtime == .seconds(count / 2 * 210))
        await #expect(throws: LibraryError.self) { try await test.library.lengthOfStoredPlaylist("q") }
    }

    @Test("Long playlists are read, cut, extended and loaded in parts as they were saved")
    func long() async throws {
        let test = try await TestLibrary((0..<1500).map { song(String(format: "%04d", $0)) })
        let library = test.library
        let songs: [QueueItem] = try await library.index.queueable(below: "").map { .song($0.id) }
        try await library.saveStoredPlaylist("long", songs + [stream] + songs.reversed(), mode: .create)
        #expect(try await library.storedPlaylist("long") == songs + [stream] + songs.reversed())
        try await library.deleteFromStoredPlaylist("long", 1501..<Int.max)
        try await library.saveStoredPlaylist("long", [songs[3], stream], mode: .append)
        #expect(try await library.storedPlaylist("long") == songs + [stream, songs[3], stream])
        let part = try await library.queueable(inStoredPlaylist: "long", 1490..<1600)
        #expect(part.map(\.place) == Array(1490..<1503))
        #expect(part.map(\.item) == Array(songs[1490...]) + [stream, songs[3], stream])
        #expect(part.first?.duration == .seconds(60))
        #expect(part.first?.replayGain.trackGain == -6.5)
        #expect(part[10].duration == nil)
        #expect(try await library.queueable(inStoredPlaylist: "long", 0..<Int.max).count == 1503)
        #expect(try await library.queueable(inStoredPlaylist: "long", 1503..<1600).isEmpty)
        #expect(try await library.queueable(inStoredPlaylist: "long", 9000..<9001).isEmpty)
        _ = try await library.index.apply(LibraryChanges(mount: "", removals: ["0000", "0002"]))
        let rest = try await library.queueable(inStoredPlaylist: "long", 0..<2)
        #expect(rest.map(\.item) == [songs[1], songs[3]])
        #expect(rest.map(\.place) == [0, 1])
        await #expect(throws: LibraryError.self) { _ = try await library.queueable(inStoredPlaylist: "no", 0..<1) }
    }

    @Test("A song of the server that comes later takes its place among the others")
    func awaited() async throws {
        let test = try await TestLibrary([song("a", id: "id-a"), song("c", id: "id-c")])
        let library = test.library
        let ids = ["id-a", "id-b", "id-c", "id-b"]
        _ = try await library.mergePlaylist(ServerPlaylist(serverID: "1", name: "x", changed: 5000, songIDs: ids))
        #expect(try await names(library, "x") == "a c")
        #expect(try await !library.renewPlaylistSongs())
        _ = try await library.index.apply(LibraryChanges(mount: "", upserts: [song("b", id: "id-b")]))
        #expect(try await library.renewPlaylistSongs())
        #expect(try await names(library, "x") == "a b c b")
        #expect(try test.inspect { try $0.integer("SELECT count(*) FROM playlist_other") } == 0)
    }

    @Test("The list of playlists follows every change, also of those that others make")
    func listing() async throws {
        let test = try await TestLibrary([song("a")])
        let library = test.library
        let a = try await items(test, "a")
        #expect(try await library.storedPlaylists().isEmpty)
        try await library.insertIntoStoredPlaylist("one", a, at: nil)
        #expect(try await library.storedPlaylists().map(\.name) == ["one"])
        try await library.renameStoredPlaylist("one", to: "two")
        #expect(try await library.storedPlaylists().map(\.name) == ["two"])
        library.virtualPlaylists.add(.radio)
        _ = try await library.replaceStations([Station(name: "R", url: "http://r/")], from: .configuration)
        #expect(try await library.storedPlaylists().map(\.name) == ["two", "[Radio]"])
        library.virtualPlaylists.add(VirtualPlaylist("[Made]", modified: { 7 }, items: { a }))
        #expect(try await library.storedPlaylists().map(\.name) == ["two", "[Made]", "[Radio]"])
        library.virtualPlaylists.add(VirtualPlaylist("[Made]", modified: { 8 }, items: { a }))
        #expect(try await library.storedPlaylists().first { $0.name == "[Made]" }?.lastModified == 8)
        library.virtualPlaylists.remove("[Made]")
        try await library.removeStoredPlaylist("two")
        #expect(try await library.storedPlaylists().map(\.name) == ["[Radio]"])
    }

    // MARK: Additions

    @Test("Additions are seen at once, in order with all other edits, and wait for the server")
    func additions() async throws {
        let test = try await TestLibrary(["a", "b", "c"].map { song($0) })
        let library = test.library
        let (a, b, c) = (try await items(test, "a"), try await items(test, "b"), try await items(test, "c"))
        try await library.insertIntoStoredPlaylist("x", a, at: nil)
        try await library.insertIntoStoredPlaylist("x", b + c, at: nil)
        #expect(try await names(library, "x") == "a b c")
        try await library.insertIntoStoredPlaylist("x", a, at: nil)
        try await library.renameStoredPlaylist("x", to: "y")
        try await library.insertIntoStoredPlaylist("x", b, at: nil)
        try await library.insertIntoStoredPlaylist("y", c, at: nil)
        try await library.insertIntoStoredPlaylist("y", a, at: 0)
        try await library.insertIntoStoredPlaylist("x", c, at: nil)
        try await library.removeStoredPlaylist("x")
        try await library.insertIntoStoredPlaylist("x", a, at: nil)
        #expect(try await names(library, "y") == "a a b c a c")
        #expect(try await names(library, "x") == "a")
        #expect(try await library.hasPlaylistWork())
        #expect(try await library.playlistOverviews().allSatisfy { $0.edited != nil })
        await #expect(throws: LibraryError(.badPlaylistName, "Bad playlist name")) {
            try await library.insertIntoStoredPlaylist("a/b", a, at: nil)
        }
    }

    @Test("Nothing is lost when the program is killed", arguments: 1...4)
    func killed(round: Int) async throws {
        let test = try await TestLibrary(["a", "b"].map { song($0) })
        let (a, b) = (try await items(test, "a"), try await items(test, "b"))
        for number in 1...round * 10 {
            try await test.library.insertIntoStoredPlaylist("x", number.isMultiple(of: 2) ? a : b, at: nil)
            if number == 7 { _ = try await test.library.storedPlaylist("x") }
        }
        let expected = (1...round * 10).map { $0.isMultiple(of: 2) ? "a" : "b" }.joined(separator: " ")
        let path = try remains(test)
        for _ in 0..<2 {
            let library = try Library(path: path)
            #expect(try await names(library, "x") == expected)
            #expect(try await library.hasPlaylistWork())
            try library.close()
        }
    }

    @Test("On a disk that is nearly full clients add nothing to playlists and stickers; what makes room goes on")
    func nearlyFullDisk() async throws {
        let test = try TestLibrary()
        let stream = QueueItem.stream(url: "http://h/x", tags: [])
        let object = StickerObject.playlist("kept")
        try await test.library.saveStoredPlaylist("kept", [stream], mode: .create)
        try await test.library.setSticker("note", of: object, to: "x")
        try test.library.close()
        // No disk has so much free.
        let library = try Library(path: test.path, keepFree: 1 << 60)
        for edit in [
            { try await library.saveStoredPlaylist("a", [stream], mode: .create) },
            { try await library.insertIntoStoredPlaylist("a", [stream], at: nil) },
            { try await library.insertIntoStoredPlaylist("a", [.song(SongID(rawValue: 1))], at: nil) },
            { try await library.setSticker("other", of: object, to: "x") },
            { try await library.countSticker("number", of: object, .up, by: "1") },
        ] as [@Sendable () async throws -> Void] {
            let error = await #expect(throws: LibraryError.self) { try await edit() }
            #expect(error?.code == .diskFull && error?.message.contains("nearly full; make room there") == true)
        }
        #expect(try await library.storedPlaylists().map(\.name) == ["kept"])
        #expect(try await library.stickers(of: object).map(\.name) == ["note"])
        try await library.setSticker("rating", of: object, to: "4")
        try await library.renameStoredPlaylist("kept", to: "away")
        try await library.deleteFromStoredPlaylist("away", 0..<1)
        try await library.removeStoredPlaylist("away")
        try await library.deleteStickers(of: object)
        try library.close()
    }
}
