import LibraryIndex
import LibrarySamples
import MusicModel
import Testing

@testable import UserLibrary

@Suite("Partitions that are renamed")
struct RenamedPartitionTests {
    private let queue = SavedQueue(
        entries: [
            .init(id: QueueEntryID(rawValue: 7), item: .stream(url: "http://x/y", tags: [])),
            .init(
                id: QueueEntryID(rawValue: 8), item: .song(SongID(rawValue: 2)),
                range: SongRange(start: .seconds(4), end: .seconds(8)),
                sheetTags: [TagValue(.title, "Two"), TagValue(.genre, "Synth Pop")]),
        ], version: 5)
    private let departed = [
        DepartedEntry(
            song: SongID(rawValue: 3), range: SongRange(start: .seconds(1), end: nil),
            sheetTags: [TagValue(.title, "Läs 1 2"), TagValue(.artist, "t")], priority: 0, predecessor: nil,
            position: 1, wasCurrent: false),
        DepartedEntry(
            song: SongID(rawValue: 4), range: nil, priority: 0, predecessor: nil, position: 1, wasCurrent: false),
    ]

    /// A library with a partition `garden` and everything that is kept of one.
    private func garden() async throws -> (TestLibrary, PartitionKey) {
        let (test, key) = (try TestLibrary(), PartitionKey("garden"))
        try await test.library.addPartition("garden")
        try await test.library.addPartition("attic")
        var player = SavedPlayer()
        player.volume = 12
        player.outputs = [SavedOutput(name: "Hall", isEnabled: false, isMovedAway: false)]
        var dj = SavedDJ(mode: "similar", adventure: 0.5)
        dj.isOn = true
        try await test.library.saveQueue(queue, of: key)
        try await test.library.savePlayer(player, of: key)
        try await test.library.saveDJ(dj, of: key)
        try await test.library.addPicks(
            [SavedPick(entry: QueueEntryID(rawValue: 7), song: SongID(rawValue: 1), why: "fits")], of: key,
            explains: false)
        try await test.library.saveDeparted(departed, left: 99, of: key)
        return (test, key)
    }

    @Test("everything that is kept is there under the new name, at the old place, and nothing under the old one")
    func everything() async throws {
        let (test, key) = try await garden()
        let player = try test.library.savedPlayer(of: key)
        try await test.library.renamePartition(key, to: "Terrace")
        #expect(key.name == "Terrace")
        try test.library.close()

        let again = try Library(path: test.path)
        #expect(try again.partitionNames() == ["default", "Terrace", "attic"])
        #expect(try again.savedQueue(of: "Terrace") == queue)
        #expect(try again.savedPlayer(of: "Terrace") == player && player.volume == 12)
        let memory = try await again.djMemory(of: "Terrace", limit: 5)
        #expect(memory?.dj.isOn == true && memory?.waiting.map(\.why) == ["fits"])
        let kept = try await again.savedDeparted(of: "Terrace")
        #expect(kept.entries == departed && kept.left == 99)
        #expect(try await again.savedDeparted(of: "garden").entries.isEmpty)
        #expect(try again.savedQueue(of: "garden") == SavedQueue())
        try again.close()
    }

    @Test("writes at the same time all find the partition")
    func races() async throws {
        let (test, key) = try await garden()
        let library = test.library
        for round in 1...20 {
            var player = SavedPlayer()
            player.volume = round
            try await withThrowingTaskGroup(of: Void.self) { [player] group in
                group.addTask { try await library.renamePartition(key, to: "name\(round)") }
                group.addTask { try await library.savePlayer(player, of: key) }
                try await group.waitForAll()
            }
            #expect(try library.savedPlayer(of: key).volume == round)
        }
        #expect(try library.partitionNames() == ["default", "name20", "attic"])
        try library.close()
    }

    @Test("a name that is taken in the database changes nothing")
    func taken() async throws {
        let (test, key) = try await garden()
        await #expect(throws: LibraryError.self) { try await test.library.renamePartition(key, to: "attic") }
        #expect(key.name == "garden")
        #expect(try test.library.partitionNames() == ["default", "garden", "attic"])
        #expect(try test.library.savedQueue(of: key) == queue)
        #expect(try await test.library.savedDeparted(of: key).entries == departed)
        try test.library.close()
    }

    @Test("one that could not be kept before is kept under its new name")
    func unknown() async throws {
        let (test, key) = (try TestLibrary(), PartitionKey("lost"))
        try await test.library.renamePartition(key, to: "found")
        try await test.library.saveQueue(queue, of: key)
        #expect(try test.library.partitionNames() == ["default", "found"])
        #expect(try test.library.savedQueue(of: "found") == queue)
        try test.library.close()
    }
}
