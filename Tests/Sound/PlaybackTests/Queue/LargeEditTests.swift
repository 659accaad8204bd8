import MusicModel
import ServerLoop
import Testing

@testable import Playback

@Suite("Edits of a large queue beside the event loop")
@ServerActor
struct LargeEditTests {
    private nonisolated static let count = 2 * Player.manyEntries

    private func harness(count: Int = Self.count) throws -> PlayerHarness {
        try PlayerHarness(songs: 1...Int64(count), limit: 100_000)
    }

    @Test("They do the same as edits at once", arguments: [false, true])
    func sameResult(isRandom: Bool) async throws {
        let (first, second) = (try harness(), try harness())
        for player in [first.player, second.player] {
            player.setRandom(isRandom)
            try player.play(position: 7)
        }
        func compare(_ edit: @escaping @Sendable (inout PlayerStateMachine) throws -> Void) async throws {
            try first.player.editAtOnce(edit)
            #expect(second.player.isLarge(.all()))
            try await second.player.edit(.all(), edit)
            #expect(first.takeChanges() == second.takeChanges())
            #expect(first.player.savedQueue == second.player.savedQueue)
        }
        try await compare { try $0.shuffle(0..<Self.count) }
        try await compare { try $0.setPriority(3, range: 10..<Self.count / 2) }
        try await compare { try $0.move(0..<5000, to: .absolute(3000)) }
        try await compare { _ = try $0.insert((1...3000).map { song($0) }, at: .absolute(100)) }
        try await compare { try $0.delete(0..<9000) }
        let ids = first.player.entries.suffix(Player.manyEntries).map(\.id)
        let last = try #require(first.player.entries.last?.songID)
        try await compare { try $0.setPriority(9, ids: ids) }
        try await compare { $0.songsChanged([last]) }
        try await compare { $0.removeSongs([last]) }
        try await compare { $0.setRandom(!isRandom) }
        try await compare { $0.setRandom(isRandom) }
        try await compare { _ = try $0.replace((1...Int64(Self.count)).map { song($0) }, [0, 9, 9, 3]) }
        try await compare { $0.clear() }
        #expect(first.player.savedQueue == second.player.savedQueue)
        #expect(first.player.status == second.player.status)
    }

