import MusicModel
import ServerLoop
import Testing

@testable import Playback

@Suite("Songs that leave the library and return")
@ServerActor
struct DepartingTests {
    private func ids(_ numbers: Int64...) -> Set<SongID> { Set(numbers.map { SongID(rawValue: $0) }) }

    private func bringBack(_ numbers: Int64..., to player: Player) {
        player.perform { machine in
            machine.bringBack(Dictionary(uniqueKeysWithValues: numbers.map { (SongID(rawValue: $0), song($0)) }))
        }
    }

    @Test("They come back to their places, also when others moved meanwhile")
    func places() throws {
        let harness = try PlayerHarness(songs: 1...8)
        let player = harness.player
        player.removeSongs(ids(1, 3, 4, 8))
        #expect(harness.songs == [2, 5, 6, 7])
        try player.insert([song(9)], at: .absolute(0))
        try player.move(2..<3, to: .absolute(3))
        #expect(harness.songs == [9, 2, 6, 5, 7])
        harness.forget()
        bringBack(1, 3, 4, 8, to: player)
        #expect(harness.songs == [1, 9, 2, 3, 4, 6, 5, 7, 8])
        #expect(harness.takeChanges() == .queue)
        #expect(player.departedSongs.isEmpty)
        bringBack(1, 3, to: player)
        #expect(harness.songs.count == 9)
    }

    @Test("They come back in their order when they left one after the other, and those around them were deleted")
    func oneAfterTheOther() throws {
        let harness = try PlayerHarness(songs: 1...6)
        let player = harness.player
        player.removeSongs(ids(3))
        player.removeSongs(ids(2))
        player.removeSongs(ids(4))
        #expect(harness.songs == [1, 5, 6])
        bringBack(2, 3, 4, to: player)
        #expect(harness.songs == [1, 2, 3, 4, 5, 6])
        player.removeSongs(ids(4))
        try player.delete(1..<3)
        bringBack(4, to: player)
        #expect(Set(harness.songs) == [1, 4, 5, 6])
    }

    @Test("They keep the tags that a cue sheet has for them, which take room")
    func sheetTags() throws {
        let harness = try PlayerHarness(songs: 1...2)
        let player = harness.player
        var part = song(3)
        part.range = SongRange(start: .seconds(10), end: nil)
        let smaller = part.extraSize
        part.sheetTags = [TagValue(.title, "Part")]
        #expect(part.extraSize > smaller)
        try player.insert([part], at: nil)
        #expect(player.entries.hasSheetTags && player.entries.sheetTags(of: player.entries[2].id) == part.sheetTags)
        #expect(player.savedQueue.entries.map(\.sheetTags) == [[], [], part.sheetTags])
        player.removeSongs(ids(3))
        #expect(!player.entries.hasSheetTags)
        bringBack(3, to: player)
        #expect(player.entries[2].sheetTags == part.sheetTags && player.entries[2].range == part.range)
    }

    @Test("They keep priority, part, and being the current one")
    func whatTheyWere() throws {
        let harness = try PlayerHarness(songs: 1...4)
        let player = harness.player
        try player.play(position: 1)
        player.stop()
        let second = player.entries[1].id
        try player.setRange(id: second, start: .seconds(10), end: .seconds(20))
        try player.setPriority(7, range: 1..<2)
        player.removeSongs(ids(2))
        #expect(player.status.songPosition == nil)
        bringBack(2, to: player)
        #expect(harness.songs == [1, 2, 3, 4])
        #expect(player.status.songPosition == 1)
        #expect(player.entries[1].priority == 7)
        #expect(player.entries[1].range == SongRange(start: .seconds(10), end: .seconds(20)))
    }

    @Test("What plays goes on, and a cleared queue stays empty")
    func others() throws {
        let harness = try PlayerHarness(songs: 1...4)
        let player = harness.player
        try player.play(position: 2)
        harness.started()
        player.removeSongs(ids(1, 2, 3, 4))
        #expect(harness.songs == [3])
        bringBack(1, 2, 3, 4, to: player)
        #expect(harness.songs == [1, 2, 3, 4])
        #expect(player.status.songPosition == 2)
        #expect(player.isPlaying)
        player.removeSongs(ids(1))
        player.clear()
        bringBack(1, to: player)
        #expect(harness.songs == [])
    }
}
