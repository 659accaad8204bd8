import MusicModel
import Testing

@testable import Sync

@Suite("When a play counts")
struct ScrobbleTrackerTests {
    private let song = SongID(rawValue: 7)

    @Test(
        "half of the song, or four minutes",
        arguments: [(10, 5), (29, 14.5), (300, 150), (480, 240), (3_600, 240), (0, 240)] as [(Int, Double)])
    func thresholds(length: Int, threshold: Double) {
        #expect(ScrobbleTracker.threshold(forLength: .seconds(length)) == .seconds(threshold))
    }

    @Test("a song of unknown length needs four minutes")
    func unknownLength() {
        #expect(ScrobbleTracker.threshold(forLength: nil) == .seconds(240))
    }

    @Test("a play counts once, with the time of its start")
    func once() throws {
        var tracker = ScrobbleTracker()
        tracker.start(1, song: song, at: 1_700_000_000_123)
        #expect(tracker.due(1, heard: .seconds(500)) == nil)
        tracker.setLength(.seconds(100), of: 1)
        #expect(tracker.due(1, heard: .seconds(49)) == nil)
        let due = try #require(tracker.due(1, heard: .seconds(50)))
        #expect(due.startedAt == 1_700_000_000_123)
        tracker.count(1)
        #expect(tracker.due(1, heard: .seconds(100)) == nil)
        tracker.end(1)
        #expect(tracker.plays.isEmpty)
        #expect(tracker.due(1, heard: .seconds(100)) == nil)
    }

    @Test("the same song again is a play of its own")
    func again() {
        var tracker = ScrobbleTracker()
        for play in [UInt64(1), 2] {
            tracker.start(play, song: song, at: Int64(play))
            tracker.setLength(.seconds(10), of: play)
            #expect(tracker.due(play, heard: .seconds(6))?.startedAt == Int64(play))
            tracker.count(play)
        }
    }
}
