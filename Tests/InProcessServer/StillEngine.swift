package import Playback

/// An engine for tests that does nothing; one that adopts this says only what it does.
package protocol StillEngine: AudioEngine {}

extension StillEngine {
    /// Nothing is prepared.
    package func prepareNext(_ track: EngineTrack?) {}
    /// Nothing moves.
    package func seek(to position: Duration) {}
    /// Nothing pauses.
    package func setPaused(_ isPaused: Bool) {}
    /// Nothing plays.
    package func stop() {}
    /// There is nothing to hear.
    package func set(_ option: EngineOption) {}
    /// There are no mixers.
    package func setMixers(_ volume: Int) {}
    /// There are no mixers.
    package func volume(software: Int) -> Int { software }
    /// There are no streams.
    package func keepReady(streams: [String]) {}
    /// There are no streams.
    package func networkIsBack() {}
    /// There are no outputs.
    package func checkOutput(_ id: Int, attribute: String, value: String) async throws(OutputAttributeError) {}
    /// There are no outputs.
    package func setOutput(_ id: Int, attribute: String, to value: String) throws(OutputAttributeError) {
        throw .unsupported
    }
    /// Nothing plays.
    package var progress: EngineProgress? { nil }
    /// There are none.
    package var outputs: [OutputStatus] { [] }
    /// Outputs stay as they are.
    package func setOutput(_ id: Int, enabled: Bool) {}
    /// Outputs stay where they are.
    package func moveOutput(named name: String, to other: any AudioEngine) {}
    /// There is nothing to end.
    package func shutDown() async {}
}
