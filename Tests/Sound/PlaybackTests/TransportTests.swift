import MusicModel
import ServerLoop
import Testing

@testable import Playback

@Suite("Play, pause, stop, next, previous, seek")
@ServerActor
struct TransportTests {
    @Test("an empty queue: play, pause and stop do nothing, the rest is refused as MPD does")
    func empty() throws {
        let harness = try PlayerHarness()
        let player = harness.player
        try player.play(position: nil)
        try player.play(id: nil)
        player.pause(nil)
        player.stop()
        player.clear()
        #expect(throws: PlayerError(.badRange)) { try player.play(position: 0) }
        #expect(throws: PlayerError(.noSuchSong)) { try player.play(id: id(1)) }
        #expect(throws: PlayerError(.notPlaying)) { try player.next() }
        #expect(throws: PlayerError(.notPlaying)) { try player.previous() }
        #expect(throws: PlayerError(.notPlaying)) { try player.seekCurrent(to: .zero, isRelative: true) }
        #expect(throws: PlayerError(.badRange)) { try player.seek(position: 0, to: .zero) }
        #expect(throws: PlayerError(.noSuchSong)) { try player.seek(id: id(1), to: .zero) }
        #expect(harness.engine.takeCalls() == [])
        #expect(harness.takeChanges() == [])
        #expect(player.status.queueVersion == 1)
    }

