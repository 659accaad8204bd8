import Foundation
import LibraryIndex
import LibrarySamples
import MusicModel
import Testing

@testable import UserLibrary

@Suite("Virtual playlists")
struct VirtualPlaylistTests {
    private func library(_ songs: [IndexedSong]) async throws -> TestLibrary {
        let test = try await TestLibrary(songs)
        for playlist in VirtualPlaylist.Kind.allCases.filter({ $0 != .radio }).compactMap({ VirtualPlaylist($0) }) {
            test.library.virtualPlaylists.add(playlist)
        }
        return test
    }

    private func uris(_ test: TestLibrary, _ playlist: String) async throws -> [String] {
        let items = try await test.library.storedPlaylist(playlist)
        let ids = items.compactMap { item -> SongID? in
            guard case .song(let id) = item else { return nil }
            return id
        }
        return try await test.library.index.songs(ids).compactMap { $0?.uri }
    }

    private func code(_ body: () async throws -> Void) async -> LibraryError.Code? {
        do {
            try await body()
            return nil
        } catch { return (error as? LibraryError)?.code }
    }

    @Test("Empty ones are not shown, and can neither be read nor taken")
    func empty() async throws {
        let test = try await library([])
        #expect(try await test.library.storedPlaylists().isEmpty)
        #expect(await code { _ = try await test.library.storedPlaylist("[Starred]") } == .noSuchPlaylist)
        #expect(
            await code { try await test.library.saveStoredPlaylist("[Starred]", [], mode: .create) }
                == .playlistReadOnly)
    }

    @Test("They stand behind the others, and every edit is refused")
    func readOnly() async throws {
        let test = try await library([song("a", added: 5, (.album, "A"))])
        let library = test.library
        let name = "[Recently added]"
        let item = try await library.storedPlaylist(name)
        try await library.saveStoredPlaylist("Mine", item, mode: .create)
        try await library.saveStoredPlaylist("#1", item, mode: .create)
        let names = ["#1", "Mine", "[Random albums]", name]
        #expect(try await library.storedPlaylists().map(\.name) == names)
        #expect(try await library.storedPlaylists().filter(\.isReadOnly).count == 2)
        #expect(try await library.storedPlaylists().first { $0.name == name }?.lastModified == 5)
        for mode in [Library.SaveMode.create, .append, .replace] {
            #expect(await code { try await library.saveStoredPlaylist(name, item, mode: mode) } == .playlistReadOnly)
        }
        let edits: [() async throws -> Void] = [
            { try await library.insertIntoStoredPlaylist(name, item, at: nil) },
            { try await library.insertIntoStoredPlaylist(name, item, at: 0) },
            { try await library.deleteFromStoredPlaylist(name, 0..<1) },
            { try await library.moveInStoredPlaylist(name, 0..<1, to: 0) },
            { try await library.clearStoredPlaylist(name) }, { try await library.removeStoredPlaylist(name) },
            { try await library.renameStoredPlaylist(name, to: "x") },
            { try await library.renameStoredPlaylist("Mine", to: name) },
        ]
        for edit in edits { #expect(await code(edit) == .playlistReadOnly) }
        #expect(try await uris(test, name) == ["a"])
    }

    @Test("A playlist that was saved under such a name stays what it is")
    func takenName() async throws {
        let test = try await TestLibrary([song("a", added: 5), song("b", added: 6)])
        let library = test.library
        let numbers = try await test.numbers()
        try await library.saveStoredPlaylist(
            "[Recently added]", [.song(try #require(numbers["a"]))], mode: .create)
        library.virtualPlaylists.add(try #require(VirtualPlaylist(.recentlyAdded)))
        #expect(try await uris(test, "[Recently added]") == ["a"])
        #expect(try await library.storedPlaylists().map(\.name) == ["[Recently added]"])
        try await library.renameStoredPlaylist("[Recently added]", to: "old")
        #expect(try await uris(test, "[Recently added]") == ["a", "b"])
        library.virtualPlaylists.remove("[Recently added]")
        #expect(try await library.storedPlaylists().map(\.name) == ["old"])
    }

    @Test("Recently added: the newest folder first, each in its own order, no more than 500 songs")
    func recentlyAdded() async throws {
        var songs = ["old/1", "old/2", "old/3"].map { song($0, added: 10) }
        songs += [song("new/2", added: 21), song("new/1", added: 20), song("mixed/1", added: 15)]
        let test = try await library(songs)
        #expect(
            try await uris(test, "[Recently added]") == ["new/1", "new/2", "mixed/1", "old/1", "old/2", "old/3"])
        _ = try await test.library.index.apply(
            LibraryChanges(mount: "", upserts: (0..<600).map { song("many/\($0)", added: 30) }))
        #expect(try await uris(test, "[Recently added]").count == 500)
        #expect(try await uris(test, "[Recently added]").allSatisfy { $0.hasPrefix("many/") })
    }

    @Test("Starred songs; a song that is gone is not among them")
    func starred() async throws {
        let test = try await library(["c", "a", "b"].map { song($0) })
        let numbers = try await test.numbers()
        for (name, value) in [("c", "2"), ("a", "2"), ("b", "1")] {
            try await test.library.setSticker("like", of: .song(try #require(numbers[name])), to: value)
        }
        #expect(try await uris(test, "[Starred]") == ["a", "c"])
        _ = try await test.library.index.apply(LibraryChanges(mount: "", removals: ["a"]))
        #expect(try await uris(test, "[Starred]") == ["c"])
        _ = try await test.library.index.apply(LibraryChanges(mount: "", removals: ["c"]))
        #expect(try await !test.library.storedPlaylists().contains { $0.name == "[Starred]" })
    }

    @Test("Recently and most played, by what the stickers say")
    func played() async throws {
        let test = try await library(["a", "b", "c", "d"].map { song($0) })
        let numbers = try await test.numbers()
        for (name, plays, last) in [("a", "9", "100"), ("b", "10", "50"), ("c", "9", "300"), ("d", "0", "0")] {
            let object = StickerObject.song(try #require(numbers[name]))
            try await test.library.setSticker("playCount", of: object, to: plays)
            try await test.library.setSticker("lastPlayed", of: object, to: last)
        }
        #expect(try await uris(test, "[Recently played]") == ["c", "a", "b"])
        #expect(try await uris(test, "[Most played]") == ["b", "c", "a"])
        let listed = try await test.library.storedPlaylists()
        #expect(listed.first { $0.name == "[Recently played]" }?.lastModified == 300)
        #expect(listed.first { $0.name == "[Most played]" }?.lastModified == 300)
    }

    @Test("Random albums: twenty whole albums, the same all day, others with another seed")
    func randomAlbums() async throws {
        let songs = (0..<120).map {
            song("\($0 / 3)/\($0 % 3)", (.album, "Album \($0 / 3 % 30)"), (.albumArtist, $0 < 90 ? "X" : "Y"))
        }
        let test = try await library(songs)
        let first = try await uris(test, "[Random albums]")
        #expect(first.count == 60)
        let folders = first.map { $0.prefix { $0 != "/" } }
        #expect(Set(folders).count == 20)
        for start in stride(from: 0, to: 60, by: 3) {
            #expect(first[start..<start + 3].map { $0.suffix(2) } == ["/0", "/1", "/2"])
        }
        #expect(try await uris(test, "[Random albums]") == first)
        let picks = try await test.library.read { database in
            try (0..<2).map { try RandomAlbums(database, seed: UInt64($0)).pick(20) }
        }
        #expect(picks[0] != picks[1])
    }

    @Test("A maker's own playlist is asked whenever it is read")
    func ownMaker() async throws {
        let test = try await TestLibrary([song("a")])
        let gone = QueueItem.song(SongID(rawValue: 99))
        let stream = QueueItem.stream(url: "http://radio", tags: [TagValue(.name, "Nova")])
        test.library.virtualPlaylists.add(VirtualPlaylist("[Radio]", modified: { 7 }, items: { [gone, stream] }))
        #expect(try await test.library.storedPlaylist("[Radio]") == [stream])
        #expect(
            try await test.library.storedPlaylists() == [
                StoredPlaylist(name: "[Radio]", lastModified: 7, isReadOnly: true)
            ])
        test.library.virtualPlaylists.add(VirtualPlaylist("[Radio]", modified: { nil }, items: { [stream] }))
        #expect(try await test.library.storedPlaylists().isEmpty)
    }

    @Test("The server's playlist of such a name gets a number")
    func serversName() async throws {
        let test = try await library([song("a", added: 5)])
        _ = try await test.library.mergePlaylist(
            ServerPlaylist(serverID: "1", name: "[Recently added]", changed: 1, songIDs: ["a"]))
        #expect(
            try await test.library.storedPlaylists().map(\.name) == ["[Recently added] (2)", "[Recently added]"])
    }
}
