import Foundation
import InProcessServer
import Logging
import MusicModel
import Playback
import ServerLoop
import Synchronization
import UserLibrary

@testable import Players

/// An engine without sound: a test says what it reports.
final class QuietEngine: StillEngine {
    let events: AsyncStream<AudioEngineEvent>
    private let continuation: AsyncStream<AudioEngineEvent>.Continuation
    private let state: Mutex<State>

    private struct State {
        var outputs: [OutputStatus]
        var playing: EngineTrack?
        var progress: EngineProgress?
    }

    /// Whether it was shut down.
    let isShutDown = Atomic(false)

    init(outputs: [String] = []) {
        (events, continuation) = AsyncStream.makeStream()
        state = Mutex(
            State(
                outputs: outputs.enumerated().map {
                    OutputStatus(id: $0.offset, name: $0.element, plugin: "null", isEnabled: true)
                }))
    }

    var playing: EngineTrack? { state.withLock { $0.playing } }
    func send(_ event: AudioEngineEvent) { continuation.yield(event) }

    /// The current track sounds, and has come so far.
    func reach(_ elapsed: Duration) {
        guard let play = playing?.play else { return }
        state.withLock { $0.progress = EngineProgress(play: play, elapsed: elapsed, heard: elapsed) }
        send(.started(play: play))
        send(.progress(play: play, elapsed: elapsed, heard: elapsed))
    }

    func start(_ track: EngineTrack, at position: Duration, paused: Bool) {
        state.withLock { $0.playing = track }
    }
    func stop() {
        state.withLock { state in
            state.playing = nil
            state.progress = nil
        }
    }
    var progress: EngineProgress? { state.withLock { $0.progress } }
    var outputs: [OutputStatus] { state.withLock { $0.outputs } }
    func setOutput(_ id: Int, enabled: Bool) { state.withLock { $0.outputs[id].isEnabled = enabled } }
    func moveOutput(named name: String, to other: any AudioEngine) {
        guard let other = other as? QuietEngine, other !== self else { return }
        let isOurs = state.withLock { state -> Bool in
            guard let index = state.outputs.firstIndex(where: { $0.name == name && !$0.isMovedAway }) else {
                return false
            }
            state.outputs[index].isMovedAway = true
            return true
        }
        guard isOurs else { return }
        other.state.withLock { state in
            if let index = state.outputs.firstIndex(where: { $0.name == name }) {
                state.outputs[index].isMovedAway = false
            } else {
                state.outputs.append(
                    OutputStatus(id: state.outputs.count, name: name, plugin: "null", isEnabled: true))
            }
        }
    }
    func shutDown() async {
        isShutDown.store(true, ordering: .relaxed)
        continuation.finish()
    }
}

/// Notes what is to be fetched ahead.
final class NotedTracks: TrackProvider {
    private let lists = Mutex<[[SongID]]>([])
    var latest: [SongID] { lists.withLock { $0.last ?? [] } }
    func open(_ song: SongID) async throws -> TrackFile { throw TrackError("There is no song \(song) here.") }
    func prefetch(_ songs: [SongID]) { lists.withLock { $0.append(songs) } }
}

/// A library in a folder of its own, its songs, and what players need beside it.
struct Room: Sendable {
    let files: TemporaryLibrary
    let songs: [SongID]
    let tracks = NotedTracks()
    let log = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }

    var library: Library { files.library }

    /// Runs `body` with a library of so many songs, and removes it afterwards.
    @ServerActor
    static func with(songs count: Int = 30, _ body: @ServerActor (Room) async throws -> Void) async throws {
        let files = try await TemporaryLibrary(songs: count)
        let songs = (1...Int64(count)).map { SongID(rawValue: $0) }
        do { try await body(Room(files: files, songs: songs)) } catch {
            try? files.close()
            throw error
        }
        try files.close()
    }

    /// A song as it enters a queue, ten minutes long.
    func candidate(_ index: Int) -> QueueCandidate { QueueCandidate(.song(songs[index]), duration: .seconds(600)) }

    /// A partition that belongs to no others.
    @ServerActor
    func partition(_ name: String = "default", _ notify: @escaping @ServerActor (Subsystem) -> Void = { _ in })
        -> (Partition, QuietEngine)
    {
        let engine = QuietEngine(outputs: ["hall"])
        return (Partition(name: name, player: Player(engine: engine, provider: nil, notify: notify)), engine)
    }
}
