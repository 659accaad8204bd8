import MusicModel
import ServerLoop
import Testing

@testable import Playback

@Suite("A queue of 100,000 entries", .serialized)
@ServerActor
struct LargeQueueTests {
    /// Generous, since tests run unoptimised and beside others (the slowest takes 0.15 s); what is quadratic takes
    /// minutes.
    private static let allowed = Duration.seconds(3)

    private func measure(_ name: String, _ work: () throws -> Void) rethrows {
        let time = try ContinuousClock().measure(work)
        #expect(time < Self.allowed, "\(name) took \(time)")
    }

    @Test("edits and plchanges stay linear, lookups constant", arguments: [false, true])
    func edits(isRandom: Bool) throws {
        let harness = try PlayerHarness(limit: 200_000)
        let player = harness.player
        player.setRandom(isRandom)
        let songs = (1...100_000).map { song(Int64($0)) }
        try measure("fill") { try player.insert(songs, at: nil) }
        try player.play(position: 50_000)
        try measure("insert in the middle") { try player.insert([song(1)], at: .absolute(50_000)) }
        try measure("insert 1,000") { try player.insert(Array(songs.prefix(1000)), at: .absolute(10)) }
        try measure("delete") { try player.delete(20..<21) }
        try measure("delete 1,000") { try player.delete(30..<1030) }
        try measure("move") { try player.move(0..<1, to: .absolute(90_000)) }
        try measure("move 1,000") { try player.move(90_000..<91_000, to: .absolute(0)) }
        try measure("swap") { try player.swap(1, 90_000) }
        try measure("shuffle") { try player.shuffle(nil) }
        try measure("prioritise all") { try player.setPriority(3, range: 0..<100_000) }
        let version = player.status.queueVersion
        try player.swap(5, 6)
        measure("plchanges") { #expect(player.changes(since: version) == [5, 6]) }
        measure("1,000 statuses") { for _ in 0..<1000 { #expect(player.status.queueLength == 100_000) } }
        let ids = player.entries.map(\.id)
        measure("100,000 lookups") {
            for (position, id) in ids.enumerated() where player.position(of: id) != position { Issue.record("Lost") }
        }
        try measure("next") { try player.next() }
        measure("random on and off") {
            player.setRandom(!isRandom)
            player.setRandom(isRandom)
        }
        measure("remove every second song") {
            player.removeSongs(Set(stride(from: Int64(2), through: 100_000, by: 2).map { SongID(rawValue: $0) }))
        }
        measure("clear") { player.clear() }
    }
}
