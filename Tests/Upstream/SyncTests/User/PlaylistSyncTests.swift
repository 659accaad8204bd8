import Foundation
import LibraryIndex
@testable import Sync
import MusicModel
import Subsonic
import SyncBench
import TestSupport
import Testing
import UserLibrary

@Suite("Playlists both ways")
struct PlaylistSyncTests {
    private let stream = QueueItem.stream(url: "http://radio", tags: [])

    // MARK: Writing through

    @Test("every edit arrives on the server, and comes back as no change")
    func writesThrough() async throws {
        let (bench, ids) = try await PlaylistBench.begin(["Mix": [0, 1, 2]])
        let library = bench.library
        func same(_ name: String, _ wanted: [Int]) async throws {
            try await bench.push()
            #expect(bench.server.playlistsByName[name] == wanted.map { ids[$0] })
            #expect(try await bench.entries(name) == wanted.map { ids[$0] })
        }
        try await library.insertIntoStoredPlaylist("Mix", try await bench.items([ids[3]]), at: nil)
        try await same("Mix", [0, 1, 2, 3])
        try await library.insertIntoStoredPlaylist("Mix", try await bench.items([ids[4]]), at: 0)
        try await same("Mix", [4, 0, 1, 2, 3])
        try await library.moveInStoredPlaylist("Mix", 0..<2, to: 3)
        try await same("Mix", [1, 2, 3, 4, 0])
        try await library.deleteFromStoredPlaylist("Mix", 1..<3)
        try await same("Mix", [1, 4, 0])
        try await library.saveStoredPlaylist("Mix", try await bench.items([ids[7], ids[7]]), mode: .replace)
        try await same("Mix", [7, 7])
        try await library.saveStoredPlaylist("Mix", try await bench.items([ids[8]]), mode: .append)
        try await same("Mix", [7, 7, 8])
        try await library.clearStoredPlaylist("Mix")
        try await same("Mix", [])
        try await library.insertIntoStoredPlaylist("Mix", try await bench.items([ids[9]]), at: nil)
        try await same("Mix", [9])
        try await library.clearStoredPlaylist("Mix")
        try await same("Mix", [])
        try await library.renameStoredPlaylist("Mix", to: "Mixed")
        try await library.saveStoredPlaylist("New", try await bench.items([ids[5]]), mode: .create)
        try await same("New", [5])
        #expect(Set(bench.server.playlistsByName.keys) == ["Mixed", "New"])
        #expect(!bench.server.requests.contains { $0["songIndexToRemove"] ?? "0" != "0" })

        bench.server.forgetRequests()
        try await bench.pull()
        #expect(try await !bench.push())
        #expect(!bench.server.requests.contains { $0.call == "getPlaylist" || $0.call.hasSuffix("tePlaylist") })
        #expect(bench.recorder.now.subsystems.isEmpty, "what was sent is no news")

        try await library.removeStoredPlaylist("New")
        try await library.removeStoredPlaylist("Mixed")
        #expect(try await bench.push())
        #expect(bench.server.playlists.isEmpty)
        try await bench.pull()
        #expect(try await library.storedPlaylists().isEmpty)
        await bench.end()
    }

    @Test("names that MPD forbids are shown otherwise, and a rename goes both ways without being mapped twice")
    func names() async throws {
        let (bench, ids) = try await PlaylistBench.begin(["AC/DC": [0], "Same": [1]])
        bench.server.playlists.append(FakePlaylist(id: "second", name: "Same", songIDs: [ids[2]]))
        try await bench.pull()
        #expect(try await bench.library.storedPlaylists().map(\.name) == ["AC∕DC", "Same", "Same (2)"])
        try await bench.library.insertIntoStoredPlaylist("Same (2)", try await bench.items([ids[3]]), at: nil)
        try await bench.push()
        #expect(bench.server.playlists.map(\.name) == ["AC/DC", "Same", "Same"])
        try await bench.library.renameStoredPlaylist("AC∕DC", to: "AC∕DC live")
        try await bench.push()
        #expect(bench.server.playlists[0].name == "AC/DC live")
        bench.server.editPlaylist("id-AC/DC") { $0.name = "AC/DC/X" }
        try await bench.pull()
        try await bench.push()
        #expect(try await bench.library.storedPlaylists().map(\.name).first == "AC∕DC∕X")
        #expect(bench.server.playlists[0].name == "AC/DC/X")
        #expect(try await bench.entries("Same (2)") == [ids[2], ids[3]])
        await bench.end()
    }

