import MusicModel
import ServerLoop
import Testing

@testable import Playback

@Suite("Editing while playing")
@ServerActor
struct EditingTests {
    @Test("deleting the song that plays goes on with the following one; paused it stops there")
    func deletingCurrent() throws {
        let harness = try PlayerHarness(songs: 1...4)
        try harness.player.play(position: 1)
        try harness.player.delete(1..<2)
        #expect(harness.currentSong == 3 && harness.state == .play && harness.position == 1)
        #expect(harness.engine.playing?.source == source(3))
        harness.player.pause(true)
        try harness.player.delete(id: id(3))
        #expect(harness.currentSong == 4 && harness.state == .stop)
        try harness.player.play(position: nil)
        try harness.player.delete(1..<2)
        #expect(harness.state == .stop && harness.position == nil)
        #expect(harness.engine.playing == nil)
    }

    @Test("deleting a range around the current song goes on behind the range")
    func deletingAround() throws {
        let harness = try PlayerHarness(songs: 1...6)
        try harness.player.play(position: 2)
        try harness.player.delete(1..<4)
        #expect(harness.songs == [1, 5, 6] && harness.currentSong == 5)
        harness.player.setRepeat(true)
        try harness.player.delete(1..<99)
        #expect(harness.songs == [1] && harness.currentSong == 1 && harness.state == .play)
        harness.player.setSingle(.on)
        try harness.player.delete(0..<1)
        #expect(harness.state == .stop && harness.position == nil)
    }

    @Test("deleting the current song when stopped leaves none current")
    func deletingStopped() throws {
        let harness = try PlayerHarness(songs: 1...3)
        try harness.player.play(position: 1)
        harness.player.stop()
        try harness.player.delete(0..<1)
        #expect(harness.currentSong == 2 && harness.position == 0)
        try harness.player.delete(0..<1)
        #expect(harness.player.current == nil)
    }

    @Test("ranges: at the length they are empty, beyond it refused, a large end is clipped but for move")
    func ranges() throws {
        let harness = try PlayerHarness(songs: 1...3)
        let player = harness.player
        let version = player.status.queueVersion
        try player.delete(3..<4)
        try player.setPriority(5, range: 3..<9)
        try player.shuffle(2..<3)
        #expect(throws: PlayerError(.badRange)) { try player.delete(4..<5) }
        #expect(throws: PlayerError(.badRange)) { try player.setPriority(1, range: 4..<5) }
        #expect(throws: PlayerError(.badRange)) { try player.shuffle(4..<6) }
        #expect(throws: PlayerError(.badRange)) { try player.move(2..<2, to: .absolute(0)) }
        #expect(throws: PlayerError(.badRange)) { try player.move(0..<4, to: .absolute(0)) }
        #expect(throws: PlayerError(.badRange)) { try player.move(0..<2, to: .absolute(2)) }
        #expect(throws: PlayerError(.badRange)) { try player.swap(0, 3) }
        #expect(throws: PlayerError(.noSuchSong)) { try player.swap(id: id(1), id(9)) }
        #expect(throws: PlayerError(.noSuchSong)) { try player.delete(id: id(9)) }
        #expect(throws: PlayerError(.noSuchSong)) { try player.move(id: id(9), to: .absolute(0)) }
        #expect(throws: PlayerError(.noSuchSong)) { try player.setPriority(1, id: id(9)) }
        #expect(throws: PlayerError(.badRange)) { try player.insert([song(9)], at: .absolute(4)) }
        #expect(throws: PlayerError(.notPlaying)) { try player.insert([song(9)], at: .afterCurrent(0)) }
        #expect(throws: PlayerError(.notPlaying)) { try player.move(0..<1, to: .beforeCurrent(0)) }
        #expect(player.status.queueVersion == version)
        #expect(harness.takeChanges() == [])
        try player.delete(0..<Int.max)
        #expect(player.count == 0)
    }

