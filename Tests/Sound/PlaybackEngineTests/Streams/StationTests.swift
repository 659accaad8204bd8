import Coordination
import MusicModel
import Playback
import Testing

@testable import PlaybackEngine

/// A deck of a station, without a connection.
private func station(_ id: Int, _ phase: PlayingDeck.Phase = .fetching, play: UInt64 = 0) -> PlayingDeck {
    let deck = PlayingDeck(
        id: id, track: EngineTrack(play: play, source: .stream(url: "http://a/\(id)")), target: .zero)
    deck.phase = phase
    return deck
}

private let second = Nanoseconds.seconds(1)

@Suite("Stations that are kept ready")
struct ReadyStationsTests {
    private func url(_ id: Int) -> String { "http://a/\(id)" }

    /// Keeps stations with these numbers.
    private func keep(_ ready: inout ReadyStations, _ ids: [Int], besides others: [PlayingDeck] = []) -> [Int] {
        let urls = ids.map(url)
        return ready.keep(urls, besides: others, at: .zero) { url in
            station(ids.first { self.url($0) == url } ?? 0)
        }.map(\.id)
    }

    @Test("a station that was left waits a second for the player's decision, and no longer")
    func left() {
        var ready = ReadyStations()
        #expect(ready.putAside(station(1), at: .zero) == nil)
        #expect(ready.takeOverdue(at: second) == nil)
        #expect(ready.takeOverdue(at: second + Nanoseconds(count: 1))?.id == 1)
        #expect(ready.takeOverdue(at: .seconds(9)) == nil && ready.left == nil)
    }

    @Test("a station that is left gives way to the next one that is, and to nothing else")
    func leftTwice() {
        var ready = ReadyStations()
        _ = ready.putAside(station(1), at: .zero)
        #expect(ready.putAside(station(2), at: second / 2)?.id == 1)
        #expect(ready.takeOverdue(at: second + Nanoseconds(count: 1)) == nil, "its own second isn't over")
        #expect(ready.takeLeft()?.id == 2 && ready.takeLeft() == nil)
    }

    @Test("those that the player names are made or stay, the others are given back")
    func keeps() {
        var ready = ReadyStations()
        let none = keep(&ready, [1, 2])
        #expect(none.isEmpty)
        #expect(ready.decks.map(\.id) == [1, 2])
        let second = ready.decks[1]
        let first = keep(&ready, [2, 3], besides: [station(3)])
        #expect(first == [1])
        #expect(ready.decks.count == 1 && ready.decks[0] === second, "3 is connected elsewhere")
        let last = keep(&ready, [])
        #expect(last == [2] && ready.decks.isEmpty)
    }

    @Test("a station that was left is kept with its connection if the player names it")
    func admits() {
        var ready = ReadyStations()
        let (left, other) = (station(1, .ready, play: 7), station(2, .ready, play: 8))
        _ = ready.putAside(left, at: .zero)
        let none = keep(&ready, [1])
        #expect(none.isEmpty)
        #expect(ready.decks.count == 1 && ready.decks[0] === left && left.track.play == 0)
        #expect(ready.admit(other, at: .zero) === other, "it isn't wanted")
        #expect(ready.admit(station(1, .ready), at: .zero) != nil, "there is one already")
    }

    @Test("a station without a working connection is not kept")
    func broken() {
        var ready = ReadyStations()
        _ = keep(&ready, [1])
        _ = ready.take(url(1))
        let deck = station(1, .opening)
        #expect(ready.admit(deck, at: .zero) === deck)
        (deck.phase, deck.breakage) = (.ready, StreamFailure(message: "gone"))
        #expect(ready.admit(deck, at: .zero) === deck)
        deck.breakage = nil
        #expect(ready.admit(deck, at: .zero) == nil && ready.decks.count == 1)
    }

    @Test("only a connected one takes the place of a stream that joins on")
    func joins() {
        var ready = ReadyStations()
        _ = keep(&ready, [1, 2])
        #expect(ready.takeConnected(url(1)) == nil)
        ready.decks[1].phase = .opening
        #expect(ready.takeConnected(url(2))?.id == 2)
        #expect(ready.take(url(2)) == nil && ready.take(url(1))?.id == 1)
    }

