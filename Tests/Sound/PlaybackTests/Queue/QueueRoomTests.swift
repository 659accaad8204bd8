import Coordination
import MusicModel
import ServerLoop
import TestSupport
import Testing

@testable import Playback

@Suite("The memory that queues take for addresses and tags")
@ServerActor
struct QueueRoomTests {
    private nonisolated func stream(_ length: Int, tags: [TagValue] = []) -> QueueCandidate {
        QueueCandidate(.stream(url: "http://x/" + String(repeating: "x", count: length), tags: tags))
    }

    private func settings(_ room: QueueRoom) -> PlayerSettings {
        var settings = PlayerSettings()
        settings.queueRoom = room
        return settings
    }

    private func size(_ player: Player) -> Int { player.entries.reduce(0) { $0 + QueueCandidate($1).extraSize } }

    @Test("What is counted is what the entries hold, after whatever edits", arguments: 1...20 as ClosedRange<UInt64>)
    func model(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let room = QueueRoom(limit: 60_000)
        let players = try (0..<2).map { try PlayerHarness(limit: 60, seed: seed + $0, settings: settings(room)).player }
        var refused = 0
        for step in 0..<400 {
            let player = players[Int.random(in: 0...1, using: &random)]
            let others = players.reduce(0) { $1 === player ? $0 : $0 + size($1) }
            let before = player.savedQueue
            do throws(PlayerError) { try edit(player, &random) } catch  where error.code == .queueFull {
                refused += 1
                #expect(player.savedQueue == before, "step \(step)")
            } catch {
                #expect(error.code != .queueFull)
            }
            #expect(player.machine.queue.extraSize == size(player), "step \(step)")
            #expect(room.share(of: 0) == room.limit - others - size(player), "step \(step)")
        }
        #expect(refused > 0)
        players.forEach { $0.clear() }
        #expect(room.share(of: 0) == room.limit)
    }

    private func edit(_ player: Player, _ random: inout SplitMix64) throws(PlayerError) {
        let count = player.count
        func place(_ random: inout SplitMix64) -> Int { count == 0 ? 0 : Int.random(in: 0..<count, using: &random) }
        func songs(_ random: inout SplitMix64) -> [QueueCandidate] {
            (0..<Int.random(in: 1...5, using: &random)).map { _ in
                if Bool.random(using: &random) { return stream(Int.random(in: 0...9000, using: &random)) }
                return song(Int64.random(in: 1...9, using: &random))
            }
        }
        let first = place(&random)
        let id = count == 0 ? QueueEntryID(rawValue: 1) : player.entries[first].id
        switch Int.random(in: 0...13, using: &random) {
        case 0...4: try player.insert(songs(&random), at: .absolute(first))
        case 5: try player.delete(first..<first + 3)
        case 6:
            let last = player.entries.last?.id ?? id
            player.perform { $0.delete([id, last]) }
        case 7: try player.swap(first, place(&random))
        case 8: try player.shuffle(nil)
        case 9:
            let length = Int.random(in: 0...20_000, using: &random)
            _ = try player.setStreamTags(id: id) { $0.append(TagValue(.title, String(repeating: "t", count: length))) }
        case 10: _ = try player.setStreamTags(id: id) { $0.removeAll() }
        case 11: try player.setRange(id: id, start: .seconds(Int.random(in: 0...9, using: &random)), end: nil)
        case 12: player.removeSongs([SongID(rawValue: Int64.random(in: 1...9, using: &random))])
        default:
            let songs = songs(&random) + songs(&random)
            _ = try player.attempt { machine throws(PlayerError) in try machine.replace(songs, [3]) }
        }
    }

    @Test("What does not fit is refused, what was there stays, and songs of the library fit in any case")
    func refusal() async throws {
        let room = QueueRoom(limit: 10_000)
        let player = try PlayerHarness(settings: settings(room)).player
        let other = try PlayerHarness(limit: 50_000, settings: settings(room)).player
        let ids = try player.insert([stream(5000), song(1)], at: nil)
        let full = PlayerError(.queueFull)
        #expect(throws: full) { try player.insert([song(2), stream(5000)], at: nil) }
        #expect(throws: full) { try other.insert([stream(5000)], at: nil) }
        #expect(throws: full) { try player.editAtOnce { try $0.replace([stream(9000), stream(9000)]) } }
        let long = TagValue(.title, String(repeating: "t", count: 5000))
        #expect(throws: full) { _ = try player.setStreamTags(id: ids[0]) { $0.append(long) } }
        await #expect(throws: full) {
            try await other.edit(.all()) { try $0.insert((1...20_000).map { song($0) } + [stream(5000)], at: nil) }
        }
        #expect(player.count == 2 && other.count == 0)
        try await other.edit(.entries(20_000)) { try $0.insert((1...20_000).map { song($0) }, at: nil) }
        try player.setRange(id: ids[1], start: .seconds(3), end: .seconds(9))
        try player.delete(id: ids[0])
        try other.insert([stream(5000)], at: nil)
        #expect(throws: full) { try player.insert([stream(5000)], at: nil) }
        try await other.edit(.all()) { $0.clear() }
        try player.insert([stream(5000)], at: nil)
        try player.insert((1...20).map { song($0) }, at: nil)
    }

    @Test("A saved queue that takes too much comes back as far as there is room, at its place")
    func restoring() throws {
        let player = try PlayerHarness().player
        try player.insert([song(1), stream(5000), song(2), stream(5000), stream(3000), song(3)], at: nil)
        try player.play(position: 5)
        let small = try PlayerHarness(settings: settings(QueueRoom(limit: 10_000))).player
        small.restore(player.savedQueue, player.savedPlayer, resume: .pause) { song($0.rawValue) }
        let kept = [0, 1, 2, 4, 5].map { player.entries[$0] }
        #expect(small.entries.map(\.id) == kept.map(\.id) && small.entries.map(\.item) == kept.map(\.item))
        #expect(small.status.song?.id == kept[4].id)
        #expect(small.machine.queue.extraSize == size(small))
    }

    @Test("A player that is gone takes nothing")
    func gone() throws {
        let room = QueueRoom(limit: 10_000)
        do {
            let harness = try PlayerHarness(settings: settings(room))
            try harness.player.insert([stream(5000)], at: nil)
            #expect(room.share(of: 0) < 5000)
        }
        #expect(room.share(of: 0) == 10_000)
    }
}