    @Test(
        "a name that the server makes another of makes one playlist, on every kind of server",
        arguments: [" x ", "\tx", "\u{A0}x\u{A0}", "  ", String(repeating: "long ", count: 100)],
        [FakeOptions.Kind.navidrome, .supysonic])
    func cleanedNames(name: String, kind: FakeOptions.Kind) async throws {
        var options = FakeOptions()
        options.kind = kind
        options.playlistName = { String($0.prefix(255)) }
        let (bench, ids) = try await PlaylistBench.begin(["Old": [0]], options: options)
        try await bench.library.saveStoredPlaylist(name, try await bench.items([ids[1]]), mode: .create)
        for _ in 0..<3 {
            try await bench.push()
            try await bench.pull()
        }
        #expect(bench.server.playlists.count == 2)
        #expect(try await bench.library.storedPlaylists().count == 2)
        bench.server.forgetRequests()
        #expect(try await !bench.push())
        #expect(bench.server.requests.isEmpty, "nothing waits")
        // The list is the same one under its own name.
        let kept = try #require(try await bench.library.storedPlaylists().first { $0.name != "Old" })
        #expect(name.utf8.count > 255 || kept.name == name)
        bench.server.editPlaylist(bench.server.playlists[1].id) { $0.songIDs.append(ids[2]) }
        try await bench.pull()
        #expect(try await bench.entries(kept.name) == [ids[1], ids[2]])
        await bench.end()
    }

    @Test(
        "a name that the server answers otherwise is not sent again",
        arguments: ["x ", " x", "X/\u{2215}", String(repeating: "y", count: 300)])
    func cleanedRename(name: String) async throws {
        var options = FakeOptions()
        options.playlistName = { String($0.trimmingCharacters(in: .whitespaces).prefix(255)) }
        let (bench, _) = try await PlaylistBench.begin(["x": [0]], options: options)
        let name = name.replacing("/", with: "\u{2215}")
        try await bench.library.renameStoredPlaylist("x", to: name)
        try await bench.push()
        try await bench.pull()
        #expect(bench.server.requests.filter { $0.call == "updatePlaylist" }.count <= 1)
        bench.server.forgetRequests()
        for _ in 0..<2 {
            try await bench.push()
            try await bench.pull()
        }
        #expect(!bench.server.requests.contains { $0.call == "getPlaylist" || $0.call == "updatePlaylist" })
        #expect(try await bench.library.storedPlaylists().map(\.name) == [String(name.prefix(255))])
        await bench.end()
    }

    @Test("smart playlists and those of others can be read and not edited; what others keep for themselves isn't shown")
    func readOnly() async throws {
        let (bench, ids) = try await PlaylistBench.begin()
        bench.server.playlists = [
            FakePlaylist(id: "s", name: "Smart", songIDs: [ids[0]], isReadOnly: true),
            FakePlaylist(id: "o", name: "Theirs", songIDs: [ids[1]]),
            FakePlaylist(id: "p", name: "Private", songIDs: [ids[2]]),
        ]
        for id in ["o", "p"] { bench.server.editPlaylist(id) { $0.owner = "ann" } }
        bench.server.editPlaylist("o") { $0.isPublic = true }
        try await bench.pull()
        #expect(try await bench.playlists() == ["Smart": [ids[0]], "Theirs": [ids[1]]])
        for name in ["Smart", "Theirs"] {
            await #expect(throws: LibraryError.self) { try await bench.library.clearStoredPlaylist(name) }
            await #expect(throws: LibraryError.self) { try await bench.library.removeStoredPlaylist(name) }
        }
        #expect(try await !bench.push())
        bench.server.editPlaylist("o") { $0.owner = nil }
        try await bench.pull()
        try await bench.library.clearStoredPlaylist("Theirs")
        try await bench.push()
        #expect(bench.server.playlistsByName["Theirs"] == [])
        await bench.end()
    }

