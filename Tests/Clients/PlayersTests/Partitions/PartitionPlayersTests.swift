import InProcessServer
import LibraryIndex
import MusicModel
import Playback
import ServerLoop
import Synchronization
import TestSupport
import Testing
import UserLibrary

@testable import Players

@Suite("The players of all partitions")
@ServerActor
struct PartitionPlayersTests {
    /// Notes what it is told.
    private final class Observer: PlayerObserver {
        var notes: [String] = []
        /// How many songs were in the queue each time that one was said to be restored.
        var restored: [String: [Int]] = [:]
        func opened(_ partition: Partition) { notes.append("opened \(partition.name)") }
        func restored(_ partition: Partition) { restored[partition.name, default: []].append(partition.player.count) }
        func changed(_ partition: Partition, _ subsystems: Subsystem) {
            if subsystems.contains(.queue) { notes.append("queue of \(partition.name)") }
        }
        func renamed(_ partition: Partition, from earlier: String) { notes.append("\(earlier) is \(partition.name)") }
        func closed(_ partition: Partition) { notes.append("closed \(partition.name)") }
    }

    private func players(
        _ room: Room, _ settings: PartitionSettings = PartitionSettings(), plays: PlayBroadcast = PlayBroadcast(),
        observers: [any PlayerObserver] = []
    ) async throws -> PartitionPlayers {
        try await PartitionPlayers(
            settings, library: room.library, tracks: room.tracks, plays: plays, observers: observers, log: room.log
        ) { request in
            let engine = QuietEngine(outputs: request.isFirst ? ["hall", "roof"] : [])
            for (index, output) in engine.outputs.enumerated() {
                if let isEnabled = request.wasEnabled[output.name] { engine.setOutput(index, enabled: isEnabled) }
            }
            return engine
        }
    }

