import MusicModel
import ServerLoop
import Testing

@testable import Playback

@Suite("Edits of a large queue beside the event loop")
@ServerActor
struct LargeEditTests {
    private static let count = 2 * Player.manyEntries

    private func harness() throws -> PlayerHarness { try PlayerHarness(songs: 1...Int64(Self.count), limit: 100_000) }

    @Test("They do the same as edits at once", arguments: [false, true])
    func sameResult(isRandom: Bool) async throws {
        let (first, second) = (try harness(), try harness())
        for player in [first.player, second.player] {
            player.setRandom(isRandom)
            try player.play(position: 7)
        }
        let edits: [QueueEdit] = [
            .shuffle(0..<Self.count), .prioritise(10..<Self.count / 2, 3), .move(0..<5000, to: 3000),
            .insert((1...3000).map { song($0) }, at: .absolute(100)), .delete(0..<9000),
        ]
        for edit in edits {
            let ids = try first.player.apply(edit)
            #expect(try await second.player.edit(edit) == ids)
            #expect(first.takeChanges() == second.takeChanges())
        }
        #expect(first.player.savedQueue == second.player.savedQueue)
        #expect(first.player.status == second.player.status)
    }

    @Test("They don't undo what happened meanwhile")
    func otherEdits() async throws {
        let harness = try harness()
        let player = harness.player
        try player.play(position: 3)
        harness.started()
        let shuffling = Task { @ServerActor in try await player.edit(.shuffle(0..<Self.count)) }
        await Task.yield()
        for _ in 0..<3 { try player.delete(Self.count / 2..<Self.count / 2 + 1) }
        harness.progress(.seconds(5))
        _ = try await shuffling.value
        #expect(player.count == Self.count - 3)
        #expect(Set(player.entries.map(\.id)).count == Self.count - 3)
        #expect(player.status.elapsed == .seconds(5))
        #expect(player.status.songPosition == 0)
    }

    @Test("They are refused as edits at once are")
    func refusals() async throws {
        let player = try harness().player
        await #expect(throws: PlayerError.self) { try await player.edit(.move(0..<5, to: Self.count)) }
        await #expect(throws: PlayerError.self) {
            try await player.edit(.insert((1...90_000).map { song($0) }, at: nil))
        }
        #expect(player.count == Self.count)
    }
}
