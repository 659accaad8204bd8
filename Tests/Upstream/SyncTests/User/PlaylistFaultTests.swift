@testable import Sync
import LibraryIndex
import MusicModel
import Subsonic
import SyncBench
import TestSupport
import Testing
import UserLibrary

@Suite("Playlists through outages")
struct PlaylistFaultTests {
    @Test("edits made while the server is down arrive after a restart here")
    func restart() async throws {
        let (bench, ids) = try await PlaylistBench.begin(["Mix": [0, 1], "Gone": [2]])
        try await bench.server.setFaults(FakeFault(.refuse))
        try await bench.library.insertIntoStoredPlaylist("Mix", try await bench.items([ids[5]]), at: 0)
        try await bench.library.saveStoredPlaylist("New", try await bench.items([ids[6]]), mode: .create)
        try await bench.library.removeStoredPlaylist("Gone")
        await #expect(throws: SubsonicError.self) { try await bench.push() }
        await bench.close()
        let again = try PlaylistBench(bench.server, state: bench.state)
        await #expect(throws: SubsonicError.self) { try await again.push() }
        try await again.server.setFaults()
        #expect(try await again.push())
        let wanted = ["Mix": [ids[5], ids[0], ids[1]], "New": [ids[6]]]
        #expect(again.server.playlistsByName == wanted)
        #expect(try await again.playlists() == wanted)
        await again.end()
    }

    @Test("a playlist that is deleted here while the server makes it does not come back", arguments: [false, true])
    func deletedWhileMade(isSavedAgain: Bool) async throws {
        let (bench, ids) = try await PlaylistBench.begin(["Mix": [0]])
        try await bench.library.saveStoredPlaylist("New", try await bench.items([ids[1], ids[2]]), mode: .create)
        try await bench.server.setFaults(FakeFault(.held, match: "createPlaylist"))
        try await bench.push {
            // The answer is made when the request comes, and sent when it is let.
            try await eventually("the server to make it") { bench.server.playlistsByName["New"] != nil }
            try await bench.library.removeStoredPlaylist("New")
            if isSavedAgain {
                try await bench.library.saveStoredPlaylist("New", try await bench.items([ids[3]]), mode: .create)
            }
            try await bench.server.setFaults()
        }
        try await bench.converge()
        let wanted = isSavedAgain ? ["Mix": [ids[0]], "New": [ids[3]]] : ["Mix": [ids[0]]]
        #expect(bench.server.playlistsByName == wanted)
        #expect(try await bench.playlists() == wanted)
        await bench.end()
    }

    @Test("a playlist that the server stumbles over does not hold the others up")
    func oneFails() async throws {
        let (bench, ids) = try await PlaylistBench.begin(["A": [0], "B": [1], "C": [2]])
        bench.server.withPlaylist("id-A") { $0.failsEdits = true }
        for name in ["A", "B", "C"] {
            try await bench.library.insertIntoStoredPlaylist(name, try await bench.items([ids[9]]), at: nil)
        }
        await #expect(throws: SubsonicError.self) { try await bench.push() }
        #expect(bench.server.playlistsByName == ["A": [ids[0]], "B": [ids[1], ids[9]], "C": [ids[2], ids[9]]])
        try await bench.pull()
        bench.server.withPlaylist("id-A") { $0.failsEdits = false }
        #expect(try await bench.push())
        #expect(bench.server.playlistsByName["A"] == [ids[0], ids[9]])
        await bench.end()
    }

    @Test(
        "an answer that got lost makes neither a second playlist nor a conflict",
        arguments: [
            "createPlaylist", "updatePlaylist", "deletePlaylist", "getPlaylist",
        ])
    func lostAnswers(call: String) async throws {
        let (bench, ids) = try await PlaylistBench.begin(["Mix": [0, 1], "Name": [2], "Gone": [3], "Full": [4, 5, 6]])
        let library = bench.library
        try await library.insertIntoStoredPlaylist("Mix", try await bench.items([ids[5]]), at: 0)
        try await library.saveStoredPlaylist("New", try await bench.items([ids[6], ids[6]]), mode: .create)
        try await library.saveStoredPlaylist("Empty", [], mode: .create)
        try await library.renameStoredPlaylist("Name", to: "Other")
        try await library.removeStoredPlaylist("Gone")
        try await library.clearStoredPlaylist("Full")
        try await bench.server.setFaults(FakeFault(.cut(after: 0), match: call, count: 3))
        for _ in 0..<8 { _ = try? await bench.push() }
        // Meanwhile the user goes on.
        try await library.insertIntoStoredPlaylist("New", try await bench.items([ids[7]]), at: nil)
        try await bench.server.setFaults()
        try await bench.push()
        try await bench.converge()
        let wanted = [
            "Mix": [ids[5], ids[0], ids[1]], "New": [ids[6], ids[6], ids[7]], "Empty": [], "Other": [ids[2]],
            "Full": [],
        ]
        #expect(bench.server.playlistsByName == wanted)
        #expect(try await bench.playlists() == wanted)
        await bench.end()
    }

