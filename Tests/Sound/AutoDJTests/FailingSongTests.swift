import InProcessServer
import Logging
import MusicModel
import Playback
import ServerLoop
import Synchronization
import TestSupport
import Testing
import UserLibrary

@testable import AutoDJ

@Suite("Songs that can't be played")
@ServerActor
struct FailingSongTests {
    /// An engine that says what a test has it say.
    private final class SilentEngine: AudioEngine {
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

        func prepareNext(_ track: EngineTrack?) {}
        func seek(to position: Duration) {}
        func setPaused(_ isPaused: Bool) {}
        func stop() {}
        func setVolume(_ volume: Int) {}
        func setCrossfade(_ seconds: Int) {}
        func setReplayGainMode(_ mode: EngineReplayGainMode) {}
        var progress: EngineProgress? { nil }
        var outputs: [OutputStatus] { [OutputStatus(id: 0, name: "Nothing", plugin: "null", isEnabled: true)] }
        func setOutput(_ id: Int, enabled: Bool) {}
        func moveOutput(named name: String, to other: any AudioEngine) {}
        func shutDown() async { continuation.finish() }
    }

    private final class Clock: Sendable {
        private let passed = Mutex(Duration.zero)
        private let start = ContinuousClock.now

        var now: ContinuousClock.Instant { start + passed.withLock { $0 } }

        func pass(_ time: Duration) { passed.withLock { $0 += time } }
    }

    @ServerActor
    private final class Reports {
        var partition: Partition?
        var dj: DiscJockey?

        func changed(_ subsystems: Subsystem) { if let partition { dj?.changed(partition, subsystems) } }
    }

    /// A partition whose auto-DJ is on and has three picks behind the listener's song, which plays.
    @ServerActor
    private struct Stage {
        let engine: SilentEngine
        let clock: Clock
        let partition: Partition
        let dj: DiscJockey
        let library: Library

        let session: DJSession

        func outcomes() async throws -> [PickOutcome: Int64] {
            await dj.finish()
            return try await library.pickOutcomes(of: partition.name)
        }

        /// Goes on to the next song, and waits until three wait behind it.
        func goOn(_ leave: () throws -> Void) async throws {
            let before = partition.player.current?.entry.id
            try leave()
            try await eventually("the next song and three behind it") {
                partition.player.current?.entry.id != before && partition.player.following(9) == 3
                    && !session.isRefilling
            }
        }
    }

    private func withStage(_ body: @ServerActor (Stage) async throws -> Void) async throws {
        let files = try await TemporaryLibrary(songs: 400)
        let (engine, clock, reports) = (SilentEngine(), Clock(), Reports())
        let player = Player(engine: engine, provider: nil) { reports.changed($0) }
        let partition = Partition(name: "default", player: player)
        let dj = DiscJockey(
            DJSettings(), library: files.library, likeness: nil, wishes: nil,
            log: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }, now: { clock.now }, stickersChanged: {})
        (reports.partition, reports.dj) = (partition, dj)
        dj.opened(partition)
        let playing = Task { @ServerActor in await player.run() }
        try player.insert([QueueCandidate(.song(SongID(rawValue: 1)), duration: .seconds(200))], at: nil)
        try player.play(position: 0)
        dj.take("on library", in: partition)
        let stage = Stage(
            engine: engine, clock: clock, partition: partition, dj: dj, library: files.library,
            session: try #require(dj.session(of: player)))
        engine.begin()
        try await eventually("three picks") { player.following(9) == 3 && player.hasBegun }
        clock.pass(.seconds(200))
        try await stage.goOn { try player.next() }
        try await body(stage)
        dj.stop()
        await dj.finish()
        playing.cancel()
        reports.dj = nil
        try files.close()
    }

    @Test("are neither skips nor heard, and don't come again at once")
    func failing() async throws {
        try await withStage { stage in
            let (seeds, session) = (stage.session.saved.seeds, stage.session)
            var failed: Set<SongID> = []
            for _ in 0..<3 {
                failed.insert(try #require(session.current?.song))
                try await stage.goOn { stage.engine.fail() }
            }
            #expect(try await stage.outcomes() == [.failed: 3, .waiting: 4])
            #expect(session.skipsInRow == 0 && session.refused.isEmpty && session.saved.seeds == seeds)
            #expect(session.lastHeardToEnd == SongID(rawValue: 1))
            #expect(failed.isDisjoint(with: session.waiting.map(\.song)) && failed.isDisjoint(with: session.lineup))
            #expect(session.failed(stage.clock.now) == failed)
            stage.clock.pass(.seconds(3601))
            #expect(session.failed(stage.clock.now).isEmpty)
        }
    }

    @Test("are followed by others also where all that waited fail at once")
    func failingAtOnce() async throws {
        try await withStage { stage in
            let (player, count) = (stage.partition.player, stage.partition.player.count)
            while let failing = player.current?.entry.id, player.position(of: failing).map({ $0 < count }) == true {
                stage.engine.fail()
                try await eventually("the song behind it, or the end") { player.current?.entry.id != failing }
            }
            try await eventually("a new song") {
                player.isPlaying && player.current.flatMap { player.position(of: $0.entry.id) } == count
            }
        }
    }

    @Test("left after a long silence teach nothing; time waited for the first sound does not count as heard")
    func silence() async throws {
        try await withStage { stage in
            let session = stage.session
            // The server is away: nothing is heard for a minute, then the listener has enough of it.
            stage.clock.pass(.seconds(60))
            try await stage.goOn { try stage.partition.player.next() }
            #expect(try await stage.outcomes()[.failed] == 1)
            #expect(session.lastHeardToEnd == SongID(rawValue: 1) && session.skipsInRow == 0)
            // This one begins after a minute, and is skipped after two seconds.
            stage.clock.pass(.seconds(60))
            stage.engine.begin()
            try await eventually("the first sound") { session.current?.hasBegun == true }
            stage.clock.pass(.seconds(2))
            try await stage.goOn { try stage.partition.player.next() }
            #expect(try await stage.outcomes()[.skipped] == 1 && session.skipsInRow == 1)
            // One that is skipped before its first sound could be heard was turned down.
            try await stage.goOn { try stage.partition.player.next() }
            #expect(try await stage.outcomes()[.skipped] == 2)
        }
    }
}