    @Test("a fresh installation has one player, with the configuration's options and all outputs")
    func fresh() async throws {
        try await Room.with { room in
            var settings = PartitionSettings()
            (settings.beginning.crossfade, settings.beginning.replayGain) = (4, .album)
            settings.player.queueLimit = 2
            let players = try await players(room, settings)
            let player = try #require(players.partitions.first).player
            #expect(players.partitions.map(\.name) == ["default"])
            #expect(player.status.crossfade == 4 && player.replayGainMode == .album)
            #expect(player.engine.outputs.map(\.name) == ["hall", "roof"])
            #expect(throws: PlayerError.self) {
                try player.editAtOnce { try $0.insert([0, 1, 2].map(room.candidate), at: nil) }
            }
            await players.shutDown()
        }
    }

    @Test("queues, options, partitions and where outputs play are the same after a restart")
    func restart() async throws {
        try await Room.with { room in
            let first = try await players(room)
            let hall = try #require(first.partitions.first)
            try hall.player.editAtOnce { try $0.insert([0, 1].map(room.candidate), at: nil) }
            let garden = first.makePartition(named: "garden", like: hall)
            try garden.player.editAtOnce { try $0.insert([room.candidate(2)], at: nil) }
            hall.player.engine.setOutput(0, enabled: false)
            hall.player.engine.moveOutput(named: "roof", to: garden.player.engine)
            for partition in [hall, garden] { partition.player.setReplayGainMode(.track) }
            await first.save()
            await first.shutDown()

            let second = try await players(room)
            #expect(second.partitions.map(\.name) == ["default", "garden"])
            #expect(second.partitions.map { $0.player.count } == [2, 1])
            let outputs = second.partitions.map { $0.player.engine.outputs.filter { !$0.isMovedAway }.map(\.name) }
            #expect(outputs == [["hall"], ["roof"]])
            #expect(second.partitions[0].player.engine.outputs.first?.isEnabled == false)
            #expect(second.partitions.map { $0.player.replayGainMode } == [.track, .track])
            await second.shutDown()
        }
    }

    @Test("entries whose songs are away come back to their places also after a restart")
    func restartWhileSongsAreAway() async throws {
        try await Room.with { room in
            let first = try await players(room)
            let player = try #require(first.partitions.first).player
            try player.editAtOnce { try $0.insert([0, 1, 2].map(room.candidate), at: nil) }
            try player.editAtOnce { try $0.setPriority(9, range: 1..<2) }
            let ids = player.entries.map(\.id)
            first.songsChanged(updated: [], removed: [room.songs[1]])
            #expect(player.count == 2)
            await first.save()
            await first.shutDown()

            // The songs are there when the next one begins.
            let second = try await players(room)
            let restored = try #require(second.partitions.first).player
            #expect(restored.count == 3 && restored.departedSongs.isEmpty)
            #expect([restored.entries[0].id, restored.entries[2].id] == [ids[0], ids[2]])
            #expect(restored.entries[1].priority == 9)
            await second.save()
            await second.shutDown()
            #expect(try await room.library.savedDeparted(of: "default").entries.isEmpty)
        }
    }

    private func song(_ entry: QueueEntry) -> SongID? {
        if case .song(let id) = entry.item { id } else { nil }
    }

    @Test("entries whose songs left while nothing ran come back with them, also after edits and another restart")
    func songsAwayAtTheStart() async throws {
        try await Room.with { room in
            var players = try await players(room)
            try #require(players.partitions.first).player.editAtOnce {
                try $0.insert([0, 1, 2].map(room.candidate), at: nil)
            }
            await players.save()
            await players.shutDown()
            _ = try await room.library.index.apply(LibraryChanges(mount: "", removals: ["s1"]))

            players = try await self.players(room)
            let player = try #require(players.partitions.first).player
            #expect(player.entries.compactMap(song) == [room.songs[0], room.songs[2]])
            player.setVolume(40)
            try player.editAtOnce { try $0.move(0..<1, to: .absolute(1)) }
            await players.save()
            await players.shutDown()

            _ = try await room.library.index.apply(LibraryChanges(mount: "", upserts: [TemporaryLibrary.song(1)]))
            players = try await self.players(room)
            let songs = try #require(players.partitions.first).player.entries.compactMap(song)
            #expect(songs == [room.songs[2], room.songs[0], room.songs[1]])
            await players.shutDown()
        }
    }

    @Test("a queue that was cleared while songs were away stays empty after a restart")
    func clearedWhileSongsAreAway() async throws {
        try await Room.with { room in
            let first = try await players(room)
            let player = try #require(first.partitions.first).player
            try player.editAtOnce { try $0.insert([room.candidate(0)], at: nil) }
            first.songsChanged(updated: [], removed: [room.songs[0]])
            await first.save()
            #expect(try await room.library.savedDeparted(of: "default").entries.count == 1)
            try player.editAtOnce { $0.clear() }
            await first.save()
            await first.shutDown()
            let second = try await players(room)
            #expect(second.partitions.first?.player.count == 0)
            await second.shutDown()
        }
    }

    @Test("observers are told once that a partition is restored, and find its queue then")
    func tellingRestored() async throws {
        try await Room.with { room in
            let (before, after) = (Observer(), Observer())
            let first = try await players(room, observers: [before])
            try first.partitions[0].player.editAtOnce { try $0.insert([0, 1].map(room.candidate), at: nil) }
            _ = first.makePartition(named: "garden", like: first.partitions[0])
            await first.save()
            await first.shutDown()
            let second = try await players(room, observers: [after])
            #expect(before.restored == ["default": [0], "garden": [0]])
            #expect(after.restored == ["default": [2], "garden": [0]])
            await second.shutDown()
        }
    }

    @Test("observers hear of partitions and changes until a partition is closed, which is then forgotten")
    func observing() async throws {
        try await Room.with { room in
            let observer = Observer()
            let players = try await players(room, observers: [observer])
            let garden = players.makePartition(named: "garden", like: players.partitions[0])
            try garden.player.editAtOnce { try $0.insert([room.candidate(0)], at: nil) }
            players.close(garden)
            let ofGarden = observer.notes.filter { $0.hasSuffix("garden") }
            #expect(observer.notes.first == "opened default")
            #expect(ofGarden.first == "opened garden" && ofGarden.last == "closed garden")
            #expect(ofGarden.dropFirst().dropLast().allSatisfy { $0 == "queue of garden" } && ofGarden.count > 2)
            await players.save()
            #expect(try room.library.partitionNames() == ["default"])
            let engine = try #require(garden.player.engine as? QuietEngine)
            #expect(await eventually { engine.isShutDown.load(ordering: .relaxed) })
            await players.shutDown()
        }
    }

    @Test("a renamed partition plays on, its observers hear of it, and a restart finds it whole")
    func renaming() async throws {
        try await Room.with { room in
            let observer = Observer()
            let first = try await players(room, observers: [observer])
            let garden = first.makePartition(named: "garden", like: first.partitions[0])
            try garden.player.editAtOnce { try $0.insert([0, 1].map(room.candidate), at: nil) }
            first.partitions[0].player.moveOutput(named: "roof", to: garden.player)
            try garden.player.play(position: 1)
            let isKept = first.rename(garden, to: "terrace")
            #expect(garden.name == "terrace" && garden.bears("garden") && observer.notes.last == "garden is terrace")
            // Neither an edit nor another name waits for the first one.
            garden.player.setVolume(31)
            let isKeptAgain = first.rename(garden, to: "porch")
            try await isKept.value
            try await isKeptAgain.value
            #expect(!garden.bears("garden") && !garden.bears("terrace") && garden.player.current?.position == 1)
            #expect(garden.player.status.state == .play)
            await first.save()
            await first.shutDown()

            let second = try await players(room)
            #expect(second.partitions.map(\.name) == ["default", "porch"])
            let player = second.partitions[1].player
            #expect(player.count == 2 && player.current?.position == 1 && player.status.volume == 31)
            #expect(player.engine.outputs.filter { !$0.isMovedAway }.map(\.name) == ["roof"])
            await second.shutDown()
        }
    }

    @Test("a name that can't be kept is taken back, and partitions of the configuration are known")
    func renamingInVain() async throws {
        try await Room.with { room in
            var settings = PartitionSettings()
            settings.plans = [PartitionPlan(name: "Shfl")]
            let players = try await players(room, settings)
            #expect(players.isConfigured("Shfl") && !players.isConfigured("garden"))
            let garden = players.makePartition(named: "garden", like: players.partitions[0])
            // Another process's, or what a deletion left behind.
            try await room.library.addPartition("taken")
            let isKept = players.rename(garden, to: "taken")
            await #expect(throws: LibraryError.self) { try await isKept.value }
            #expect(garden.name == "garden" && !garden.bears("taken"))
            await players.shutDown()
        }
    }

    @Test("what is heard reaches those who listen, and songs that left the library leave the queues")
    func hearing() async throws {
        try await Room.with { room in
            let plays = PlayBroadcast()
            let heard = plays.subscribe()
            let players = try await players(room, plays: plays)
            let player = players.partitions[0].player
            try player.editAtOnce { try $0.insert([0, 1].map(room.candidate), at: nil) }
            try player.play(position: 0)
            (player.engine as? QuietEngine)?.reach(.seconds(1))
            for await case .started(_, let song, _) in heard {
                #expect(song == room.songs[0])
                break
            }
            players.songsChanged(updated: [], removed: [room.songs[1]])
            #expect(player.entries.map(\.item) == [.song(room.songs[0])])
            players.stopListening()
            await players.shutDown()
        }
    }

    @Test("queues whose songs a sync brings later are restored once more, unless they were edited")
    func rescued() async throws {
        try await Room.with { room in
            let players = try await players(room)
            let player = players.partitions[0].player
            try await room.library.saveQueue(
                SavedQueue(entries: [.init(id: QueueEntryID(rawValue: 5), item: .song(room.songs[3]))], version: 9))
            await players.restoreAgain()
            #expect(player.entries.map(\.item) == [.song(room.songs[3])])
            try player.editAtOnce { try $0.insert([room.candidate(4)], at: nil) }
            await players.restoreAgain()
            #expect(player.count == 2)
            await players.shutDown()
        }
    }
}
