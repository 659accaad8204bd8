import MusicModel
import ServerLoop
import Testing

@testable import Playback

@Suite("What is told to those who record plays")
@ServerActor
struct PlaybackEventTests {
    /// The events so far; `end` is done last and its `ended` marks the end of what is read.
    private func events(_ harness: PlayerHarness, _ count: Int) async -> [PlaybackEvent] {
        var events: [PlaybackEvent] = []
        var iterator = harness.player.playbackEvents.makeAsyncIterator()
        while events.count < count, let event = await iterator.next() { events.append(event) }
        return events
    }

    private func number(_ number: Int64) -> SongID { SongID(rawValue: number) }

    @Test("a play starts when it is heard, counts heard time, and ends once", .timeLimit(.minutes(1)))
    func onePlay() async throws {
        let harness = try PlayerHarness(songs: 1...2)
        try harness.player.play(position: 0)
        let first = try #require(harness.engine.playing?.play)
        harness.started()
        harness.progress(.seconds(1))
        harness.progress(.seconds(1))
        harness.player.pause(true)
        harness.player.pause(false)
        try harness.player.seekCurrent(to: .seconds(500), isRelative: false)
        harness.player.handle(.seeked(play: first, target: .seconds(500), elapsed: .seconds(500)))
        harness.progress(.seconds(502), heard: .seconds(3))
        let reading = EngineProgress(play: first, elapsed: .milliseconds(502_500), heard: .milliseconds(3500))
        harness.engine.setProgress(reading)
        try harness.player.next()
        let second = try #require(harness.engine.playing?.play)
        harness.started()
        harness.player.stop()
        harness.player.stop()
        #expect(harness.player.playtime == .milliseconds(3500))
        #expect(
            await events(harness, 12) == [
                .started(play: first, song: number(1), at: 1000),
                .heard(play: first, song: number(1), total: .seconds(1)),
                .moved(play: first, song: number(1), place: .seconds(1), isPaused: true),
                .moved(play: first, song: number(1), place: .seconds(1), isPaused: false),
                .moved(play: first, song: number(1), place: .seconds(500), isPaused: false),
                .heard(play: first, song: number(1), total: .seconds(3)),
                .heard(play: first, song: number(1), total: .milliseconds(3500)),
                .heard(play: first, song: number(1), total: .milliseconds(3500)),
                .ended(play: first, song: number(1)),
                .started(play: second, song: number(2), at: 1000),
                .heard(play: second, song: number(2), total: .zero),
                .ended(play: second, song: number(2)),
            ])
    }

    @Test("the last second before a song's own end counts as heard; each repeat is a play", .timeLimit(.minutes(1)))
    func repeats() async throws {
        let harness = try PlayerHarness(songs: 1...1)
        harness.player.setRepeat(true)
        harness.player.setSingle(.on)
        try harness.player.play(position: 0)
        let first = try #require(harness.engine.playing?.play)
        harness.started()
        harness.progress(.seconds(599))
        harness.songEnds()
        let second = try #require(harness.engine.playing?.play)
        harness.songFails()
        #expect(
            await events(harness, 7) == [
                .started(play: first, song: number(1), at: 1000),
                .heard(play: first, song: number(1), total: .seconds(599)),
                .heard(play: first, song: number(1), total: .seconds(600)),
                .ended(play: first, song: number(1)),
                .started(play: second, song: number(1), at: 1000),
                .heard(play: second, song: number(1), total: .zero),
                .ended(play: second, song: number(1)),
            ])
        #expect(first != second)
    }

    @Test("a song that was never heard, and a stream, are not plays", .timeLimit(.minutes(1)))
    func noPlays() async throws {
        let harness = try PlayerHarness(songs: 1...1)
        let player = harness.player
        try player.insert([QueueCandidate(.stream(url: "http://radio.example/", tags: []))], at: nil)
        try player.play(position: 0)
        harness.songFails()
        harness.started()
        harness.progress(.seconds(100))
        player.stop()
        try player.play(position: 0)
        harness.started()
        let play = try #require(harness.engine.playing?.play)
        #expect(await events(harness, 1) == [.started(play: play, song: number(1), at: 1000)])
    }
}
