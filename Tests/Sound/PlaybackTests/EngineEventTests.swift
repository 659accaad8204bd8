import MusicModel
import ServerLoop
import TestSupport
import Testing

@testable import Playback

@Suite("What the engine reports")
@ServerActor
struct EngineEventTests {
    @Test("the prepared song joins on: it becomes current and the one after it is prepared")
    func joining() throws {
        let harness = try PlayerHarness(songs: 1...3)
        try harness.player.play(position: 0)
        harness.started()
        let next = try #require(harness.engine.prepared)
        let format = AudioFormat(sampleRate: 96_000, sample: .integer(bits: 24), channels: 2)
        harness.player.handle(.info(play: next.play, format: format, duration: .seconds(61), bitRate: 1411))
        harness.forget()
        harness.songEnds()
        #expect(harness.takeChanges() == .player)
        #expect(harness.engine.takeCalls() == [.prepare(source(3))])
        let status = harness.player.status
        #expect(status.songPosition == 1 && status.elapsed == .zero && status.duration == .seconds(61))
        #expect(status.audioFormat == format && status.bitRate == 1411)
        harness.songEnds()
        #expect(harness.engine.takeCalls() == [.prepare(nil)] || harness.engine.prepared == nil)
        harness.songEnds()
        #expect(harness.state == .stop && harness.position == nil)
    }

    @Test("only what clients can see raises an event")
    func events() throws {
        let harness = try PlayerHarness(songs: 1...2)
        try harness.player.play(position: 0)
        let play = try #require(harness.engine.playing?.play)
        harness.forget()
        let count = harness.player.playerChangeCount
        harness.progress(.seconds(1))
        harness.player.handle(.buffering(play: play, true))
        harness.player.handle(.info(play: play, format: nil, duration: nil, bitRate: 200))
        #expect(harness.takeChanges() == [])
        #expect(harness.player.playerChangeCount == count)
        harness.started()
        #expect(harness.takeChanges() == .player)
        harness.started()
        #expect(harness.takeChanges() == [])
        harness.player.handle(.info(play: play, format: nil, duration: .seconds(9), bitRate: nil))
        #expect(harness.takeChanges() == .player)
        harness.player.handle(.info(play: play, format: nil, duration: .seconds(9), bitRate: nil))
        #expect(harness.takeChanges() == [])
        #expect(harness.player.playerChangeCount == count + 2)
    }

    @Test("that a song sounds is told where its format is not known yet, or where it comes late")
    func soundAfterFormat() async throws {
        let harness = try PlayerHarness(songs: 1...2)
        let format = AudioFormat(sampleRate: 44_100, sample: .integer(bits: 16), channels: 2)
        for (delay, told) in [(0, Subsystem.buffering), (240, .buffering), (260, [.buffering, .player])] {
            try harness.player.play(position: 0)
            let play = try #require(harness.engine.playing?.play)
            harness.player.handle(.info(play: play, format: format, duration: nil, bitRate: nil))
            harness.forget()
            harness.clock.pass(.milliseconds(delay))
            harness.started()
            #expect(harness.takeChanges() == told, "after \(delay) ms")
        }
        try harness.player.play(position: 0)
        harness.forget()
        harness.started()
        #expect(harness.takeChanges() == .player)
    }

    @Test("a song that its server converts is told as such, and the next one is not")
    func conversion() throws {
        let harness = try PlayerHarness(songs: 1...3)
        try harness.player.play(position: 0)
        let play = try #require(harness.engine.playing?.play)
        harness.player.handle(.converted(play: play))
        harness.player.handle(.info(play: play, format: nil, duration: nil, bitRate: 320))
        harness.started()
        #expect(harness.player.status.isConverted)
        harness.player.handle(.converted(play: 99))
        harness.songEnds()
        #expect(!harness.player.status.isConverted)
    }