    @Test("An unknown id leaves the priorities that were set before it")
    func unknownID() async throws {
        let player = try harness().player
        let ids = player.entries.map(\.id)
        let some = ids.prefix(3) + [QueueEntryID(rawValue: 9_999_999)] + ids.dropFirst(3)
        await #expect(throws: PlayerError.self) {
            try await player.edit(.entries(some.count)) { try $0.setPriority(5, ids: Array(some)) }
        }
        #expect(player.entries.prefix(4).map(\.priority) == [5, 5, 5, 0])
    }

    @Test("Entries that leave together leave the rest in its order, and what plays goes on", arguments: [false, true])
    func deletingIDs(isRandom: Bool) async throws {
        let (single, together) = (try harness(), try harness())
        let removed = single.player.entries.map(\.id).enumerated().filter { $0.offset % 3 == 1 }.map(\.element)
        for player in [single.player, together.player] {
            player.setRandom(isRandom)
            try player.play(position: 9)
        }
        let version = together.player.status.queueVersion
        // One after the other in so large a queue takes minutes in a random order.
        for id in removed.prefix(30) { try single.player.delete(id: id) }
        let some = Array(removed.prefix(30)) + [removed[0], QueueEntryID(rawValue: 9_999_999)]
        try await together.player.edit(.all()) { $0.delete(some) }
        #expect(together.player.entries.map(\.id) == single.player.entries.map(\.id))
        #expect(together.player.status.song?.id == single.player.status.song?.id)
        #expect(together.player.status.queueVersion == version + 1)
        #expect(together.player.isLarge(.all()) && !together.player.isLarge(.entries(1)))
        try await together.player.edit(.all()) { $0.delete(removed) }
        #expect(together.player.count == Self.count - removed.count)
        #expect(Set(together.player.entries.map(\.id)).isDisjoint(with: removed))
        try await together.player.edit(.all()) { $0.delete([]) }
        try await together.player.edit(.all()) { $0.delete(removed) }
        #expect(together.player.count == Self.count - removed.count)
    }

    @Test("Other songs come in the place of all with their priorities, or nothing changes where they don't fit")
    func replacing() async throws {
        let harness = try PlayerHarness(songs: 1...5, limit: 6)
        let player = harness.player
        try player.play(position: 2)
        let before = player.savedQueue
        await #expect(throws: PlayerError.self) {
            try await player.edit { try $0.replace((1...7).map { song($0) }) }
        }
        #expect(player.savedQueue == before && player.status.songPosition == 2)
        try await player.edit { try $0.replace((11...16).map { song($0) }, [0, 7, 7, 0, 7, 255]) }
        #expect(player.entries.map(\.songID?.rawValue) == [11, 12, 13, 14, 15, 16])
        #expect(player.entries.map(\.priority) == [0, 7, 7, 0, 7, 255])
        #expect(player.status.state == .stop)
        try await player.edit { try $0.replace([]) }
        #expect(player.count == 0)
    }

    @Test("A shuffle keeps what plays at the front, at once and beside the loop")
    func shuffling() async throws {
        let player = try harness(count: 10 * Player.manyEntries).player
        try player.play(position: 3)
        let playing = player.status.song?.id
        let before = player.entries.map(\.id)
        for range in [2..<5 * Player.manyEntries, 0..<player.count] {
            try await player.edit(.entries(range.count / 6)) { try $0.shuffle(range) }
            #expect(player.status.song?.id == playing && player.status.songPosition == range.lowerBound)
        }
        #expect(player.entries.map(\.id) != before)
        #expect(player.entries.map(\.id).sorted { $0.rawValue < $1.rawValue } == before)
    }

    @Test("They don't undo what happened meanwhile")
    func otherEdits() async throws {
        let count = 10 * Player.manyEntries
        let harness = try harness(count: count)
        let player = harness.player
        try player.play(position: 3)
        harness.started()
        let shuffling = Task { @ServerActor in try await player.edit(.entries(count)) { try $0.shuffle(0..<count) } }
        await Task.yield()
        for _ in 0..<3 { try player.delete(count / 2..<count / 2 + 1) }
        harness.progress(.seconds(5))
        _ = try await shuffling.value
        #expect(player.count == count - 3)
        #expect(Set(player.entries.map(\.id)).count == count - 3)
        #expect(player.status.elapsed == .seconds(5))
        #expect(player.status.songPosition == 0)
    }

    @Test("Edits that come meanwhile wait for their turn, and take effect in the order in which they came")
    func order() async throws {
        let player = try harness().player
        // Each runs up to where it waits before the next begins; the first can't end before this function waits, too.
        let large = Task.immediate {
            try await player.edit(.all()) { try $0.move(0..<Player.manyEntries, to: .absolute(5)) }
        }
        #expect(player.isLarge(.entries(1)))
        let small = Task.immediate { try await player.edit { try $0.move(0..<1, to: .absolute(7)) } }
        let gone = Task.immediate { try await player.edit { try $0.delete(0..<1) } }
        gone.cancel()
        _ = try await large.value
        _ = try await small.value
        await #expect(throws: CancellationError.self) { try await gone.value }
        // The first of those that the block passed had come to the front, and is moved behind others of them.
        #expect(player.count == Self.count)
        #expect(player.entries[7].id == QueueEntryID(rawValue: UInt32(Player.manyEntries) + 1))
        #expect(!player.isLarge(.entries(1)))
    }

    @Test("Priorities by id are set up to one that isn't there")
    func prioritiesByID() throws {
        let player = try harness().player
        player.setRandom(true)
        let ids = [3, 1_000_000, 5].map { QueueEntryID(rawValue: $0) }
        #expect(throws: PlayerError.self) { try player.editAtOnce { try $0.setPriority(7, ids: ids) } }
        #expect(player.entries.prefix(5).map(\.priority) == [0, 0, 7, 0, 0])
    }

    @Test("They are refused as edits at once are")
    func refusals() async throws {
        let player = try harness().player
        await #expect(throws: PlayerError.self) {
            try await player.edit(.all()) { try $0.move(0..<5, to: .absolute(Self.count)) }
        }
        await #expect(throws: PlayerError.self) {
            try await player.edit(.all()) { try $0.insert((1...90_000).map { song($0) }, at: nil) }
        }
        #expect(player.count == Self.count)
    }
}
