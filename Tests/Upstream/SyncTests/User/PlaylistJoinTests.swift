import MusicModel
import Subsonic
import SyncBench
import TestSupport
import Testing
import UserLibrary

@Suite("Playlists that were edited on both sides")
struct PlaylistJoinTests {
    /// What both had, what each made of it, and what both have in the end.
    private static let joins: [(common: [Int], ours: [Int], theirs: [Int], both: [Int])] = [
        ([0, 1], [0, 1, 2], [0, 1, 3], [0, 1, 3, 2]),
        ([], [2], [3], [3, 2]),
        ([0, 1], [2, 0, 1], [0, 1, 3], [2, 0, 1, 3]),
        ([0, 1, 2], [0, 2], [0, 1, 2, 3], [0, 2, 3]),
        ([0, 1, 2], [0, 1, 2, 4], [1, 2], [1, 2, 4]),
        ([0, 1, 2], [2, 1, 0], [0, 1, 2, 3], [2, 3, 1, 0]),
        ([0, 1, 2], [0, 1, 2, 3], [2, 1, 0], [2, 1, 0, 3]),
        ([0, 1, 2], [2, 1, 0], [0, 2], [2, 0]),
        ([0, 1, 2], [2, 0], [0, 1, 2, 3], [2, 3, 0]),
        ([0, 0], [0, 0, 0], [0, 0, 1], [0, 0, 1, 0]),
        ([0, 1], [0, 1, 2], [0, 1, 2, 3], [0, 1, 2, 3]),
        ([0, 1], [], [0, 1, 2], [2]),
    ]

    @Test("what two sides add or take out is joined, also where one of them changed the order", arguments: joins)
    func join(common: [Int], ours: [Int], theirs: [Int], both: [Int]) async throws {
        let (bench, ids) = try await PlaylistBench.begin(["Mix": common])
        let items = try await bench.items(ours.map { ids[$0] })
        try await bench.library.saveStoredPlaylist("Mix", items, mode: .replace)
        bench.server.editPlaylist("id-Mix") { $0.songIDs = theirs.map { ids[$0] } }
        try await bench.push()
        try await bench.converge()
        #expect(try await bench.playlists() == ["Mix": both.map { ids[$0] }])
        #expect(bench.server.playlistsByName == ["Mix": both.map { ids[$0] }])
        await bench.end()
    }

    @Test("two rooms that add to one list in turn have all of it, and no copies")
    func twoRooms() async throws {
        let (first, ids) = try await PlaylistBench.begin(["Mix": [0]])
        let second = try PlaylistBench(first.server)
        try await second.pull()
        for place in 1..<13 {
            let room = place % 3 == 0 ? second : first
            let stream = QueueItem.stream(url: "http://radio", tags: [])
            try await room.library.insertIntoStoredPlaylist("Mix", try await room.items([ids[place]]), at: nil)
            if place == 5 { try await room.library.insertIntoStoredPlaylist("Mix", [stream], at: nil) }
            // Each looks now and then.
            if place % 4 == 0 { try await first.push() }
            if place % 5 == 0 { try await second.push() }
        }
        for _ in 0..<2 {
            try await first.converge()
            try await second.converge()
        }
        #expect(Set(first.server.playlistsByName.keys) == ["Mix"])
        #expect(first.server.playlistsByName["Mix"]?.sorted() == (0..<13).map { ids[$0] }.sorted())
        #expect(try await second.entries("Mix") == first.server.playlistsByName["Mix"])
        #expect(try await first.entries("Mix").filter { $0 != "http://radio" } == first.server.playlistsByName["Mix"])
        await second.close()
        await first.end()
    }

    @Test(
        "where both changed the order the later edit wins, and the other is kept under a name of its own on both sides",
        arguments: [true, false])
    func conflict(oursIsLater: Bool) async throws {
        let (bench, ids) = try await PlaylistBench.begin(["Mix": [0, 1, 2]])
        try await bench.server.setFaults(FakeFault(.refuse))
        try await bench.library.moveInStoredPlaylist("Mix", 0..<1, to: 1)
        await #expect(throws: SubsonicError.self) { try await bench.push() }
        bench.server.editPlaylist("id-Mix") { playlist in playlist.songIDs = [ids[2], ids[1], ids[5], ids[0]] }
        if oursIsLater {
            bench.server.withPlaylist("id-Mix") { $0.changed -= 100_000 }
        } else {
            bench.server.withPlaylist("id-Mix") { $0.changed += 100_000 }
        }
        try await bench.server.setFaults()
        try await bench.push()
        try await bench.converge()
        let ours = [1, 0, 2].map { ids[$0] }
        let theirs = [2, 1, 5, 0].map { ids[$0] }
        let all = try await bench.playlists()
        #expect(all["Mix"] == (oursIsLater ? ours : theirs))
        let copy = try #require(all.keys.first { $0.hasPrefix("Mix (conflict 20") })
        #expect(all[copy] == (oursIsLater ? theirs : ours))
        #expect(all.count == 2)
        #expect(bench.server.playlistsByName == all)
        #expect(bench.recorder.now.subsystems.contains(.storedPlaylist))
        await bench.end()
    }
}