    @Test("a player that waits for sound says so, and no client of MPD's protocol hears of it")
    func buffering() throws {
        let harness = try PlayerHarness(songs: 1...2)
        #expect(!harness.player.status.isBuffering)
        try harness.player.play(position: 0)
        #expect(harness.player.status.isBuffering && harness.state == .play, "it has not begun")
        harness.started()
        #expect(!harness.player.status.isBuffering)
        let play = try #require(harness.engine.playing?.play)
        let next = try #require(harness.engine.prepared?.play)
        let count = harness.player.playerChangeCount
        for awaited in [play, next] {
            harness.forget()
            harness.player.handle(.buffering(play: awaited, true))
            #expect(harness.player.status.isBuffering && harness.state == .play)
            #expect(harness.takeChanges() == .buffering)
            harness.player.handle(.buffering(play: awaited, true))
            #expect(harness.takeChanges() == [])
            harness.player.handle(.buffering(play: awaited, false))
            #expect(!harness.player.status.isBuffering && harness.takeChanges() == .buffering)
        }
        #expect(harness.player.playerChangeCount == count, "nothing is to be saved")
        #expect(Subsystem.everything.isDisjoint(with: .buffering))
        harness.player.handle(.buffering(play: play, true))
        harness.player.pause(true)
        #expect(!harness.player.status.isBuffering, "a pause waits for nothing")
        harness.player.pause(false)
        #expect(harness.player.status.isBuffering)
        harness.songEnds()
        #expect(!harness.player.status.isBuffering, "the next song sounds")
        harness.player.handle(.buffering(play: play, true))
        #expect(!harness.player.status.isBuffering, "a play that is over is not waited for")
    }

    @Test("a seek is waited for until the engine has carried it out")
    func seeking() throws {
        let harness = try PlayerHarness(songs: 1...1)
        try harness.player.play(position: 0)
        harness.started()
        let play = try #require(harness.engine.playing?.play)
        try harness.player.seek(position: 0, to: .seconds(30))
        #expect(harness.player.status.isBuffering)
        harness.forget()
        harness.player.handle(.seeked(play: play, target: .seconds(30), elapsed: .seconds(30)))
        #expect(!harness.player.status.isBuffering && harness.takeChanges() == .buffering)
    }

    @Test("reports about plays that are over are ignored")
    func stale() throws {
        let harness = try PlayerHarness(songs: 1...3)
        try harness.player.play(position: 0)
        let old = try #require(harness.engine.playing?.play)
        let oldNext = try #require(harness.engine.prepared?.play)
        try harness.player.play(position: 2)
        harness.forget()
        for play in [old, oldNext, 0, 999] {
            harness.player.handle(.started(play: play))
            harness.player.handle(.finished(play: play))
            harness.player.handle(.failed(play: play, message: "Too late"))
            harness.player.handle(.seeked(play: play, target: .seconds(1), elapsed: .seconds(1)))
            harness.player.handle(.progress(play: play, elapsed: .seconds(99), heard: .seconds(99)))
            harness.player.handle(.info(play: play, format: nil, duration: .seconds(1), bitRate: 1))
            harness.player.handle(.streamTags(play: play, [TagValue(.title, "Old")]))
        }
        #expect(harness.takeChanges() == [] && harness.engine.takeCalls() == [])
        #expect(harness.position == 2 && harness.player.status.error == nil)
    }

    @Test("an engine that went on to a song which is no longer next is put right")
    func withdrawn() throws {
        let harness = try PlayerHarness(songs: 1...3)
        try harness.player.play(position: 0)
        harness.started()
        let taken = try #require(harness.engine.joinPrepared())
        try harness.player.delete(1..<2)
        harness.forget()
        harness.player.handle(.started(play: taken.play))
        #expect(harness.engine.takeCalls() == [.start(source(3), at: .zero, paused: false)])
        #expect(harness.currentSong == 3 && harness.state == .play)
    }

    @Test("a broken song is told and skipped, and the error stays until a client plays or clears it")
    func failing() throws {
        let harness = try PlayerHarness(songs: 1...4)
        try harness.player.play(position: 0)
        harness.songFails("The server does not answer.")
        #expect(harness.currentSong == 2 && harness.state == .play)
        #expect(harness.player.status.error == "The server does not answer.")
        #expect(harness.takeChanges().contains(.player))
        harness.player.clearError()
        #expect(harness.player.status.error == nil && harness.takeChanges() == .player)
        harness.player.clearError()
        #expect(harness.takeChanges() == [])
        harness.songFails()
        try harness.player.next()
        #expect(harness.player.status.error == nil && harness.currentSong == 4)
        harness.songFails("Again")
        #expect(harness.state == .stop && harness.position == nil && harness.player.status.error == "Again")
    }

    @Test("a song that breaks while paused leaves the next one paused")
    func failingPaused() throws {
        let harness = try PlayerHarness(songs: 1...2)
        try harness.player.play(position: 0)
        harness.player.pause(true)
        harness.songFails()
        #expect(harness.currentSong == 2 && harness.state == .pause)
        #expect(harness.engine.takeCalls().last == .start(source(2), at: .zero, paused: true))
    }