    @Test("they are connected when their time has come, unless the same stream is being opened to join on")
    func connections() {
        var ready = ReadyStations()
        _ = keep(&ready, [1, 2, 3])
        ready.decks[1].link.retryAt = .seconds(5)
        #expect(ready.due(at: .seconds(4), unless: nil).map(\.id) == [1, 3])
        #expect(ready.due(at: .seconds(5), unless: station(3, .opening)).map(\.id) == [1, 2])
        #expect(ready.due(at: .seconds(5), unless: station(3)).map(\.id) == [1, 2, 3], "it isn't opened yet")
        ready.decks[0].phase = .opening
        ready.decks[0].link.openedAt = second
        #expect(ready.overdue(at: .seconds(11), patience: .seconds(10)).isEmpty)
        #expect(ready.overdue(at: .seconds(11) + Nanoseconds(count: 1), patience: .seconds(10)).map(\.id) == [1])
    }
}

@Suite("Switching between stations")
struct TrackSwitchingTests {
    @Test("a station that leaves before it was fully there fades from where it was, without a step")
    func fades() {
        var rise = TrackFade(length: .milliseconds(1800))
        rise.move(by: .milliseconds(600))
        let falling = rise.reversed
        #expect(abs(falling.factors.out - rise.factors.in) < 1e-6)
        #expect(abs(falling.reversed.factors.in - rise.factors.in) < 1e-6)
        var over = falling
        over.move(by: .milliseconds(600))
        #expect(over.isOver && over.factors.out < 1e-6)
        over.move(by: .milliseconds(-5000))
        #expect(over.done == falling.done)
    }

    @Test("the current station fades out while the next one rises, and both are done at the same time")
    func overlap() throws {
        var switching = TrackSwitching()
        _ = switching.fadeOut(station(1), over: .milliseconds(1000), takingBack: .zero)
        switching.begin(TrackFade(length: .milliseconds(1000)))
        let (rising, falling) = (switching.riseOn(by: .milliseconds(500)), switching.fadeOn(by: .milliseconds(500)))
        let (rise, fall) = (try #require(rising), try #require(falling.first))
        #expect(rise.from < 1e-6 && abs(fall.from - 1) < 1e-6)
        #expect(abs(rise.to - fall.to) < 1e-3, "in the middle they are equally loud")
        #expect(switching.takeFaded().map(\.id) == [])
        _ = (switching.riseOn(by: .milliseconds(500)), switching.fadeOn(by: .milliseconds(500)))
        #expect(switching.riseOn(by: .milliseconds(500)) == nil, "it is there")
        #expect(switching.takeFaded().map(\.id) == [1] && switching.leaving.isEmpty)
    }

    @Test("the first sound of the current station is told once")
    func start() {
        var switching = TrackSwitching()
        #expect(switching.takeStart() == false)
        switching.begin(nil)
        #expect(switching.takeStart() && !switching.takeStart())
        #expect(switching.riseOn(by: .milliseconds(1)) == nil, "without an overlap it sounds at once")
    }

    @Test("a client that switches faster than stations fade hears the last two")
    func surplus() {
        var switching = TrackSwitching()
        for id in 1...2 {
            #expect(switching.fadeOut(station(id), over: .milliseconds(1000), takingBack: .zero).map(\.id) == [])
        }
        #expect(switching.fadeOut(station(3), over: .milliseconds(1000), takingBack: .zero).map(\.id) == [1])
        #expect(switching.leaving.map(\.deck.id) == [2, 3])
        #expect(switching.takeFirst()?.id == 2)
        #expect(switching.end().map(\.id) == [3] && switching.takeFirst() == nil)
    }

    @Test("of songs the louder one goes on fading, the other ends soon, and one that was not heard at once")
    func songs() {
        var switching = TrackSwitching()
        _ = switching.fadeOutSong(station(1), over: second, takingBack: .zero)
        switching.begin(TrackFade(length: second))
        #expect(switching.fadeOutSong(station(2), over: second, takingBack: .zero).map(\.id) == [2])
        switching.begin(TrackFade(length: second))
        _ = (switching.riseOn(by: second / 4), switching.fadeOn(by: second / 4))
        let level = Float(0.3827)
        #expect(switching.fadeOutSong(station(3), over: second, takingBack: .zero).map(\.id) == [])
        #expect(switching.leaving.map(\.deck.id) == [1, 3])
        #expect(abs(switching.leaving[1].fade.factors.out - level) < 0.001 && switching.isUnderWay)
        _ = switching.fadeOn(by: .milliseconds(40))
        #expect(switching.takeFaded().map(\.id) == [3])
        switching.begin(TrackFade(length: second))
        _ = (switching.riseOn(by: second / 2), switching.fadeOn(by: second / 2))
        #expect(switching.fadeOutSong(station(4), over: second, takingBack: .zero).map(\.id) == [])
        #expect(switching.leaving.map(\.deck.id) == [4, 1], "now the newer one is louder")
    }

    @Test("sound that was mixed but not heard is faded once more, from where it is heard")
    func takesBack() {
        var switching = TrackSwitching()
        _ = switching.fadeOut(station(1), over: .milliseconds(1000), takingBack: .zero)
        switching.begin(TrackFade(length: .milliseconds(1000)))
        _ = (switching.riseOn(by: .milliseconds(600)), switching.fadeOn(by: .milliseconds(600)))
        _ = switching.fadeOut(station(2), over: .milliseconds(1000), takingBack: .milliseconds(200))
        #expect(
            switching.leaving.map(\.fade.done.milliseconds) == [400, 600], "2 was heard to have risen by 400 of 1000")
    }

