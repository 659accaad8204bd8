import MusicModel
import Playback
import ServerLoop
import Synchronization
import TestSupport
import Testing

@testable import Players

@Suite("Saving the queue on the server")
@ServerActor
struct QueueReporterTests {
    /// A server that keeps what it is sent, once it is let.
    private final class Server: Sendable {
        struct Saved: Hashable {
            var items: [QueueItem]
            var current: Int
            var elapsed: Duration
        }
        private let saved = Mutex<[Saved]>([])
        var queues: [Saved] { saved.withLock { $0 } }
        func save(_ items: [QueueItem], _ current: Int, _ elapsed: Duration) {
            saved.withLock { $0.append(Saved(items: items, current: current, elapsed: elapsed)) }
        }
    }

    private func play(_ partition: Partition, _ engine: QuietEngine, at place: Duration) throws {
        try partition.player.play(position: 1)
        engine.reach(place)
        try #require(partition.player.status.elapsed == place)
    }

    @Test("the first partition's queue is saved when music pauses, others' never")
    func pausing() async throws {
        try await Room.with { room in
            let server = Server()
            let reporter = QueueReporter { server.save($0, $1, $2) }
            let (partition, engine) = room.partition()
            let (other, otherEngine) = room.partition("other")
            for each in [partition, other] {
                reporter.opened(each)
                try each.player.editAtOnce { try $0.insert([0, 1].map(room.candidate), at: nil) }
            }
            reporter.changed(partition, .queue)
            #expect(server.queues.isEmpty)
            try play(other, otherEngine, at: .seconds(5))
            reporter.changed(other, .player)
            other.player.pause(true)
            reporter.changed(other, .player)
            try play(partition, engine, at: .seconds(7))
            reporter.changed(partition, .player)
            partition.player.pause(true)
            reporter.changed(partition, .player)
            #expect(await eventually { !server.queues.isEmpty })
            let items = [0, 1].map { QueueItem.song(room.songs[$0]) }
            #expect(server.queues == [.init(items: items, current: 1, elapsed: .seconds(7))])
        }
    }

    @Test("while music plays it is saved again and again, and once more at the end")
    func playing() async throws {
        try await Room.with { room in
            let server = Server()
            let clock = VirtualClock()
            let reporter = QueueReporter(clock: clock) { server.save($0, $1, $2) }
            let (partition, engine) = room.partition()
            reporter.opened(partition)
            try partition.player.editAtOnce { try $0.insert([0, 1].map(room.candidate), at: nil) }
            try play(partition, engine, at: .seconds(7))
            reporter.changed(partition, .player)
            for count in 1...3 {
                #expect(try await clock.passPause() == .seconds(60))
                #expect(await eventually { server.queues.count == count })
            }
            await reporter.finish()
            #expect(server.queues.count == 4 && server.queues.last?.current == 1)
        }
    }

    @Test("a server that does not answer holds the end up for half a second at most, and gets one queue then")
    func silent() async throws {
        try await Room.with { room in
            let calls = Mutex(0)
            let clock = VirtualClock()
            let reporter = QueueReporter(clock: clock) { _, _, _ in
                calls.withLock { $0 += 1 }
                try? await Task.sleep(for: .seconds(3600))
            }
            let (partition, engine) = room.partition()
            reporter.opened(partition)
            try partition.player.editAtOnce { try $0.insert([0, 1].map(room.candidate), at: nil) }
            try play(partition, engine, at: .seconds(7))
            reporter.changed(partition, .player)
            #expect(try await clock.passPause() == .seconds(60))
            #expect(await eventually { calls.withLock { $0 } == 1 && clock.sleeperCount == 1 })
            let end = Task { await reporter.finish() }
            #expect(try await clock.passPause(upTo: .seconds(1)) == .milliseconds(500))
            await end.value
            #expect(calls.withLock { $0 } == 1)
        }
    }
}
