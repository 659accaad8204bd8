import InProcessServer
import LibraryIndex
import MusicModel
import Playback
import ServerLoop
import TestSupport
import Testing
import UserLibrary

@testable import Players

@Suite("Queues that are filled up")
@ServerActor
struct QueueFillerTests {
    /// The partition that a player tells of itself, which comes after the player.
    @ServerActor
    private final class Opened {
        weak var partition: Partition?
    }

    /// A partition whose queue is filled up, and a library of which the last songs are missing.
    @ServerActor
    private struct Bench {
        let room: Room
        let partition: Partition
        let filler: QueueFiller
        var player: Player { partition.player }
        var songs: Set<SongID> { Set(player.entries.compactMap(\.songID)) }

        init(_ room: Room, _ filling: PartitionPlan.Filling) {
            self.room = room
            var plan = PartitionPlan(name: "default")
            (plan.filling, plan.capacity) = (filling, 20)
            let filler = QueueFiller([plan], library: room.library, log: room.log)
            let opened = Opened()
            let (partition, _) = room.partition { changes in
                if let partition = opened.partition { filler.changed(partition, changes) }
            }
            opened.partition = partition
            (self.partition, self.filler) = (partition, filler)
            filler.opened(partition)
        }

        /// Fills the queue from the first songs, and has the others come.
        func fillFromAPart(_ count: Int) async throws {
            filler.libraryChanged()
            #expect(await eventually { player.count == min(count, 20) })
            let more = (count..<count + 100).map(TemporaryLibrary.song)
            _ = try await room.library.index.apply(LibraryChanges(mount: "", upserts: more))
            filler.libraryChanged()
        }

        /// The library is complete, and all that follows from it has happened.
        func complete() async {
            filler.libraryIsComplete()
            #expect(await eventually { !filler.isFilling })
        }
    }

    @Test(
        "one that was filled from a part of the library is filled anew when that is complete",
        arguments: [PartitionPlan.Filling.library, .artist("Artist 0")])
    func anew(filling: PartitionPlan.Filling) async throws {
        try await Room.with(songs: 10) { room in
            let bench = Bench(room, filling)
            try await bench.fillFromAPart(10)
            #expect(bench.songs == Set(room.songs))
            await bench.complete()
            #expect(bench.player.count == 20)
            #expect(bench.songs.count == 20 && !bench.songs.isSubset(of: room.songs))
            // Once is enough: later songs are for those who ask for them.
            let before = bench.player.entries.map(\.id)
            bench.filler.libraryChanged()
            await bench.complete()
            #expect(bench.player.entries.map(\.id) == before)
        }
    }

    @Test("one that is complete while it is being filled is filled anew as well")
    func meanwhile() async throws {
        try await Room.with(songs: 10) { room in
            let bench = Bench(room, .artist("Artist 0"))
            bench.filler.libraryChanged()
            bench.filler.libraryChanged()
            await bench.complete()
            // The first ten entries are gone.
            #expect(bench.player.count == 10 && bench.player.entries.allSatisfy { $0.id.rawValue > 10 })
        }
    }

    @Test("one that was edited or played meanwhile stays, and so does one that nothing came for")
    func untouched() async throws {
        let edits: [@ServerActor (Player) throws -> Void] = [
            { player in try player.editAtOnce { try $0.delete(0..<1) } },
            { player in try player.editAtOnce { try $0.swap(0, 1) } },
            { player in try player.editAtOnce { try $0.setPriority(5, range: 0..<1) } },
            { player in try player.editAtOnce { $0.clear() } },
            {
                try $0.play(position: 0)
                $0.stop()
            },
        ]
        for edit in edits {
            try await Room.with(songs: 30) { room in
                let bench = Bench(room, .library)
                try await bench.fillFromAPart(30)
                try edit(bench.player)
                let before = bench.player.entries.map(\.id)
                await bench.complete()
                #expect(bench.player.entries.map(\.id) == before)
            }
        }
        try await Room.with(songs: 30) { room in
            let bench = Bench(room, .library)
            bench.filler.libraryChanged()
            #expect(await eventually { bench.player.count == 20 })
            let before = bench.player.entries.map(\.id)
            await bench.complete()
            #expect(bench.player.entries.map(\.id) == before)
        }
    }
}