    @Test("relative positions count from the current song")
    func relativePositions() throws {
        let harness = try PlayerHarness(songs: 1...4)
        let player = harness.player
        try player.play(position: 1)
        try player.insert([song(10)], at: .afterCurrent(0))
        try player.insert([song(11)], at: .beforeCurrent(0))
        #expect(harness.songs == [1, 11, 2, 10, 3, 4] && harness.currentSong == 2)
        try player.move(5..<6, to: .afterCurrent(0))
        #expect(harness.songs == [1, 11, 2, 4, 10, 3])
        try player.move(id: id(1), to: .afterCurrent(1))
        #expect(harness.songs == [11, 2, 4, 1, 10, 3] && harness.currentSong == 2)
        try player.move(4..<6, to: .beforeCurrent(1))
        #expect(harness.songs == [10, 3, 11, 2, 4, 1] && harness.currentSong == 2)
        #expect(throws: PlayerError(.badRange)) { try player.move(3..<4, to: .afterCurrent(0)) }
        #expect(throws: PlayerError(.badRange)) { try player.insert([song(9)], at: .afterCurrent(3)) }
        #expect(throws: PlayerError(.badRange)) { try player.insert([song(9)], at: .beforeCurrent(4)) }
    }

    @Test("moving and swapping follow the current song, and what is prepared follows the edit")
    func prepared() throws {
        let harness = try PlayerHarness(songs: 1...5)
        let player = harness.player
        try player.play(position: 0)
        harness.forget()
        try player.move(4..<5, to: .absolute(1))
        #expect(harness.engine.takeCalls() == [.prepare(source(5))])
        try player.swap(0, 4)
        #expect(harness.currentSong == 1 && harness.position == 4)
        #expect(harness.engine.takeCalls() == [.prepare(nil)])
        player.setRepeat(true)
        #expect(harness.engine.takeCalls() == [.prepare(source(4))])
        player.setSingle(.on)
        #expect(harness.engine.takeCalls() == [.prepare(source(1))])
        player.setRepeat(false)
        #expect(harness.engine.takeCalls() == [.prepare(nil)])
        player.setSingle(.off)
        try player.insert([song(6)], at: nil)
        #expect(harness.engine.takeCalls() == [.prepare(source(6))])
        try player.delete(5..<6)
        #expect(harness.engine.takeCalls() == [.prepare(nil)])
    }

    @Test("shuffle puts the song that plays first in its range; when stopped none stays current")
    func shuffle() throws {
        let harness = try PlayerHarness(songs: 1...20)
        try harness.player.play(position: 7)
        try harness.player.shuffle(5..<15)
        #expect(harness.position == 5 && harness.currentSong == 8)
        #expect(harness.songs.prefix(5) == [1, 2, 3, 4, 5] && harness.songs.suffix(5) == [16, 17, 18, 19, 20])
        #expect(harness.songs.sorted() == Array(1...20) && harness.songs != Array(1...20))
        try harness.player.shuffle(nil)
        #expect(harness.position == 0 && harness.currentSong == 8)
        harness.player.stop()
        try harness.player.shuffle(nil)
        #expect(harness.position == nil)
    }

    @Test("a full queue takes nothing in part")
    func full() throws {
        let harness = try PlayerHarness(songs: 1...3, limit: 4)
        #expect(throws: PlayerError(.queueFull)) { try harness.player.insert([song(4), song(5)], at: nil) }
        #expect(harness.player.count == 3)
        try harness.player.insert([song(4)], at: .absolute(0))
        #expect(throws: PlayerError(.queueFull)) { try harness.player.insert([song(5)], at: nil) }
    }

    @Test("clear stops, empties and forgets the loaded playlist")
    func clear() throws {
        let harness = try PlayerHarness(songs: 1...3)
        harness.player.setLastLoadedPlaylist("Quiet")
        try harness.player.play(position: 0)
        harness.forget()
        harness.player.clear()
        #expect(harness.engine.takeCalls() == [.stop])
        #expect(harness.takeChanges() == [.player, .queue])
        let status = harness.player.status
        #expect(status.queueLength == 0 && status.state == .stop && status.song == nil)
        #expect(status.lastLoadedPlaylist == "")
        #expect(try harness.player.insert([song(1)], at: nil) == [id(4)])
    }

    @Test("a song's priority falls back to 0 when it plays")
    func priority() throws {
        let harness = try PlayerHarness(songs: 1...2)
        try harness.player.setPriority(7, id: id(2))
        #expect(harness.player.entries[1].priority == 7)
        try harness.player.play(position: 0)
        harness.started()
        harness.forget()
        harness.songEnds()
        #expect(harness.player.entries[1].priority == 0)
        #expect(harness.takeChanges() == [.player, .queue])
    }

