import InProcessServer
import Logging
import MusicModel
import Playback
import ServerLoop
import Synchronization
import TestSupport
import Testing
import UserLibrary

@testable import Players

/// An engine that says what a test has it say.
final class SilentEngine: StillEngine {
    let events: AsyncStream<AudioEngineEvent>
    private let continuation: AsyncStream<AudioEngineEvent>.Continuation
    private let current = Mutex<UInt64?>(nil)

    init() { (events, continuation) = AsyncStream.makeStream() }

    func start(_ track: EngineTrack, at position: Duration, paused: Bool) {
        current.withLock { $0 = track.play }
    }

    /// The track sounds.
    func begin() { if let play = current.withLock({ $0 }) { continuation.yield(.started(play: play)) } }

    /// The track can't be played.
    func fail() {
        if let play = current.withLock({ $0 }) { continuation.yield(.failed(play: play, message: "It is broken.")) }
    }

    var outputs: [OutputStatus] { [OutputStatus(id: 0, name: "Nothing", plugin: "null", isEnabled: true)] }
    func shutDown() async { continuation.finish() }
}

@ServerActor
private final class Reports {
    var partition: Partition?
    var dj: DiscJockey?

    func changed(_ subsystems: Subsystem) { if let partition { dj?.changed(partition, subsystems) } }
}

/// A partition whose auto-DJ is on and has three picks behind the listener's song, which plays.
@ServerActor
struct AutoDJStage {
    let engine: SilentEngine
    let clock: VirtualClock
    let partition: Partition
    let dj: DiscJockey
    let library: Library

    let session: DJSession

    func outcomes() async throws -> [PickOutcome: Int64] {
        await dj.finish()
        return try await library.pickOutcomes(of: partition.key)
    }

    /// Goes on to the next song, and waits until three wait behind it.
    func goOn(_ leave: () throws -> Void) async throws {
        let before = partition.player.current?.entry.id
        try leave()
        try await clock.passPauses(until: "the next song and three behind it") {
            partition.player.current?.entry.id != before && partition.player.following(9) == 3
                && !session.isRefilling
        }
    }

    /// Sets the stage, and takes it down afterwards.
    static func with(_ body: @ServerActor (AutoDJStage) async throws -> Void) async throws {
        let files = try await TemporaryLibrary(songs: 400)
        let (engine, clock, reports) = (SilentEngine(), VirtualClock(), Reports())
        let player = Player(engine: engine, provider: nil, clock: clock) { reports.changed($0) }
        let partition = Partition(name: "default", player: player)
        let dj = DiscJockey(
            DJSettings(), library: files.library, likeness: nil, wishes: nil,
            log: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }, clock: clock, stickersChanged: {})
        (reports.partition, reports.dj) = (partition, dj)
        dj.opened(partition)
        let playing = Task { @ServerActor in await player.run() }
        let song = QueueCandidate(.song(SongID(rawValue: 1)), duration: .seconds(200))
        try player.editAtOnce { try $0.insert([song], at: nil) }
        try player.play(position: 0)
        dj.take("on library", in: partition)
        let stage = AutoDJStage(
            engine: engine, clock: clock, partition: partition, dj: dj, library: files.library,
            session: try #require(dj.session(of: player)))
        engine.begin()
        try await clock.passPauses(until: "three picks") { player.following(9) == 3 && player.hasBegun }
        clock.pass(.seconds(200))
        try await stage.goOn { try player.next() }
        try await body(stage)
        dj.stop()
        await dj.finish()
        playing.cancel()
        reports.dj = nil
        try files.close()
    }
}