    @Test(
        "a queue of nothing but broken songs ends in stop",
        arguments: [(false, false), (true, false), (false, true), (true, true)], OneshotOption.allValues)
    func allBroken(modes: (isRepeating: Bool, isRandom: Bool), single: OneshotOption) throws {
        let harness = try PlayerHarness(songs: 1...5)
        harness.player.setRepeat(modes.isRepeating)
        harness.player.setRandom(modes.isRandom)
        harness.player.setSingle(single)
        try harness.player.play(position: nil)
        var failures = 0
        while harness.engine.playing != nil, failures < 100 {
            harness.songFails("Broken")
            failures += 1
        }
        #expect(failures <= 5)
        #expect(harness.state == .stop && harness.player.status.error == "Broken")
    }

    @Test("songs that start and break off at once end in stop as well; one that is heard counts anew")
    func breakingOff() throws {
        let harness = try PlayerHarness(songs: 1...3)
        harness.player.setRepeat(true)
        try harness.player.play(position: 0)
        for _ in 0..<2 {
            harness.started()
            harness.songFails()
        }
        harness.started()
        harness.songEnds()
        #expect(harness.state == .play)
        for expected in [SavedPlayer.State.play, .play, .stop] {
            harness.started()
            harness.songFails()
            #expect(harness.state == expected)
        }
    }

    @Test("a song that can't be prepared is tried once more when its turn comes")
    func failingAhead() throws {
        let harness = try PlayerHarness(songs: 1...3)
        try harness.player.play(position: 0)
        harness.started()
        let next = try #require(harness.engine.prepared)
        harness.forget()
        harness.player.handle(.failed(play: next.play, message: "Not yet"))
        #expect(harness.player.status.error == nil && harness.currentSong == 1)
        #expect(harness.engine.takeCalls() == [])
        let play = try #require(harness.engine.playing?.play)
        harness.player.handle(.finished(play: play))
        #expect(harness.currentSong == 2 && harness.state == .play)
        #expect(harness.engine.takeCalls() == [.start(source(2), at: .zero, paused: false), .prepare(source(3))])
    }

    @Test("a stream that names what it plays changes its entry")
    func streamTags() throws {
        let harness = try PlayerHarness()
        let known = [TagValue(.name, "Radio"), TagValue(.genre, "Talk")]
        try harness.player.insert([QueueCandidate(.stream(url: "http://radio.example/", tags: known))], at: nil)
        try harness.player.play(position: 0)
        let play = try #require(harness.engine.playing)
        #expect(play.source == .stream(url: "http://radio.example/"))
        harness.started()
        let version = harness.player.status.queueVersion
        harness.forget()
        let titles = [TagValue(.title, "Song"), TagValue(.name, "Radio One")]
        harness.player.handle(.streamTags(play: play.play, titles))
        #expect(harness.takeChanges() == [.player, .queue])
        #expect(harness.player.status.queueVersion == version + 1)
        #expect(harness.player.changes(since: version) == [0])
        let tags = [TagValue(.genre, "Talk")] + titles
        #expect(harness.player.entries[0].item == .stream(url: "http://radio.example/", tags: tags))
        harness.player.handle(.streamTags(play: play.play, titles))
        #expect(harness.takeChanges() == [])
    }

    @Test("events arrive by the engine's stream, until the task is cancelled")
    func running() async throws {
        let harness = try PlayerHarness(songs: 1...2)
        try harness.player.play(position: 0)
        let play = try #require(harness.engine.playing?.play)
        let task = Task { @ServerActor in await harness.player.run() }
        harness.engine.send(.started(play: play))
        harness.engine.send(.finished(play: play))
        let deadline = ContinuousClock.now + .seconds(30)
        while harness.position != 1, ContinuousClock.now < deadline { await Task.yield() }
        #expect(harness.position == 1)
        task.cancel()
        await task.value
    }

    @Test("the next three songs are fetched ahead, whenever they change, while something plays")
    func prefetching() throws {
        let harness = try PlayerHarness(songs: 1...5)
        #expect(harness.provider.prefetched == [])
        func last() -> [Int64]? { harness.provider.prefetched.last?.map(\.rawValue) }
        try harness.player.play(position: 0)
        #expect(last() == [2, 3, 4])
        harness.player.pause(true)
        #expect(harness.provider.prefetched.count == 1)
        try harness.player.delete(2..<3)
        #expect(last() == [2, 4, 5])
        try harness.player.next()
        #expect(last() == [4, 5])
        harness.player.setRepeat(true)
        #expect(last() == [4, 5, 1])
        harness.player.setSingle(.on)
        #expect(last() == [2])
        harness.player.setSingle(.off)
        try harness.player.play(position: 3)
        #expect(last() == [1, 2, 4])
        harness.player.stop()
        #expect(last() == [])
    }
}

extension OneshotOption {
    static let allValues: [OneshotOption] = [.off, .on, .oneshot]
}
