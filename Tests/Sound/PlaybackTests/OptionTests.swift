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
            (.options, { player.setReplayGainMode(.track) }),
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
        #expect(status.mixRampDelay == 2 && player.replayGainMode == .track)
        #expect(harness.engine.takeCalls() == [.volume(31), .crossfade(5), .replayGain(.track)])
    }

    @Test("automatic ReplayGain is per track in random order, per album otherwise")
    func replayGain() throws {
        let harness = try PlayerHarness()
        harness.player.setReplayGainMode(.auto)
        harness.player.setRandom(true)
        harness.player.setRandom(false)
        #expect(harness.engine.takeCalls() == [.replayGain(.album), .replayGain(.track), .replayGain(.album)])
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

    @Test("an underrun is counted, and clients hear nothing of it")
    func underruns() throws {
        let harness = try PlayerHarness()
        harness.engine.countUnderrun(of: 0)
        harness.player.handle(.outputsChanged)
        #expect(harness.takeChanges() == [])
        #expect(harness.engine.outputs[0].underruns == 1)
        harness.engine.countUnderrun(of: 0)
        harness.engine.setOutput(0, enabled: false)
        harness.player.handle(.outputsChanged)
        #expect(harness.takeChanges() == .output)
    }

    @Test("a device that plays what an output sends is no output to be heard by itself, and is not saved")
    func remoteOutputs() throws {
        let harness = try PlayerHarness(songs: 1...1)
        harness.engine.addOutput(
            OutputStatus(id: 2, name: "Kitchen", plugin: "snapcast", isEnabled: true, isRemote: true))
        harness.player.handle(.outputsChanged)
        #expect(harness.player.savedPlayer.outputs.map(\.name) == ["one", "two"])
        for id in 0...1 { _ = harness.player.setOutput(id, enabled: false) }
        try harness.player.play(position: 0)
        #expect(harness.state == .pause)
    }

    @Test("an attribute that is set is told even if it stays; one that can't be set is not")
    func attributes() throws {
        let harness = try PlayerHarness()
        #expect(throws: OutputAttributeError.unsupported) {
            try harness.player.setOutput(0, attribute: "bass", to: "1")
        }
        #expect(harness.takeChanges() == [])
        for _ in 1...2 {
            try harness.player.setOutput(0, attribute: "volume", to: "40")
            #expect(harness.takeChanges() == .output)
        }
        #expect(harness.engine.outputs[0].attributes == ["volume": "40"])
    }

    @Test("without an output that is on, playing pauses at once; without one since, at the next report")
    func withoutOutputs() throws {
        let harness = try PlayerHarness(songs: 1...2)
        let player = harness.player
        _ = player.setOutput(0, enabled: false)
        _ = player.setOutput(1, enabled: false)
        try player.play(position: 0)
        #expect(harness.state == .pause)
        #expect(player.status.error == "All audio outputs are disabled")
        #expect(harness.engine.takeCalls().suffix(1) == [.paused(true)])
        player.pause(false)
        #expect(harness.state == .pause)
        _ = player.setOutput(1, enabled: true)
        try player.play(position: nil)
        #expect(harness.state == .play)
        harness.started()
        _ = player.setOutput(1, enabled: false)
        _ = player.setOutput(0, enabled: true)
        harness.progress(.seconds(1))
        #expect(harness.state == .play)
        _ = player.setOutput(0, enabled: false)
        #expect(harness.state == .play)
        harness.progress(.seconds(2))
        #expect(harness.state == .pause)
        #expect(player.status.error == "Failed to open audio output")
    }

    @Test("an output that moves to another player leaves its place, and comes back to it")
    func moving() throws {
        let (one, two) = (try PlayerHarness(), try PlayerHarness())
        one.player.moveOutput(named: "two", to: two.player)
        #expect(one.takeChanges() == .output)
        // The other one has an output of that name already, so its place is taken over.
        #expect(one.player.savedPlayer.outputs.map(\.isMovedAway) == [false, true])
        two.player.moveOutput(named: "two", to: one.player)
        #expect(one.player.savedPlayer.outputs.map(\.isMovedAway) == [false, false])
        #expect(one.player.savedPlayer.outputs.map(\.name) == ["one", "two"])
    }
}
