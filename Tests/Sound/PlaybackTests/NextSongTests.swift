import MusicModel
import ServerLoop
import Testing

@testable import Playback

/// Whatever clients did before: what `status` names as next is what plays when the song ends.
@Suite("The next song")
@ServerActor
struct NextSongTests {
    private static let singles: [OneshotOption] = [.off, .on, .oneshot]

    @Test("after random commands, the song that was named as next follows, or playback ends", arguments: 1...60)
    func isNamed(seed: UInt64) throws {
        let harness = try PlayerHarness(songs: 1...7, seed: seed)
        var generator = OrderGenerator(seed: seed &* 7919)
        var ends = 0
        for step in 0..<400 {
            if harness.state == .play, Int.random(in: 0..<3, using: &generator) == 0 {
                harness.started()
                let named = harness.player.status.nextID
                let single = harness.player.status.single
                let isRepeating = harness.player.status.isRepeating
                harness.songEnds()
                ends += 1
                let status = harness.player.status
                let place = "step \(step), seed \(seed)"
                #expect(status.songID == named, "\(place)")
                let pauses = single != .off && !isRepeating
                #expect(status.state == (named == nil ? .stop : pauses ? .pause : .play), "\(place)")
            } else {
                act(harness, &generator)
            }
            try checkNext(harness, "step \(step), seed \(seed)")
        }
        #expect(ends > 10)
    }

    /// The next song has a position, and while music plays it is what the engine has prepared.
    private func checkNext(_ harness: PlayerHarness, _ place: String) throws {
        let status = harness.player.status
        #expect((status.nextID == nil) == (status.nextPosition == nil), "\(place)")
        if let position = status.nextPosition { #expect(harness.player.entries[position].id == status.nextID) }
        guard status.state != .stop, let playing = harness.engine.playing else { return }
        #expect(playing.source == source(try #require(harness.currentSong)), "\(place)")
        let isJoined = status.single == .off || status.isRepeating
        let expected = isJoined ? status.nextPosition.flatMap { harness.player.entries[$0].songID } : nil
        #expect(harness.engine.prepared?.source == expected.map { .song($0) }, "\(place)")
    }

    private func act(_ harness: PlayerHarness, _ generator: inout OrderGenerator) {
        let player = harness.player
        let count = player.count
        func some(_ limit: Int) -> Int { limit > 0 ? Int.random(in: 0..<limit, using: &generator) : 0 }
        func one() -> Range<Int> {
            let place = some(count)
            return place..<place + 1
        }
        func choice() -> OneshotOption { Self.singles[some(3)] }
        // Many of these are refused, which must leave everything as it was.
        switch some(20) {
        case 0, 1: try? player.play(position: some(count))
        case 2: try? player.play(position: nil)
        case 3: player.pause(nil)
        case 4: if some(4) == 0 { player.stop() }
        case 5: try? player.next()
        case 6: try? player.previous()
        case 7: player.setRandom(some(2) == 0)
        case 8: player.setRepeat(some(2) == 0)
        case 9: player.setSingle(choice())
        case 10: player.setConsume(choice())
        case 11: try? player.setPriority(some(4) * 10, range: one())
        case 12: try? player.delete(one())
        case 13: if let current = player.current { try? player.delete(current.position..<current.position + 1) }
        case 14: try? player.move(one(), to: .absolute(some(count)))
        case 15: if let current = player.current { try? player.move(id: current.entry.id, to: .absolute(some(count))) }
        case 16: try? player.swap(some(count), some(count))
        case 17: try? player.shuffle(nil)
        case 18: try? player.seekCurrent(to: .seconds(some(700)), isRelative: false)
        default:
            let songs = (0..<some(4)).map { _ in song(Int64(some(90) + 1)) }
            _ = try? player.insert(songs, at: some(2) == 0 ? nil : .absolute(some(count + 1)))
        }
    }
}
