import MusicModel
import ServerLoop
import Testing

@testable import Playback

@Suite("Options and outputs")
@ServerActor
struct OptionTests {
    @Test("an option raises its event once, and none when it is set already")
    func events() throws {
        let harness = try PlayerHarness(songs: 1...2)
        let player = harness.player
        let settings: [(Subsystem, () -> Void)] = [
            (.options, { player.setRepeat(true) }), (.options, { player.setRandom(true) }),
            (.options, { player.setSingle(.oneshot) }), (.options, { player.setConsume(.on) }),
            (.mixer, { player.setVolume(31) }), (.options, { player.setCrossfade(5) }),
            (.options, { player.setMixRampThreshold(-3) }), (.options, { player.setMixRampDelay(2) }),
            (.options, { player.setReplayGainMode("track") }),
        ]
        for (subsystem, set) in settings {
            set()
            #expect(harness.takeChanges() == subsystem)
            set()
            #expect(harness.takeChanges() == [])
        }
        let status = player.status
        #expect(status.isRepeating && status.isRandom && status.single == .oneshot && status.consume == .on)
        #expect(status.volume == 31 && status.crossfade == 5 && status.mixRampThreshold == -3)
        #expect(status.mixRampDelay == 2 && player.replayGainMode == "track")
        #expect(harness.engine.takeCalls() == [.volume(31), .crossfade(5), .replayGain("track")])
    }

    @Test("automatic ReplayGain is per track in random order, per album otherwise")
    func replayGain() throws {
        let harness = try PlayerHarness()
        harness.player.setReplayGainMode("auto")
        harness.player.setRandom(true)
        harness.player.setRandom(false)
        #expect(harness.engine.takeCalls() == [.replayGain("album"), .replayGain("track"), .replayGain("album")])
    }

    @Test("outputs are switched and toggled, and clients hear of it once")
    func outputs() throws {
        let harness = try PlayerHarness()
        #expect(!harness.player.setOutput(7, enabled: true))
        #expect(harness.player.setOutput(0, enabled: true))
        #expect(harness.takeChanges() == [])
        #expect(harness.player.setOutput(0, enabled: nil))
        #expect(harness.takeChanges() == .output)
        #expect(harness.engine.outputs.map(\.isEnabled) == [false, true])
        harness.player.handle(.outputsChanged)
        #expect(harness.takeChanges() == [])
        harness.engine.setOutput(1, enabled: false)
        harness.player.handle(.outputsChanged)
        #expect(harness.takeChanges() == .output)
    }
}
