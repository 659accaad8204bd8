import MusicModel
import Testing
import UserLibrary

@Suite("The auto-DJ's memory")
struct PickTests {
    @Test("picks that wait, picks that ended and what was played last come back in their order")
    func order() async throws {
        let test = try TestLibrary()
        #expect(try await test.library.djMemory(of: "default", limit: 2) == nil)
        var dj = SavedDJ(mode: "genre", adventure: 0.25)
        dj.isOn = true
        dj.seeds = [SongID(rawValue: 7)]
        try await test.library.saveDJ(dj, of: "default")
        let picks = (1...6).map {
            SavedPick(entry: QueueEntryID(rawValue: UInt32($0)), song: SongID(rawValue: Int64(10 + $0)), why: "\($0)")
        }
        try await test.library.addPicks(picks, of: "default", explains: false)
        for (pick, outcome) in zip(picks, [PickOutcome.heard, .skipped, .removed, .failed]) {
            try await test.library.finishPick(pick, of: "default", outcome)
        }
        for song in [3, 1, 2] {
            _ = try await test.library.addHistory(song: SongID(rawValue: Int64(song)), startedAt: 0, heard: .seconds(9))
        }

        let memory = try #require(try await test.library.djMemory(of: "default", limit: 2))

        #expect(memory.dj == dj)
        #expect(memory.waiting == Array(picks[4...]))
        #expect(memory.finished == [picks[1], picks[3]])
        let counts = try await test.library.pickOutcomes(of: "default")
        #expect(counts == [.heard: 1, .skipped: 1, .removed: 1, .failed: 1, .waiting: 2])
        #expect(memory.lineup == [SongID(rawValue: 1), SongID(rawValue: 2)])
    }
}
