import Coordination
import MusicModel
import Playback
import Testing

@testable import AudioFiles
@testable import PlaybackEngine

@Suite("Songs that join")
struct SongJoiningTests {
    private func deck(_ id: Int) -> PlayingDeck {
        PlayingDeck(
            id: id, track: EngineTrack(play: UInt64(id), source: .song(SongID(rawValue: Int64(id)))), target: .zero)
    }

    /// One track playing, another one prepared.
    private func twoSongs() -> SongJoining {
        var songs = SongJoining()
        songs.play(deck(1))
        _ = songs.prepare(deck(2))
        return songs
    }

    @Test("a joined track has a way back until it is heard")
    func callsOff() {
        var songs = twoSongs()
        #expect(songs.join() == nil)
        #expect(songs.current?.id == 2 && songs.outgoing?.id == 1 && songs.next == nil)
        #expect(songs.callOff()?.id == 2)
        #expect(songs.current?.id == 1 && songs.outgoing == nil)
    }

    @Test("once it is heard there is no way back, and the track before is let go")
    func confirms() {
        var songs = twoSongs()
        _ = songs.join()
        #expect(songs.confirmJoin()?.id == 1)
        #expect(songs.callOff() == nil && songs.current?.id == 2)
    }

    @Test("of tracks shorter than what is mixed ahead, the one before the last is let go at the join")
    func joinsTwice() {
        var songs = twoSongs()
        _ = songs.join()
        _ = songs.prepare(deck(3))
        #expect(songs.join()?.id == 1)
        #expect(songs.decks.map(\.id) == [3, 2])
    }

    @Test("calling a join off takes back an end that was mixed behind it")
    func callsOffTheEnd() {
        var songs = twoSongs()
        _ = songs.join()
        songs.end()
        _ = songs.callOff()
        #expect(!songs.isAtEnd)
    }

    @Test("another next track ends the crossfade with the one before, which is let go")
    func preparesAnother() {
        var songs = twoSongs()
        songs.beginFade(Fade(frames: 100, isPlain: false))
        #expect(songs.prepare(deck(3))?.id == 2)
        #expect(songs.fade == nil && songs.next?.id == 3)
    }

    @Test("a join remembers whether it was a crossfade")
    func remembersFade() {
        var songs = twoSongs()
        songs.beginFade(Fade(frames: 100, isPlain: false))
        _ = songs.join()
        #expect(songs.isJoinFaded && songs.fade == nil)
        _ = songs.prepare(deck(3))
        _ = songs.join()
        #expect(!songs.isJoinFaded)
    }

    @Test("whatever is removed comes back once, so that it can be closed")
    func removals() {
        var songs = twoSongs()
        _ = songs.join()
        _ = songs.prepare(deck(3))
        songs.end()
        #expect(songs.removeCurrent().map(\.id) == [2, 1])
        #expect(songs.next?.id == 3 && !songs.isAtEnd)
        #expect(songs.removeAll().map(\.id) == [3])
        #expect(songs.removeAll().isEmpty && songs.decks.isEmpty)
    }

    @Test("a crossfade keeps the power where both songs are equally loud, and ends with the second alone")
    func mixes() {
        let layout = SampleLayout(rate: 1000, channels: 1)
        let (ones, zeros) = ([Float](repeating: 1, count: 9000), [Float](repeating: 0, count: 9000))
        let fade = Fade(frames: 9000, isPlain: false)
        let (out, rising) = (fade.mix(ones, zeros, layout), fade.mix(zeros, ones, layout))
        #expect(zip(out, rising).allSatisfy { abs($0 * $0 + $1 * $1 - 1) < 0.001 })
        #expect(out.last ?? 1 < 0.001 && rising.last ?? 0 > 0.999)
        #expect(Fade(frames: 9000, isPlain: true).mix(ones, ones, layout) == [Float](repeating: 2, count: 9000))
    }
}