    @Test("play starts the first song and prepares the next; stop keeps both in status")
    func playAndStop() throws {
        let harness = try PlayerHarness(songs: 1...3)
        try harness.player.play(position: nil)
        #expect(
            harness.engine.takeCalls() == [.start(source(1), at: .zero, paused: false), .prepare(source(2))])
        #expect(harness.takeChanges() == .player)
        var status = harness.player.status
        #expect(status.state == .play)
        #expect(status.song.map { [$0.position, Int($0.id.rawValue)] } == [0, 1])
        #expect(status.nextPosition == 1 && status.nextID == id(2))
        #expect(status.elapsed == .zero && status.duration == .seconds(600))
        try harness.player.play(position: nil)
        #expect(harness.engine.takeCalls() == [])
        #expect(harness.takeChanges() == [])
        harness.player.stop()
        #expect(harness.engine.takeCalls() == [.stop])
        #expect(harness.takeChanges() == .player)
        status = harness.player.status
        #expect(status.state == .stop && status.songPosition == 0 && status.nextPosition == 1)
        #expect(status.elapsed == nil && status.duration == nil && status.bitRate == nil)
        harness.player.stop()
        #expect(harness.takeChanges() == [])
    }

    @Test("pause toggles, and does nothing twice")
    func pausing() throws {
        let harness = try PlayerHarness(songs: 1...2)
        try harness.player.play(position: 0)
        harness.forget()
        harness.player.pause(false)
        #expect(harness.takeChanges() == [])
        harness.player.pause(nil)
        #expect(harness.state == .pause)
        harness.player.pause(true)
        #expect(harness.engine.takeCalls() == [.paused(true)])
        harness.player.pause(nil)
        #expect(harness.state == .play)
        harness.player.pause(true)
        try harness.player.play(position: nil)
        #expect(harness.state == .play)
        #expect(harness.engine.takeCalls() == [.paused(false), .paused(true), .paused(false)])
    }

    @Test("next while paused plays; behind the last song playback stops and none is current")
    func next() throws {
        let harness = try PlayerHarness(songs: 1...2)
        try harness.player.play(position: 0)
        harness.player.pause(true)
        try harness.player.next()
        #expect(harness.state == .play && harness.position == 1)
        #expect(harness.engine.playing?.source == source(2))
        try harness.player.next()
        let status = harness.player.status
        #expect(status.state == .stop && status.song == nil && status.nextID == nil)
        #expect(harness.engine.playing == nil)
        #expect(throws: PlayerError(.notPlaying)) { try harness.player.next() }
    }

    @Test("previous goes back however far the song is; at the first it starts again, repeating it wraps")
    func previous() throws {
        let harness = try PlayerHarness(songs: 1...3)
        try harness.player.play(position: 1)
        harness.progress(.seconds(300))
        try harness.player.previous()
        #expect(harness.position == 0)
        harness.forget()
        try harness.player.previous()
        #expect(harness.engine.takeCalls().first == .start(source(1), at: .zero, paused: false))
        harness.player.setRepeat(true)
        harness.player.pause(true)
        try harness.player.previous()
        #expect(harness.position == 2 && harness.state == .play)
    }

    @Test("seek when stopped plays, when paused it stays paused, also into another song")
    func seeking() throws {
        let harness = try PlayerHarness(songs: 1...3)
        try harness.player.seek(position: 1, to: .seconds(30))
        #expect(
            harness.engine.takeCalls() == [.start(source(2), at: .seconds(30), paused: false), .prepare(source(3))])
        #expect(harness.player.status.elapsed == .seconds(30))
        harness.started()
        harness.player.pause(true)
        harness.forget()
        try harness.player.seek(id: id(2), to: .seconds(40))
        #expect(harness.engine.takeCalls() == [.seek(.seconds(40))])
        #expect(harness.takeChanges() == .player)
        #expect(harness.state == .pause && harness.player.status.elapsed == .seconds(40))
        try harness.player.seek(position: 0, to: .seconds(5))
        #expect(
            harness.engine.takeCalls() == [.start(source(1), at: .seconds(5), paused: true), .prepare(source(2))])
        #expect(harness.state == .pause)
        #expect(throws: PlayerError(.badRange)) { try harness.player.seek(position: 3, to: .zero) }
    }

    @Test("a pause stands where clients were told, whatever is still heard")
    func standingPause() throws {
        let harness = try PlayerHarness(songs: 1...2)
        try harness.player.play(position: 0)
        harness.started()
        harness.progress(.seconds(3))
        let play = try #require(harness.engine.playing?.play)
        harness.engine.setProgress(
            EngineProgress(play: play, elapsed: .milliseconds(3_400), heard: .milliseconds(3_400)))
        harness.player.pause(true)
        #expect(harness.player.status.elapsed == .milliseconds(3_400))
        harness.progress(.milliseconds(3_404))
        #expect(harness.player.status.elapsed == .milliseconds(3_400))
        #expect(harness.player.savedPlayer.elapsed == .milliseconds(3_400))
        harness.player.pause(false)
        #expect(harness.player.status.elapsed == .milliseconds(3_404))
    }

    @Test("seekcur moves by the engine's clock; before the start is the start, beyond the end the next song")
    func seekingRelatively() throws {
        let harness = try PlayerHarness(songs: 1...2)
        try harness.player.play(position: 0)
        harness.started()
        harness.progress(.seconds(10))
        try harness.player.seekCurrent(to: .seconds(5), isRelative: true)
        #expect(harness.player.status.elapsed == .seconds(15))
        // Until the engine has sought, its old reading doesn't count; then it does.
        try harness.player.seekCurrent(to: .seconds(-20), isRelative: true)
        #expect(harness.player.status.elapsed == .zero)
        harness.forget()
        let play = try #require(harness.engine.playing?.play)
        harness.engine.setProgress(EngineProgress(play: play, elapsed: .milliseconds(40), heard: .seconds(10)))
        harness.player.handle(.seeked(play: play, target: .zero, elapsed: .milliseconds(40)))
        #expect(harness.takeChanges() == .buffering, "MPD's clients need not be told")
        #expect(harness.player.status.elapsed == .milliseconds(40))
        try harness.player.seekCurrent(to: .seconds(9999), isRelative: false)
        #expect(harness.position == 1 && harness.state == .play)
        try harness.player.seekCurrent(to: .seconds(9999), isRelative: false)
        #expect(harness.state == .stop && harness.position == nil)
    }

    @Test("a report from before a seek doesn't bring the old place back")
    func progressWhileSeeking() throws {
        let harness = try PlayerHarness(songs: 1...1)
        try harness.player.play(position: 0)
        harness.started()
        try harness.player.seekCurrent(to: .seconds(100), isRelative: false)
        harness.progress(.seconds(4))
        #expect(harness.player.status.elapsed == .seconds(100))
        #expect(harness.player.savedPlayer.elapsed == .seconds(100))
    }

    @Test("the answer to a seek doesn't end the seek that followed it")
    func overtakenSeek() throws {
        let harness = try PlayerHarness(songs: 1...1)
        try harness.player.play(position: 0)
        harness.started()
        try harness.player.seekCurrent(to: .seconds(40), isRelative: false)
        try harness.player.seekCurrent(to: .seconds(20), isRelative: false)
        harness.forget()
        let play = try #require(harness.engine.playing?.play)
        harness.engine.setProgress(EngineProgress(play: play, elapsed: .seconds(40), heard: .zero))
        harness.player.handle(.seeked(play: play, target: .seconds(40), elapsed: .seconds(40)))
        #expect(harness.takeChanges() == [])
        #expect(harness.player.status.elapsed == .seconds(20))
        harness.engine.setProgress(EngineProgress(play: play, elapsed: .seconds(21), heard: .zero))
        harness.player.handle(.seeked(play: play, target: .seconds(20), elapsed: .seconds(21)))
        #expect(harness.takeChanges() == .player)
        #expect(harness.player.status.elapsed == .seconds(21))
    }

    @Test("a seek that led elsewhere is told to clients")
    func failedSeek() throws {
        let harness = try PlayerHarness(songs: 1...1)
        try harness.player.play(position: 0)
        harness.started()
        try harness.player.seekCurrent(to: .seconds(100), isRelative: false)
        harness.forget()
        let play = try #require(harness.engine.playing?.play)
        harness.player.handle(.seeked(play: play, target: .seconds(100), elapsed: .seconds(3)))
        #expect(harness.takeChanges() == .player)
        #expect(harness.player.status.elapsed == .seconds(3))
    }

    @Test("a paused song that was sought beyond its end goes on with the next")
    func seekingBeyondTheEndPaused() throws {
        let harness = try PlayerHarness(songs: 1...3)
        try harness.player.play(position: 0)
        harness.player.pause(true)
        try harness.player.seekCurrent(to: .seconds(9999), isRelative: false)
        #expect(harness.state == .pause && harness.position == 0)
        #expect(harness.player.status.elapsed == .seconds(600))
        harness.player.pause(false)
        #expect(harness.state == .play && harness.position == 1)
        harness.player.pause(true)
        try harness.player.seek(position: 2, to: .seconds(9999))
        #expect(harness.state == .pause && harness.position == 2 && harness.engine.playing == nil)
        try harness.player.seekCurrent(to: .seconds(1), isRelative: false)
        try harness.player.play(position: nil)
        #expect(harness.engine.playing?.source == source(3))
        #expect(harness.player.status.elapsed == .seconds(1))
    }

    @Test("a song of unknown length is sought to wherever the client says")
    func unknownLength() throws {
        let harness = try PlayerHarness()
        try harness.player.insert([song(1, seconds: nil), song(2, seconds: 0)], at: nil)
        try harness.player.play(position: 0)
        harness.forget()
        try harness.player.seekCurrent(to: .seconds(9999), isRelative: false)
        #expect(harness.engine.takeCalls() == [.seek(.seconds(9999))])
        let play = try #require(harness.engine.playing?.play)
        harness.player.handle(.info(play: play, format: nil, duration: .seconds(50), bitRate: 320))
        #expect(harness.player.status.duration == .seconds(50) && harness.player.status.bitRate == 320)
        try harness.player.seekCurrent(to: .seconds(60), isRelative: false)
        #expect(harness.position == 1 && harness.player.status.duration == nil)
    }

    @Test("single pauses on the next song; oneshot then switches itself off")
    func single() throws {
        let harness = try PlayerHarness(songs: 1...3)
        harness.player.setSingle(.on)
        try harness.player.play(position: 0)
        harness.started()
        #expect(harness.engine.prepared == nil)
        #expect(harness.player.status.nextPosition == 1)
        harness.forget()
        harness.songEnds()
        #expect(harness.state == .pause && harness.position == 1)
        #expect(harness.engine.takeCalls() == [.start(source(2), at: .zero, paused: true)])
        #expect(harness.takeChanges() == .player)
        harness.player.setSingle(.oneshot)
        harness.player.pause(false)
        harness.forget()
        harness.songEnds()
        #expect(harness.state == .pause && harness.position == 2)
        #expect(harness.player.status.single == .off)
        #expect(harness.takeChanges() == [.player, .options])
    }

    @Test("single doesn't hold up next, and after the last song playback stops")
    func singleAndNext() throws {
        let harness = try PlayerHarness(songs: 1...2)
        harness.player.setSingle(.on)
        harness.player.setRepeat(true)
        try harness.player.play(position: 0)
        try harness.player.next()
        #expect(harness.position == 1)
        try harness.player.next()
        #expect(harness.position == 0)
        harness.player.setRepeat(false)
        try harness.player.play(position: 1)
        harness.started()
        harness.songEnds()
        #expect(harness.state == .stop && harness.position == nil)
    }

    @Test("repeat with single repeats the song, repeat alone the queue")
    func repeating() throws {
        let harness = try PlayerHarness(songs: 1...2)
        harness.player.setRepeat(true)
        try harness.player.play(position: 1)
        #expect(harness.player.status.nextPosition == 0)
        harness.started()
        harness.songEnds()
        #expect(harness.position == 0)
        harness.player.setSingle(.on)
        #expect(harness.player.status.nextPosition == 0)
        for _ in 0..<3 {
            let before = harness.engine.playing?.play
            harness.songEnds()
            #expect(harness.position == 0 && harness.state == .play)
            #expect(harness.engine.playing?.play != before)
        }
    }

    @Test("consume removes what was played or skipped; previous then stays")
    func consume() throws {
        let harness = try PlayerHarness(songs: 1...4)
        harness.player.setConsume(.on)
        try harness.player.play(position: 0)
        harness.started()
        harness.forget()
        try harness.player.next()
        #expect(harness.songs == [2, 3, 4] && harness.position == 0)
        #expect(harness.takeChanges() == [.player, .queue])
        try harness.player.previous()
        #expect(harness.songs == [2, 3, 4] && harness.currentSong == 2)
        harness.songEnds()
        #expect(harness.songs == [3, 4] && harness.currentSong == 3)
        harness.player.setConsume(.oneshot)
        harness.forget()
        harness.songEnds()
        #expect(harness.songs == [4] && harness.player.status.consume == .off)
        #expect(harness.takeChanges() == [.player, .queue, .options])
        harness.player.setConsume(.on)
        harness.player.setRepeat(true)
        #expect(harness.player.status.nextPosition == nil)
        harness.songEnds()
        #expect(harness.songs == [] && harness.state == .stop)
    }

    @Test("playing a song again starts it again")
    func playAgain() throws {
        let harness = try PlayerHarness(songs: 1...2)
        try harness.player.play(position: 0)
        harness.started()
        harness.progress(.seconds(50))
        try harness.player.play(position: 0)
        #expect(harness.player.status.elapsed == .zero)
        try harness.player.play(id: id(2))
        #expect(harness.position == 1)
    }

    @Test("a song that is started says whether it is next to the one that played, on its album, before it or behind it")
    func neighbours() throws {
        var settings = PlayerSettings()
        // Songs 1 to 3 are an album.
        settings.transitions.joins = { $1.rawValue == $0.rawValue + 1 && $1.rawValue < 4 }
        let harness = try PlayerHarness(songs: 1...4, settings: settings)
        func follows(_ position: Int) throws -> Bool? {
            try harness.player.play(position: position)
            return harness.engine.playing?.followsOnAlbum
        }
        harness.player.setCrossfade(3)
        #expect(try follows(0) == false, "nothing played before")
        #expect(try follows(1) == true)
        #expect(try follows(0) == true)
        #expect(try follows(2) == false)
        #expect(try follows(3) == false)
        harness.player.setCrossfade(0)
        #expect(try follows(2) == false && follows(1) == false, "without a crossfade it doesn't matter")
    }

    @Test("where songs of an album overlap, too, their beats are not matched, and others' are")
    func albumBeats() throws {
        let grid = BeatGrid(beat: 0, period: 0.5, confidence: 1)
        var settings = PlayerSettings()
        settings.transitions.joins = { $1.rawValue == $0.rawValue + 1 && $1.rawValue < 4 }
        settings.transitions.beats = { _ in SongBeats(head: grid, tail: grid) }
        for crossfades in [false, true] {
            settings.transitions.crossfadesAlbums = crossfades
            let harness = try PlayerHarness(songs: 1...5, settings: settings)
            harness.player.setCrossfade(3)
            try harness.player.play(position: 0)
            harness.started()
            var heads: [Bool] = []
            for _ in 0..<4 {
                let next = try #require(harness.engine.prepared)
                heads.append(next.measuredBeats?.head != nil)
                #expect(next.measuredBeats?.tail != nil)
                #expect(next.followsOnAlbum == (!crossfades && heads.count < 3))
                harness.songEnds()
            }
            #expect(heads == [false, false, true, true])
            try harness.player.play(position: 1)
            #expect(harness.engine.playing?.followsOnAlbum == false, "it did not play before")
            try harness.player.play(position: 2)
            #expect(harness.engine.playing?.followsOnAlbum == !crossfades)
        }
    }
}