    @Test("streams stay on our side, beside their neighbours, when the server's list changes")
    func localEntries() async throws {
        let (bench, ids) = try await PlaylistBench.begin(["Mix": [0, 1, 2, 3]])
        let radio = QueueItem.stream(url: "http://other", tags: [TagValue(.name, "Other")])
        try await bench.library.insertIntoStoredPlaylist("Mix", [stream], at: 2)
        try await bench.library.insertIntoStoredPlaylist("Mix", [radio], at: 0)
        try await bench.push()
        #expect(bench.server.playlistsByName["Mix"] == (0..<4).map { ids[$0] })
        bench.server.editPlaylist("id-Mix") { $0.songIDs = [ids[9], ids[2], ids[1], ids[0]] }
        try await bench.pull()
        #expect(
            try await bench.entries("Mix") == [ids[9], ids[2], ids[1], "http://other", "http://radio", ids[0]])
        #expect(try await bench.library.storedPlaylist("Mix").contains(radio), "with its tags")
        bench.server.editPlaylist("id-Mix") { $0.songIDs = [] }
        try await bench.pull()
        #expect(try await bench.entries("Mix").sorted() == ["http://other", "http://radio"])
        // A list of streams alone is nothing for the server.
        try await bench.library.saveStoredPlaylist("Radio", [stream, radio], mode: .create)
        try await bench.push()
        #expect(bench.server.playlists.map(\.name) == ["Mix"])
        #expect(try await !bench.push(), "nothing waits")
        try await bench.library.insertIntoStoredPlaylist("Radio", try await bench.items([ids[3]]), at: 1)
        try await bench.push()
        #expect(bench.server.playlistsByName["Radio"] == [ids[3]])
        #expect(try await bench.entries("Radio") == ["http://radio", ids[3], "http://other"])
        await bench.end()
    }

    @Test("entries whose files are missing survive edits on both sides")
    func missingFiles() async throws {
        let (bench, ids) = try await PlaylistBench.begin(["Mix": [0, 1, 2, 3]])
        bench.server.edit(ids[1]) { $0.isMissing = true }
        try await bench.pull()
        #expect(try await bench.entries("Mix") == [ids[0], ids[2], ids[3]])
        try await bench.library.moveInStoredPlaylist("Mix", 2..<3, to: 0)
        try await bench.push()
        #expect(bench.server.playlistsByName["Mix"]?.contains(ids[1]) == true)
        #expect(bench.server.playlistsByName["Mix"]?.count == 4)
        bench.server.editPlaylist("id-Mix") { $0.songIDs.append(ids[8]) }
        try await bench.pull()
        bench.server.edit(ids[1]) { $0.isMissing = false }
        try await bench.pull()
        let both = try await bench.entries("Mix")
        #expect(both == bench.server.playlistsByName["Mix"])
        #expect(both.sorted() == [0, 1, 2, 3, 8].map { ids[$0] }.sorted())
        await bench.end()
    }

    @Test("songs that the index does not know yet stay in the server's list, and appear with the next walk")
    func unknownSongs() async throws {
        let (bench, ids) = try await PlaylistBench.begin(["Mix": [0, 1]])
        let new = bench.server.change { $0.add(1) }
        // The walk has not seen it; only the playlist is read.
        bench.server.editPlaylist("id-Mix") { $0.songIDs = [ids[0], new[0], ids[1]] }
        try await bench.library.insertIntoStoredPlaylist("Mix", [stream], at: nil)
        try await bench.push()
        #expect(try await bench.entries("Mix") == [ids[0], ids[1], "http://radio"])
        try await bench.library.insertIntoStoredPlaylist("Mix", try await bench.items([ids[5]]), at: 2)
        try await bench.push()
        #expect(bench.server.playlistsByName["Mix"] == [ids[0], new[0], ids[1], ids[5]])
        try await bench.pull()
        #expect(try await bench.entries("Mix") == [ids[0], new[0], ids[1], ids[5], "http://radio"])
        await bench.end()
    }

    // MARK: Both sides

    @Test("the same edit on both sides is no conflict; a new name here and new songs there go together")
    func agreement() async throws {
        let (bench, ids) = try await PlaylistBench.begin(["Mix": [0, 1], "Two": [3]])
        try await bench.library.insertIntoStoredPlaylist("Mix", try await bench.items([ids[2]]), at: nil)
        bench.server.editPlaylist("id-Mix") { $0.songIDs.append(ids[2]) }
        try await bench.library.renameStoredPlaylist("Two", to: "Zwei")
        bench.server.editPlaylist("id-Two") { $0.songIDs.append(ids[4]) }
        try await bench.push()
        try await bench.converge()
        #expect(try await bench.playlists() == ["Mix": [0, 1, 2].map { ids[$0] }, "Zwei": [ids[3], ids[4]]])
        #expect(try await bench.playlists() == bench.server.playlistsByName)
        await bench.end()
    }

    @Test("an edit outlives a deletion on the other side; a deletion of what did not change goes through")
    func deletions() async throws {
        let (bench, ids) = try await PlaylistBench.begin(["A": [0], "B": [1], "C": [2], "D": [3]])
        try await bench.library.removeStoredPlaylist("A")
        bench.server.editPlaylist("id-A") { $0.songIDs.append(ids[9]) }
        try await bench.library.removeStoredPlaylist("B")
        try await bench.library.insertIntoStoredPlaylist("C", try await bench.items([ids[8]]), at: nil)
        bench.server.playlists.removeAll { $0.id == "id-C" || $0.id == "id-D" }
        try await bench.push()
        try await bench.converge()
        let wanted = ["A": [ids[0], ids[9]], "C": [ids[2], ids[8]]]
        #expect(try await bench.playlists() == wanted)
        #expect(bench.server.playlistsByName == wanted)
        await bench.end()
    }

    @Test("playlists from before there was a server are uploaded; one of the server's with that name goes first")
    func upload() async throws {
        let server = try await FakeNavidrome.start(songs: 10)
        let ids = server.songs.map(\.id)
        let first = try PlaylistBench(server)
        try await first.pull()
        server.playlists = [
            FakePlaylist(id: "1", name: "Mix", songIDs: [ids[1]]),
            FakePlaylist(id: "2", name: "Alike", songIDs: [ids[2]]),
        ]
        for (name, song) in [("Mix", 0), ("Alike", 2), ("Own", 3)] {
            try await first.library.saveStoredPlaylist(name, try await first.items([ids[song]]), mode: .create)
        }
        try await first.converge()
        let wanted = ["Mix": [ids[1]], "Mix (2)": [ids[0]], "Alike": [ids[2]], "Own": [ids[3]]]
        #expect(try await first.playlists() == wanted)
        #expect(server.playlistsByName == wanted)
        await first.end()
    }

    @Test("a server whose database was deleted gets its playlists back")
    func rebuiltServer() async throws {
        let (bench, ids) = try await PlaylistBench.begin(["Mix": [0, 1, 2]])
        let places = Array(ids.prefix(3))
        let paths = bench.server.songs.prefix(3).map(\.path)
        bench.server.playlists = []
        _ = bench.server.change { $0.rebuild() }
        try await bench.converge()
        #expect(bench.server.playlists.map(\.name) == ["Mix"])
        let now = bench.server.songs
        let wanted = paths.compactMap { path in now.first { $0.path == path }?.id }
        #expect(bench.server.playlistsByName["Mix"] == wanted)
        #expect(try await bench.entries("Mix") == wanted && wanted != places)
        await bench.end()
    }
}

extension FakeNavidrome {
    /// Changes a playlist without dating it.
    func withPlaylist(_ id: String, _ change: (inout FakePlaylist) -> Void) {
        var playlists = playlists
        for index in playlists.indices where playlists[index].id == id { change(&playlists[index]) }
        self.playlists = playlists
    }
}
