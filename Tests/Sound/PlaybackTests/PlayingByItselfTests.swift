import MusicModel
import ServerLoop
import Testing
import TestSupport

@testable import Playback

@Suite("Pausing and going on by itself", .timeLimit(.minutes(1)))
@ServerActor
struct PlayingByItselfTests {
    @Test("the sleep timer pauses, once, and the last one that was set counts")
    func sleepTimer() async throws {
        let harness = try PlayerHarness(songs: 1...2)
        let player = harness.player
        try player.play(position: 0)
        player.setSleepTimer(after: .seconds(10))
        player.setSleepTimer(after: .seconds(3600))
        #expect(player.status.sleepsIn == .seconds(3600))
        #expect(try await harness.clock.passPause() == .seconds(3600))
        #expect(await eventually { player.status.state == .pause })
        #expect(player.status.sleepsIn == nil)
        player.pause(false)
        player.setSleepTimer(after: .seconds(1))
        player.setSleepTimer(after: nil)
        await harness.turns()
        harness.clock.pass(.seconds(1))
        await harness.turns()
        #expect(harness.state == .play && harness.clock.sleeperCount == 0)
    }

    @Test("without listeners it pauses, with the first it goes on, and a pause of the user's stays")
    func listeners() async throws {
        var settings = PlayerSettings()
        settings.pausesWithoutListeners = true
        let harness = try PlayerHarness(songs: 1...2, settings: settings)
        let (player, engine) = (harness.player, harness.engine)
        _ = player.setOutput(1, enabled: false)
        func listen(_ count: Int?) {
            engine.setListeners(count, of: 0)
            player.handle(.outputsChanged)
        }
        listen(1)
        try player.play(position: 0)
        listen(0)
        #expect(harness.state == .play)
        #expect(try await harness.clock.passPause() == .seconds(3))
        #expect(await eventually { player.status.state == .pause })
        listen(1)
        #expect(harness.state == .play)
        player.pause(true)
        listen(0)
        listen(1)
        #expect(harness.state == .pause)
        // Where there is no output at all for a while, the first listener of the next one still counts.
        player.pause(false)
        listen(0)
        try await harness.clock.passPause()
        #expect(await eventually { player.status.state == .pause })
        _ = player.setOutput(0, enabled: false)
        #expect(harness.state == .pause && player.status.error == nil)
        _ = player.setOutput(0, enabled: true)
        listen(0)
        #expect(harness.state == .pause)
        listen(1)
        #expect(harness.state == .play)
        player.pause(true)
        // A listener that can't be counted may hear it.
        player.pause(false)
        _ = player.setOutput(1, enabled: true)
        listen(0)
        #expect(player.presence.leaving == nil)
    }

    @Test("the speed is an option that is kept; what is out of bounds changes nothing")
    func speed() throws {
        let harness = try PlayerHarness(songs: 1...2)
        harness.player.setSpeed(1.5)
        for speed in [0, 0.49, 3.01, -.infinity, .nan] { harness.player.setSpeed(speed) }
        #expect(harness.player.status.speed == 1.5 && harness.player.savedPlayer.speed == 1.5)
        var saved = harness.player.savedPlayer
        saved.speed = 1e300
        #expect(saved.options.inRange.speed == 1)
    }
}
