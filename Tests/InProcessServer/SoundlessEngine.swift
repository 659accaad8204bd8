import MusicModel
import Playback
import Synchronization

/// An engine that obeys at once, without a sound and without time passing.
final class SoundlessEngine: StillEngine {
    let events: AsyncStream<AudioEngineEvent>
    private let continuation: AsyncStream<AudioEngineEvent>.Continuation
    private let state = Mutex((enabled: [true, false], current: UInt64?.none, elapsed: Duration.zero))

    init() { (events, continuation) = AsyncStream.makeStream() }

    func start(_ track: EngineTrack, at position: Duration, paused: Bool) {
        state.withLock { ($0.current, $0.elapsed) = (track.play, position) }
        continuation.yield(.started(play: track.play))
        let format = AudioFormat(sampleRate: 44_100, sample: .integer(bits: 16), channels: 2)
        continuation.yield(.info(play: track.play, format: format, duration: track.duration, bitRate: 320))
    }

    func seek(to position: Duration) {
        let current = state.withLock { state in
            state.elapsed = position
            return state.current
        }
        if let current { continuation.yield(.seeked(play: current, target: position, elapsed: position)) }
    }

    func stop() { state.withLock { $0.current = nil } }

    var progress: EngineProgress? {
        state.withLock { state in
            state.current.map { EngineProgress(play: $0, elapsed: state.elapsed, heard: state.elapsed) }
        }
    }

    var outputs: [OutputStatus] {
        state.withLock(\.enabled).enumerated().map { index, isEnabled in
            OutputStatus(id: index, name: "Nothing \(index)", plugin: "null", isEnabled: isEnabled)
        }
    }

    func setOutput(_ id: Int, enabled: Bool) {
        state.withLock { state in
            if state.enabled.indices.contains(id) { state.enabled[id] = enabled }
        }
    }

    func shutDown() async { continuation.finish() }
}
