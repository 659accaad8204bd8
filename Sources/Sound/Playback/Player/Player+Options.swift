package import MusicModel
import ServerLoop

/// Options and outputs; setting what is set already raises no event.
extension Player {
    /// Starts again after the last song, or not.
    package func setRepeat(_ value: Bool) { perform { $0.setRepeat(value) } }
    /// Plays in random order, or not; a song that is being played continues and comes first in a new order.
    package func setRandom(_ value: Bool) { perform { $0.setRandom(value) } }
    /// Pauses after each song, or repeats it when repeating.
    package func setSingle(_ value: OneshotOption) { perform { $0.setSingle(value) } }
    /// Removes what has been played.
    package func setConsume(_ value: OneshotOption) { perform { $0.setConsume(value) } }

    /// Sets the volume of all outputs, 0 to 100.
    package func setVolume(_ value: Int) {
        let value = min(max(value, 0), 100)
        guard value != machine.options.volume || machine.mixerVolume != nil else { return }
        perform { $0.options.volume = value }
        engine.setMixers(value)
        noticeMixers()
        announce(.mixer)
    }

    /// Sets for how long songs overlap.
    package func setCrossfade(_ seconds: Int) { perform { $0.setOption(\.crossfade, max(seconds, 0)) } }
    /// Sets the MixRamp threshold in dB.
    package func setMixRampThreshold(_ decibels: Double) { perform { $0.setOption(\.mixRampThreshold, decibels) } }
    /// Sets the MixRamp delay in seconds; nil is off.
    package func setMixRampDelay(_ seconds: Double?) { perform { $0.setOption(\.mixRampDelay, seconds) } }

    /// The speeds that songs can play at.
    package nonisolated static let speeds = 0.5...3.0

    /// Sets how many times as fast as they were recorded songs play, at the same pitch: one of `speeds`.
    package func setSpeed(_ speed: Double) {
        if Self.speeds.contains(speed) { perform { $0.setOption(\.speed, speed) } }
    }

    /// Whose ReplayGain values apply.
    package var replayGainMode: ReplayGainMode { machine.options.replayGainMode }
    /// Sets whose ReplayGain values apply.
    package func setReplayGainMode(_ mode: ReplayGainMode) { perform { $0.setOption(\.replayGainMode, mode) } }

    /// Sets what `lastloadedplaylist` says; MPD raises no event for it.
    package func setLastLoadedPlaylist(_ name: String) {
        guard name != machine.options.lastLoadedPlaylist else { return }
        perform { $0.options.lastLoadedPlaylist = name }
        noteSilently()
    }

    /// Enables, disables or toggles (nil) an output; false when there is no such output.
    package func setOutput(_ id: Int, enabled: Bool?) -> Bool {
        let outputs = engine.outputs
        if let (outputSwitch, status) = outputSwitch(id, behind: outputs) {
            outputSwitch.set(self, enabled: enabled ?? !status.isEnabled)
            return true
        }
        guard let output = outputs.first(where: { $0.id == id }) else { return false }
        let isEnabled = enabled ?? !output.isEnabled
        if isEnabled != output.isEnabled {
            engine.setOutput(id, enabled: isEnabled)
            noticeOutputs()
        }
        return true
    }

    /// Finds out whether an attribute's value would be heard, as far as that takes a moment.
    /// - Throws: `OutputAttributeError.refused` with the reason.
    package func checkOutput(_ id: Int, attribute: String, value: String) async throws(OutputAttributeError) {
        guard outputSwitch(id, behind: engine.outputs) == nil else { return }
        try await engine.checkOutput(id, attribute: attribute, value: value)
    }

    /// Sets a run-time attribute of an output; clients are told of it even if the value stays, as MPD does.
    package func setOutput(_ id: Int, attribute: String, to value: String) throws(OutputAttributeError) {
        if let (outputSwitch, _) = outputSwitch(id, behind: engine.outputs) {
            return try outputSwitch.set(self, attribute: attribute, to: value)
        }
        try engine.setOutput(id, attribute: attribute, to: value)
        noticeOutputs(always: true)
    }

    /// Hands an output over to another player, which plays through it from now on; what each plays continues.
    package func moveOutput(named name: String, to other: Player) {
        engine.moveOutput(named: name, to: other.engine)
        noticeOutputs()
        other.noticeOutputs()
    }
}
