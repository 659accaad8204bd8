import MusicModel
import ServerLoop
import TestSupport
import Testing

@testable import Playback

@Suite("Random orders of a huge queue")
@ServerActor
struct HugeOrderTests {
    private static let count = Player.hugeQueue

    private func harness() async throws -> PlayerHarness {
        let harness = try PlayerHarness(songs: 1...Int64(Self.count), limit: Self.count)
        try await harness.player.edit(.all()) { $0.setRandom(true) }
        return harness
    }

    /// The order's beginning, by which orders are told apart.
    private func order(_ player: Player) -> [Int] { (0..<200).map { player.machine.ordering.order.position(at: $0) } }

    private func isComplete(_ player: Player) -> Bool {
        Set((0..<Self.count).map { player.machine.ordering.order.position(at: $0) }).count == Self.count
    }

    @Test("Stopping makes a new one beside the event loop, not on it")
    func stopping() async throws {
        let harness = try await harness()
        let player = harness.player
        try player.play(position: 7)
        let before = order(player)
        player.stop()
        #expect(order(player) == before)
        try await eventually("a new order") { @ServerActor in order(player) != before }
        #expect(isComplete(player))
        #expect(player.status.songPosition == 7)
    }

    @Test("What was played since the order was to be a new one keeps its place in it")
    func playedMeanwhile() async throws {
        let harness = try await harness()
        let player = harness.player
        try player.play(position: 7)
        player.stop()
        try player.play(position: nil)
        try player.next()
        let known = player.machine.current
        let current = try #require(known)
        let before = order(player)
        try await eventually("a new order") { @ServerActor in order(player) != before }
        #expect(order(player).prefix(current + 1) == before.prefix(current + 1))
        #expect(isComplete(player))
        #expect(player.machine.current == current)
        let next = try #require(player.status.nextID)
        #expect(player.machine.prepared?.entry == next)
    }

    @Test("The next one begins with the song that was named as the next, others follow in a new order")
    func wrapping() async throws {
        let harness = try await harness()
        let player = harness.player
        player.setRepeat(true)
        player.stop()
        try player.play(position: 0)
        #expect(player.status.songPosition == 0)
        // The last of the order: everything else counts as played.
        player.perform { machine in
            machine.ordering.order.move(0, to: Self.count - 1)
            machine.current = Self.count - 1
        }
        let first = try #require(player.status.nextID)
        let before = order(player)
        try player.next()
        #expect(player.current?.entry.id == first)
        #expect(player.machine.current == 0)
        try await eventually("a new order") { @ServerActor in
            order(player).dropFirst().prefix(100) != before.prefix(100)
        }
        #expect(player.current?.entry.id == first)
        #expect(player.machine.current == 0)
        #expect(isComplete(player))
    }

    @Test("A client that plays and stops all the while has one made at a time, and edits don't wait for all of them")
    func stoppingAgainAndAgain() async throws {
        let harness = try await harness()
        let player = harness.player
        for place in 0..<200 {
            try player.play(position: place)
            player.stop()
            await Task.yield()
        }
        try await player.edit { try $0.delete(5..<6) }
        #expect(player.count == Self.count - 1)
        try await eventually("the last order") { @ServerActor in !player.largeEdits.isRenewingOrder }
        let isAwaited = player.machine.ordering.isOutdated
        #expect(!isAwaited)
        #expect(Set((0..<player.count).map { player.machine.ordering.order.position(at: $0) }).count == player.count)
    }

    @Test("Priorities come first in the new one")
    func priorities() async throws {
        let harness = try await harness()
        let player = harness.player
        try await player.edit { try $0.setPriority(9, range: 500..<600) }
        try player.play(position: 7)
        let before = order(player)
        player.stop()
        try await eventually("a new order") { @ServerActor in order(player) != before }
        #expect(Set(order(player).prefix(100)) == Set(500..<600))
    }
}
