import InProcessServer
import MusicModel
import ServerLoop
import Synchronization
import TestSupport
import Testing

@testable import MPDSessions
@testable import Playback

@Suite("Clients and songs that begin")
@ServerActor
struct BeginningTests {
    private static let format = AudioFormat(sampleRate: 44_100, sample: .integer(bits: 16), channels: 2)

    /// A partition whose changes reach a hub, and what its clients were told.
    @ServerActor
    private final class Room {
        let clock = VirtualClock()
        let engine = NotedStarts()
        let hub: IdleHub
        private(set) var told: [Subsystem] = []
        private let relay: Relay
        let player: Player

        /// Tells the hub what the player changes, once there is a partition.
        @ServerActor
        private final class Relay {
            let hub: IdleHub
            var partition: Partition?

            init(_ hub: IdleHub) { self.hub = hub }

            func changed(_ changes: Subsystem) {
                if let partition { hub.notify(changes, partition: partition) }
            }
        }

        init(songs: Int64) throws {
            hub = IdleHub(clock: clock)
            let relay = Relay(hub)
            self.relay = relay
            player = Player(engine: engine, provider: nil, clock: clock) { relay.changed($0) }
            let songs = (1...songs).map { QueueCandidate(.song(SongID(rawValue: $0))) }
            try player.editAtOnce { try $0.insert(songs, at: nil) }
            relay.partition = Partition(name: "default", player: player)
            hub.watch { [weak self] _, changed in
                for change in changed { self?.told.append(change.subsystems.intersection(.everything)) }
            }
        }

        /// What clients were told since the last call.
        func news() async -> [Subsystem] {
            for _ in 0..<3 {
                await withCheckedContinuation { continuation in ServerActor.after(.zero) { continuation.resume() } }
            }
            defer { told = [] }
            return told.filter { !$0.isEmpty }
        }

        func learn() {
            player.handle(.info(play: engine.play, format: BeginningTests.format, duration: nil, bitRate: nil))
        }
    }

    @Test("a song change is told once, with the format, and not again when it sounds")
    func once() async throws {
        let room = try Room(songs: 3)
        for step in 0..<3 {
            switch step {
            case 0: try room.player.play(position: 0)
            case 1: try room.player.next()
            default: try room.player.previous()
            }
            #expect(await room.news() == [])
            room.learn()
            #expect(await room.news() == [.player])
            room.player.handle(.started(play: room.engine.play))
            #expect(await room.news() == [])
        }
    }

    @Test("a song that begins in a pause is told once, and going on at once")
    func paused() async throws {
        let room = try Room(songs: 2)
        room.player.setSingle(.on)
        try room.player.play(position: 0)
        room.learn()
        _ = await room.news()
        room.player.handle(.finished(play: room.engine.play))
        #expect(await room.news() == [])
        room.learn()
        #expect(await room.news() == [.player])
        try room.player.seek(position: 0, to: .seconds(1))
        room.player.pause(false)
        #expect(await room.news() == [.player])
    }

    @Test("a song of which nothing is known in time is told as it is, and what comes later at once")
    func slow() async throws {
        let room = try Room(songs: 2)
        try room.player.play(position: 0)
        #expect(await room.news() == [])
        try await eventually("the wait") { room.clock.sleeperCount == 1 }
        // What comes meanwhile takes nothing of it away.
        room.hub.notify(.database, partition: nil)
        #expect(await room.news() == [])
        room.clock.pass(PartitionChanges.maxDelay)
        try await eventually("the change") { @ServerActor in await room.news() == [.player] }
        room.learn()
        #expect(await room.news() == [.player])
    }

    @Test("a pause, a stop, a seek and the volume wait for nothing, and take along what waited")
    func others() async throws {
        let room = try Room(songs: 2)
        let changes: [(Subsystem, () -> Void)] = [
            (.player, { room.player.pause(true) }), (.player, { room.player.stop() }),
            ([.player, .mixer], { room.player.setVolume(50) }),
        ]
        for (expected, change) in changes {
            try room.player.play(position: 0)
            #expect(await room.news() == [])
            change()
            #expect(await room.news() == [expected])
            room.player.stop()
            _ = await room.news()
        }
        try room.player.play(position: 0)
        room.learn()
        _ = await room.news()
        try room.player.seek(position: 0, to: .seconds(3))
        #expect(await room.news() == [.player])
    }

    @Test("what changes with the song comes with it")
    func together() async throws {
        let room = try Room(songs: 3)
        try room.player.play(position: 0)
        room.learn()
        _ = await room.news()
        room.player.setConsume(.on)
        _ = await room.news()
        try room.player.next()
        #expect(await room.news() == [])
        room.learn()
        #expect(await room.news() == [[.player, .queue]])
    }
}

/// An engine that notes what it was started with.
private final class NotedStarts: StillEngine {
    let events = AsyncStream<AudioEngineEvent> { $0.finish() }
    private let started = Mutex<UInt64>(0)

    var play: UInt64 { started.withLock { $0 } }
    var outputs: [OutputStatus] { [OutputStatus(id: 0, name: "hall", plugin: "null", isEnabled: true)] }

    func start(_ track: EngineTrack, at position: Duration, paused: Bool) { started.withLock { $0 = track.play } }
}