    @Test("songs that left the library go, but for the one that plays; edited ones count as changed")
    func library() throws {
        let harness = try PlayerHarness(songs: 1...4)
        try harness.player.play(position: 1)
        let gone: Set = [SongID(rawValue: 2), SongID(rawValue: 3), SongID(rawValue: 77)]
        harness.player.removeSongs(gone)
        #expect(harness.songs == [1, 2, 4])
        harness.player.stop()
        harness.player.removeSongs(gone)
        #expect(harness.songs == [1, 4])
        let version = harness.player.status.queueVersion
        harness.forget()
        harness.player.songsChanged([SongID(rawValue: 4)])
        #expect(harness.player.changes(since: version) == [1])
        #expect(harness.takeChanges() == .queue)
        harness.player.songsChanged(gone)
        harness.player.removeSongs(gone)
        #expect(harness.takeChanges() == [])
    }

    @Test("tags can be given to streams, not to songs of the library")
    func streamTags() throws {
        let harness = try PlayerHarness(songs: 1...1)
        let stream = QueueCandidate(.stream(url: "http://radio.example/live", tags: []))
        let ids = try harness.player.insert([stream], at: nil)
        harness.forget()
        let tag = TagValue(.title, "News")
        #expect(try harness.player.setStreamTags(id: ids[0]) { $0.append(tag) })
        #expect(harness.player.entries[1].item == .stream(url: "http://radio.example/live", tags: [tag]))
        #expect(harness.takeChanges() == .queue)
        #expect(try harness.player.setStreamTags(id: ids[0]) { _ in })
        #expect(harness.takeChanges() == [])
        #expect(try !harness.player.setStreamTags(id: id(1)) { $0.append(tag) })
    }

    @Test("rangeid: a part of a song, prepared anew when it comes next, refused for the current one")
    func partsOfSongs() throws {
        let harness = try PlayerHarness(songs: 1...3)
        let player = harness.player
        #expect(throws: PlayerError(.noSuchSong)) { try player.setRange(id: id(9), start: .zero, end: nil) }
        #expect(throws: PlayerError(.badOffset)) { try player.setRange(id: id(1), start: .seconds(601), end: nil) }
        try player.setRange(id: id(1), start: .seconds(10), end: .seconds(40))
        #expect(harness.takeChanges() == .queue)
        try player.play(position: 0)
        #expect(harness.engine.playing?.range == SongRange(start: .seconds(10), end: .seconds(40)))
        #expect(harness.engine.playing?.duration == .seconds(30))
        #expect(player.status.duration == .seconds(30))
        #expect(throws: PlayerError(.isCurrent)) { try player.setRange(id: id(1), start: .zero, end: nil) }
        let before = try #require(harness.engine.prepared)
        try player.setRange(id: id(2), start: .seconds(5), end: .seconds(700))
        let after = try #require(harness.engine.prepared)
        #expect(before.range == nil && after.range == SongRange(start: .seconds(5), end: nil))
        #expect(before.play != after.play && after.source == before.source)
        // The engine had gone on with the whole song before it heard of the change.
        harness.started()
        player.handle(.started(play: before.play))
        #expect(harness.engine.playing?.range == SongRange(start: .seconds(5), end: nil))
        player.stop()
        try player.setRange(id: id(2), start: .zero, end: nil)
        #expect(player.entries[1].range == nil)
        #expect(player.entries[0].playingTime == .seconds(30))
        #expect(player.savedQueue.entries[0].range == SongRange(start: .seconds(10), end: .seconds(40)))
    }

    @Test("a seek beyond the end of a part goes on to the next song")
    func seekInPart() throws {
        let harness = try PlayerHarness(songs: 1...2)
        try harness.player.setRange(id: id(1), start: .seconds(10), end: .seconds(40))
        try harness.player.play(position: 0)
        harness.started()
        try harness.player.seekCurrent(to: .seconds(29), isRelative: false)
        #expect(harness.position == 0)
        try harness.player.seekCurrent(to: .seconds(30), isRelative: false)
        #expect(harness.position == 1)
        try harness.player.seek(position: 0, to: .seconds(35))
        #expect(harness.position == 1)
    }
}
