import MusicModel
import ServerLoop
import Testing

@testable import Playback

/// What is quadratic takes many minutes here, and hits the time limit; contrib/benchmark has the figures.
@Suite("A queue of 100,000 entries", .serialized, .timeLimit(.minutes(2)))
@ServerActor
struct LargeQueueTests {
    @Test("edits and plchanges stay linear, lookups constant", arguments: [false, true])
    func edits(isRandom: Bool) throws {
        let harness = try PlayerHarness(limit: 200_000)
        let player = harness.player
        player.setRandom(isRandom)
        let songs = (1...100_000).map { song(Int64($0)) }
        try player.insert(songs, at: nil)
        try player.play(position: 50_000)
        try player.insert([song(1)], at: .absolute(50_000))
        try player.insert(Array(songs.prefix(1000)), at: .absolute(10))
        try player.delete(20..<21)
        try player.delete(30..<1030)
        try player.move(0..<1, to: .absolute(90_000))
        try player.move(90_000..<91_000, to: .absolute(0))
        try player.swap(1, 90_000)
        try player.shuffle(nil)
        try player.setPriority(3, range: 0..<100_000)
        let version = player.status.queueVersion
        try player.swap(5, 6)
        #expect(player.changes(since: version) == [5, 6])
        for _ in 0..<1000 { #expect(player.status.queueLength == 100_000) }
        let ids = player.entries.map(\.id)
        for (position, id) in ids.enumerated() where player.position(of: id) != position { Issue.record("Lost") }
        try player.next()
        player.setRandom(!isRandom)
        player.setRandom(isRandom)
        player.removeSongs(Set(stride(from: Int64(2), through: 100_000, by: 2).map { SongID(rawValue: $0) }))
        player.clear()
    }
}