    @Test("a station that fades out is taken back by its address, if its connection works")
    func back() {
        var switching = TrackSwitching()
        let (ready, broken, current) = (station(1, .ready), station(2, .opening), station(3, .ready))
        for deck in [ready, broken] { _ = switching.fadeOut(deck, over: .milliseconds(1000), takingBack: .zero) }
        _ = switching.fadeOn(by: .milliseconds(300))
        #expect(switching.takeBack("http://a/2", unless: current) == nil)
        #expect(switching.takeBack("http://a/1", unless: ready) == nil)
        let back = switching.takeBack("http://a/1", unless: current)
        #expect(back?.deck === ready && back?.fade.reversed.done == .milliseconds(700))
        #expect(switching.leaving.map(\.deck.id) == [2])
    }
}

@Suite("News of streams")
struct PendingNewsTests {
    private func title(_ title: String) -> StreamChange.Item { .tags([TagValue(.title, title)]) }

    @Test("are told when their sound is heard, in their order")
    func due() {
        var changes = StreamChanges()
        changes.add(StreamChange(due: .milliseconds(10), play: 1, item: title("a")))
        changes.add(StreamChange(due: .milliseconds(20), play: 1, item: title("b")))
        #expect(changes.takeDue(of: 1, at: .milliseconds(9), isEnded: false) == [])
        #expect(changes.takeDue(of: 1, at: .milliseconds(10), isEnded: false) == [title("a")])
        #expect(
            changes.takeDue(of: 1, at: .milliseconds(10), isEnded: true) == [title("b")],
            "nothing is waited for at the end")
    }

    @Test("of another play are forgotten")
    func stale() {
        var changes = StreamChanges()
        changes.add(StreamChange(due: .milliseconds(10), play: 1, item: title("a")))
        changes.add(StreamChange(due: .milliseconds(10), play: 2, item: title("b")))
        #expect(changes.takeDue(of: 2, at: .milliseconds(10), isEnded: false) == [title("b")])
        #expect(changes.takeDue(of: 1, at: .milliseconds(10), isEnded: false) == [])
    }

    @Test("a first title takes the place of older texts, and of nothing else")
    func texts() {
        var changes = StreamChanges()
        let gain = StreamChange.Item.replayGain(ReplayGain())
        changes.add(StreamChange(due: .milliseconds(1), play: 1, item: title("a")))
        changes.add(StreamChange(due: .milliseconds(2), play: 1, item: gain))
        changes.discardTags()
        #expect(changes.takeDue(of: 1, at: .milliseconds(9), isEnded: false) == [gain])
    }
}