    @Test(
        "the answer about a new list that got lost together with its name makes no second one",
        arguments: [[1, 2], []], [0, 1, 2])
    func lostAnswerAndName(songs: [Int], cleaning: Int) async throws {
        var options = FakeOptions()
        options.playlistName = { name in
            [String(name.prefix(8)), name.uppercased(), name.filter { $0.isASCII && $0 != "!" }][cleaning]
        }
        let (bench, ids) = try await PlaylistBench.begin(["Old": [0]], options: options)
        let library = bench.library
        try await library.saveStoredPlaylist(
            "Evenings at home ☕!", try await bench.items(songs.map { ids[$0] }), mode: .create)
        try await bench.server.setFaults(FakeFault(.cut(after: 0), match: "createPlaylist", count: 1))
        _ = try? await bench.push()
        // Meanwhile another app makes one of the same songs.
        bench.server.playlists.append(FakePlaylist(id: "app", name: "Phone", songIDs: songs.map { ids[$0] }))
        for _ in 0..<3 {
            _ = try? await bench.push()
            try await bench.pull()
        }
        #expect(bench.server.playlists.count == 3)
        #expect(try await Set(library.storedPlaylists().map(\.name)) == ["Old", "Evenings at home ☕!", "Phone"])
        await bench.end()
    }

    @Test("a list of 5,500 songs goes in pieces, also when one is lost, and grows without being sent whole")
    func longList() async throws {
        let (bench, ids) = try await PlaylistBench.begin(["Long": [0]], songs: 100)
        let many = (0..<5_500).map { ids[$0 * 7 % 100] }
        let items = try await bench.items(ids)
        let places = Dictionary(uniqueKeysWithValues: zip(ids, items))
        try await bench.library.saveStoredPlaylist("Long", many.compactMap { places[$0] }, mode: .replace)
        try await bench.server.setFaults(FakeFault(.cut(after: 0), match: "updatePlaylist", count: 1))
        await #expect(throws: SubsonicError.self) { try await bench.push() }
        try await bench.push()
        #expect(bench.server.playlistsByName == ["Long": many])
        bench.server.forgetRequests()
        try await bench.library.insertIntoStoredPlaylist("Long", Array(items[0..<2]), at: nil)
        try await bench.push()
        #expect(bench.server.playlistsByName == ["Long": many + ids[0..<2]])
        #expect(bench.server.requests.allSatisfy { $0.parameters.count < 100 })
        await bench.end()
    }

    @Test("a server of API 1.12 takes part: no dates, no answers, and an error for songs that it does not know")
    func oldServer() async throws {
        var options = FakeOptions()
        options.kind = .supysonic
        let (bench, ids) = try await PlaylistBench.begin(["Mix": [0, 1, 2]], options: options)
        try await bench.library.saveStoredPlaylist("New", try await bench.items([ids[6]]), mode: .create)
        try await bench.library.insertIntoStoredPlaylist("Mix", try await bench.items([ids[5]]), at: 1)
        try await bench.push()
        #expect(bench.server.playlistsByName == ["Mix": [0, 5, 1, 2].map { ids[$0] }, "New": [ids[6]]])
        bench.server.edit(ids[0]) { $0.isMissing = true }
        try await bench.pull()
        try await bench.library.deleteFromStoredPlaylist("Mix", 0..<1)
        try await bench.push()
        #expect(bench.server.playlistsByName["Mix"] == [ids[1], ids[2]])
        try await bench.converge()
        #expect(bench.server.playlistsByName["New"] == [ids[6]])
        #expect(bench.server.playlists.count == 2)
        bench.server.editPlaylist("id-Mix") { $0.songIDs = [ids[2]] }
        try await bench.pull()
        #expect(try await bench.entries("Mix") == [ids[2]])
        #expect(try await !bench.library.hasPlaylistWork())
        await bench.end()
    }
}
