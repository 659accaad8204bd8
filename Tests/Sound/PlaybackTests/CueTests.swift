import MusicModel
import ServerLoop
import Testing

@testable import Playback

@Suite("Going on with what another player played")
@ServerActor
struct CueTests {
    @Test("the entry is current, paused at its time, and loaded when a client goes on", arguments: [false, true])
    func cue(isRandom: Bool) throws {
        let harness = try PlayerHarness(songs: 1...5)
        harness.player.setRandom(isRandom)
        harness.forget()
        try harness.player.cue(id: id(3), at: .seconds(42))
        #expect(harness.engine.takeCalls() == [])
        #expect(harness.takeChanges().contains(.player))
        var status = harness.player.status
        #expect(status.state == .pause && status.songPosition == 2 && status.elapsed == .seconds(42))
        harness.player.pause(false)
        #expect(harness.engine.takeCalls().first == .start(source(3), at: .seconds(42), paused: false))
        status = harness.player.status
        #expect(status.state == .play && status.songPosition == 2)
        // Music that plays is left alone.
        try harness.player.cue(id: id(1), at: .zero)
        #expect(harness.player.status.songPosition == 2 && harness.player.status.state == .play)
        #expect(throws: PlayerError(.noSuchSong)) { try harness.player.cue(id: id(99), at: .zero) }
    }

    @Test("at the end of a song going on means the next one")
    func atEnd() throws {
        let harness = try PlayerHarness(songs: 1...3)
        harness.forget()
        try harness.player.cue(id: id(2), at: .seconds(9999))
        harness.player.pause(false)
        #expect(harness.player.status.songPosition == 2 && harness.player.status.error == nil)
        #expect(harness.engine.takeCalls().contains(.start(source(3), at: .zero, paused: false)))
    }

    @Test("what was paused is let go of")
    func replacesPaused() throws {
        let harness = try PlayerHarness(songs: 1...3)
        try harness.player.play(position: 0)
        harness.player.pause(true)
        harness.forget()
        try harness.player.cue(id: id(2), at: .seconds(5))
        #expect(harness.engine.takeCalls().contains(.stop))
        #expect(harness.player.status.songPosition == 1 && harness.player.status.state == .pause)
    }
}
