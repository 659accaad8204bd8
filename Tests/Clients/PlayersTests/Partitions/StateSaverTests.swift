import Coordination
import MusicModel
import Playback
import ServerLoop
import TestSupport
import Testing
import UserLibrary

@testable import Players

@Suite("Saving a partition's queue and options")
@ServerActor
struct StateSaverTests {
    @Test("an edit is in the database a moment later, and later edits are added to it")
    func edits() async throws {
        try await Room.with { room in
            let (partition, _) = room.partition()
            let saver = StateSaver(partition: partition, library: room.library, isKept: nil, log: room.log)
            saver.markSaved(departed: [])
            #expect(saver.isUntouched)
            try partition.player.editAtOnce { try $0.insert([room.candidate(0), room.candidate(1)], at: nil) }
            saver.changed()
            #expect(await eventually { (try? room.library.savedQueue().entries.count) == 2 })
            #expect(!saver.isUntouched)
            try partition.player.editAtOnce { try $0.insert([room.candidate(2)], at: nil) }
            try partition.player.editAtOnce { try $0.delete(0..<1) }
            saver.changed()
            #expect(
                await eventually {
                    (try? room.library.savedQueue().entries.map(\.item)) == [
                        .song(room.songs[1]), .song(room.songs[2]),
                    ]
                })
        }
    }

    @Test("an edit while music plays doesn't wait until its place is saved")
    func editsInMusic() async throws {
        try await Room.with { room in
            let (partition, _) = room.partition()
            let clock = VirtualClock()
            let saver = StateSaver(
                partition: partition, library: room.library, isKept: nil, clock: clock, log: room.log)
            try partition.player.editAtOnce { try $0.insert([room.candidate(0)], at: nil) }
            try partition.player.play(position: 0)
            saver.changed()
            #expect(try await clock.passPause() == .milliseconds(200))
            #expect(await eventually { (try? room.library.savedQueue().entries.count) == 1 })
            try await eventually("the plan to save the place") { clock.sleeperCount == 1 }
            try partition.player.editAtOnce { try $0.insert([room.candidate(1)], at: nil) }
            saver.changed()
            // The place is saved every three seconds.
            try await eventually("the plan to save the edit") { clock.sleeperCount == 2 }
            #expect(try await clock.passPause() == .milliseconds(200))
            #expect(await eventually { (try? room.library.savedQueue().entries.count) == 2 })
            await saver.stop()
        }
    }

    @Test("an edit while another is being written has its turn behind that")
    func editsInWriting() async throws {
        try await Room.with { room in
            let (partition, _) = room.partition()
            let (clock, gate) = (VirtualClock(), Alarm())
            let saver = StateSaver(
                partition: partition, library: room.library, isKept: Task { await gate.wait() }, clock: clock,
                log: room.log)
            saver.changed()
            try await clock.passPause()
            try await eventually("a plan to save while it saves") {
                saver.changed()
                return clock.sleeperCount == 1
            }
            try await clock.passPause()
            try await eventually("another plan behind that") { clock.sleeperCount == 1 }
            gate.ring()
            await saver.stop()
        }
    }

    @Test("finishing writes what has not been written yet; a stopped saver writes nothing")
    func ends() async throws {
        try await Room.with { room in
            let (partition, _) = room.partition()
            let saver = StateSaver(partition: partition, library: room.library, isKept: nil, log: room.log)
            try partition.player.editAtOnce { try $0.insert([room.candidate(3)], at: nil) }
            partition.player.setReplayGainMode(.album)
            await saver.finish()
            #expect(try room.library.savedQueue().entries.count == 1)
            #expect(try room.library.savedPlayer().replayGainMode == .album)
            await saver.stop()
            try partition.player.editAtOnce { $0.clear() }
            await saver.finish()
            #expect(try room.library.savedQueue().entries.count == 1)
        }
    }

    @Test("nothing is written before the partition itself is kept")
    func kept() async throws {
        try await Room.with { room in
            let (partition, _) = room.partition("garden")
            let keeping = Task { try? await room.library.addPartition("garden") }
            let isKept = Task { _ = await keeping.value }
            let saver = StateSaver(partition: partition, library: room.library, isKept: isKept, log: room.log)
            try partition.player.editAtOnce { try $0.insert([room.candidate(4)], at: nil) }
            await saver.finish()
            #expect(try room.library.partitionNames() == ["default", "garden"])
            #expect(try room.library.savedQueue(of: "garden").entries.count == 1)
        }
    }
}
