import MusicModel
import Synchronization

@testable import Playback

/// An engine without sound: it notes what it is told, and a test says what it reports.
final class FakeAudioEngine: AudioEngine {
    enum Call: Hashable, Sendable {
        case start(EngineTrack.Source, at: Duration, paused: Bool)
        case prepare(EngineTrack.Source?)
        case seek(Duration)
        case paused(Bool)
        case stop
        case volume(Int)
        case crossfade(Int)
        case replayGain(EngineReplayGainMode)
    }

    private struct State {
        var calls: [Call] = []
        var playing: EngineTrack?
        var prepared: EngineTrack?
        var progress: EngineProgress?
        var outputs: [OutputStatus] = []
    }

    let events: AsyncStream<AudioEngineEvent>
    private let continuation: AsyncStream<AudioEngineEvent>.Continuation
    private let state = Mutex(State())

    init(outputs: [String] = ["one"]) {
        (events, continuation) = AsyncStream.makeStream()
        let statuses = outputs.enumerated().map {
            OutputStatus(id: $0.offset, name: $0.element, plugin: "null", isEnabled: true)
        }
        state.withLock { $0.outputs = statuses }
    }

    // What a test sees.

    /// What the engine was told since the last call.
    func takeCalls() -> [Call] {
        state.withLock { state in
            defer { state.calls = [] }
            return state.calls
        }
    }

    var playing: EngineTrack? { state.withLock { $0.playing } }
    var prepared: EngineTrack? { state.withLock { $0.prepared } }

    /// Sends an event by way of the stream.
    func send(_ event: AudioEngineEvent) { continuation.yield(event) }

    func addOutput(_ output: OutputStatus) { state.withLock { $0.outputs.append(output) } }

    func setProgress(_ progress: EngineProgress?) { state.withLock { $0.progress = progress } }

    /// Makes the prepared track the current one, as the real engine does at a song's end; nil when none is.
    func joinPrepared() -> EngineTrack? {
        state.withLock { state in
            guard let next = state.prepared else { return nil }
            state.playing = next
            state.prepared = nil
            return next
        }
    }

    // What the player does.

    func start(_ track: EngineTrack, at position: Duration, paused: Bool) {
        state.withLock {
            $0.calls.append(.start(track.source, at: position, paused: paused))
            $0.playing = track
            $0.prepared = nil
            $0.progress = nil
        }
    }

    func prepareNext(_ track: EngineTrack?) {
        state.withLock {
            $0.calls.append(.prepare(track?.source))
            $0.prepared = track
        }
    }

    func seek(to position: Duration) { state.withLock { $0.calls.append(.seek(position)) } }
    func setPaused(_ isPaused: Bool) { state.withLock { $0.calls.append(.paused(isPaused)) } }

    func stop() {
        state.withLock {
            $0.calls.append(.stop)
            $0.playing = nil
            $0.prepared = nil
            $0.progress = nil
        }
    }

    func set(_ option: EngineOption) {
        state.withLock { state in
            switch option {
            case .volume(let volume): state.calls.append(.volume(volume))
            case .crossfade(let seconds): state.calls.append(.crossfade(seconds))
            case .replayGain(let mode): state.calls.append(.replayGain(mode))
            case .mixRamp, .speed: break
            }
        }
    }

    func setMixers(_ volume: Int) {}
    func volume(software: Int) -> Int { software }
    func keepReady(streams: [String]) {}
    func networkIsBack() {}
    func checkOutput(_ id: Int, attribute: String, value: String) async throws(OutputAttributeError) {}
    var progress: EngineProgress? { state.withLock { $0.progress } }
    var outputs: [OutputStatus] { state.withLock { $0.outputs } }
    func setOutput(_ id: Int, attribute: String, to value: String) throws(OutputAttributeError) {
        guard attribute == "volume" else { throw .unsupported }
        state.withLock {
            $0.outputs[id].attributes[attribute] = value
            $0.outputs[id].chosenAttributes[attribute] = value
        }
    }

    func countUnderrun(of id: Int) { state.withLock { $0.outputs[id].underruns += 1 } }
    func setListeners(_ count: Int?, of id: Int) { state.withLock { $0.outputs[id].listeners = count } }

    func setOutput(_ id: Int, enabled: Bool) { state.withLock { $0.outputs[id].isEnabled = enabled } }

    func moveOutput(named name: String, to other: any AudioEngine) {
        guard let other = other as? FakeAudioEngine, other !== self else { return }
        let moved = state.withLock { state -> OutputStatus? in
            let place = state.outputs.firstIndex { $0.name == name && !$0.isMovedAway }
            guard let index = place else { return nil }
            defer {
                state.outputs[index] = OutputStatus(
                    id: index, name: name, plugin: "dummy", isEnabled: false, isMovedAway: true)
            }
            return state.outputs[index]
        }
        guard var moved else { return }
        other.state.withLock { state in
            let index = state.outputs.firstIndex { $0.name == name }
            moved.id = index ?? state.outputs.count
            if let index { state.outputs[index] = moved } else { state.outputs.append(moved) }
        }
    }

    func shutDown() async { continuation.finish() }
}

/// Notes what is to be fetched ahead.
final class FakeTrackProvider: TrackProvider {
    private let lists = Mutex<[[SongID]]>([])

    /// Every list of songs so far.
    var prefetched: [[SongID]] { lists.withLock { $0 } }

    func open(_ song: SongID) async throws -> TrackFile { throw TrackError("There is no song \(song) here.") }
    func prefetch(_ songs: [SongID]) { lists.withLock { $0.append(songs) } }
}
