import MusicModel
import ServerLoop
import Testing

@testable import Playback

/// Notes where songs are.
@ServerActor
private final class NotedPlaces: PlaceKeeping {
    struct Note: Hashable {
        var song: Int64
        var seconds: Int64
        var moment: PlaceMoment
    }

    var notes: [Note] = []
    var streams: [(PlaceKey, KeptPlace, PlaceMoment)] = []

    func song(_ song: PlaceKey, isAt place: KeptPlace, of length: Duration?, _ moment: PlaceMoment) {
        guard case .song(let id) = song else { return streams.append((song, place, moment)) }
        notes.append(Note(song: id.rawValue, seconds: place.place.components.seconds, moment: moment))
        #expect(length == .seconds(600))
    }

    func take() -> [Note] {
        defer { notes = [] }
        return notes
    }
}

@Suite("Songs that go on where they stopped")
@ServerActor
struct ResumeTests {
    private func harness(songs: ClosedRange<Int64> = 1...4, _ seconds: [Int64: Int]) throws -> PlayerHarness {
        let harness = try PlayerHarness(songs: songs)
        harness.player.resumePoints = points(seconds)
        return harness
    }

    private func points(_ seconds: [Int64: Int], speeds: [Int64: Double] = [:], shortest: Int = 600) -> ResumePoints {
        let places = seconds.map {
            (PlaceKey.song(SongID(rawValue: $0.key)), KeptPlace(.seconds($0.value), speed: speeds[$0.key]))
        }
        return ResumePoints(Dictionary(uniqueKeysWithValues: places), minDuration: .seconds(shortest))
    }

    private func starts(_ harness: PlayerHarness) -> [FakeAudioEngine.Call] {
        harness.engine.takeCalls().filter { if case .start = $0 { true } else { false } }
    }

    @Test("play, next and previous start a song at its place, and status says so")
    func starting() throws {
        let harness = try harness([1: 100, 2: 200])
        try harness.player.play(position: nil)
        #expect(starts(harness) == [.start(source(1), at: .seconds(100), paused: false)])
        #expect(harness.player.status.elapsed == .seconds(100))
        try harness.player.next()
        try harness.player.next()
        try harness.player.previous()
        #expect(
            starts(harness) == [
                .start(source(2), at: .seconds(200), paused: false), .start(source(3), at: .zero, paused: false),
                .start(source(2), at: .seconds(200), paused: false),
            ])
        harness.player.stop()
        try harness.player.play(position: 1)
        #expect(starts(harness) == [.start(source(2), at: .seconds(200), paused: false)])
    }

    @Test("a seek goes where it says, also to the beginning")
    func seeking() throws {
        let harness = try harness([1: 100])
        try harness.player.seek(position: 0, to: .zero)
        #expect(starts(harness) == [.start(source(1), at: .zero, paused: false)])
    }

    @Test("short songs, parts of songs and places beyond the end start at the beginning")
    func excluded() throws {
        let harness = try harness([1: 100, 2: 600, 3: 100])
        try harness.player.setRange(id: id(3), start: .seconds(50), end: nil)
        harness.player.resumePoints.minDuration = .seconds(601)
        try harness.player.play(position: 0)
        harness.player.resumePoints.minDuration = .seconds(600)
        try harness.player.play(position: 1)
        try harness.player.play(position: 2)
        #expect(
            starts(harness) == [
                .start(source(1), at: .zero, paused: false), .start(source(2), at: .zero, paused: false),
                .start(source(3), at: .zero, paused: false),
            ])
    }

    @Test("a song with a place doesn't join on, but starts there when the one before has ended")
    func following() throws {
        let harness = try harness([2: 200])
        try harness.player.play(position: 0)
        #expect(harness.engine.prepared == nil && harness.player.status.nextPosition == 1)
        harness.started()
        harness.forget()
        harness.songEnds()
        #expect(starts(harness) == [.start(source(2), at: .seconds(200), paused: false)])
        #expect(harness.engine.prepared?.source == source(3))
    }

    @Test("a song that gets a place, or loses it, is withdrawn or prepared")
    func changing() throws {
        let harness = try harness([:])
        try harness.player.play(position: 0)
        #expect(harness.engine.prepared?.source == source(2))
        harness.player.resumePoints = points([2: 200])
        harness.player.resumePointsChanged()
        #expect(harness.engine.prepared == nil)
        harness.player.resumePoints = points([:])
        harness.player.resumePointsChanged()
        #expect(harness.engine.prepared?.source == source(2))
    }

    @Test("what plays and is started again begins anew: repeat with single, previous on the first song, play")
    func again() throws {
        let harness = try harness(songs: 1...1, [:])
        harness.player.setRepeat(true)
        try harness.player.play(position: 0)
        harness.started()
        harness.player.resumePoints = points([1: 300])
        harness.player.resumePointsChanged()
        #expect(harness.engine.prepared?.source == source(1), "it joins on to itself")
        harness.forget()
        try harness.player.previous()
        try harness.player.play(position: 0)
        try harness.player.next()
        let anew = FakeAudioEngine.Call.start(source(1), at: .zero, paused: false)
        #expect(starts(harness) == [anew, anew, anew])
        harness.player.stop()
        try harness.player.play(position: 0)
        #expect(starts(harness) == [.start(source(1), at: .seconds(300), paused: false)])
    }

    @Test("pause 0 after a restart goes on where the queue says")
    func restored() throws {
        let saved = try PlayerHarness(songs: 1...1)
        try saved.player.play(position: 0)
        saved.started()
        saved.progress(.seconds(77))
        let harness = try harness(songs: 1...1, [1: 300])
        harness.player.restore(saved.player.savedQueue, saved.player.savedPlayer, resume: .pause) {
            song($0.rawValue)
        }
        harness.forget()
        harness.player.pause(false)
        #expect(starts(harness) == [.start(source(1), at: .seconds(77), paused: false)])
    }

    @Test("the keeper hears where songs play, are paused, are left, and that they end")
    func keeping() throws {
        let harness = try harness([:])
        let keeper = NotedPlaces()
        harness.player.placeKeeper = keeper
        try harness.player.play(position: 0)
        harness.started()
        harness.progress(.seconds(70))
        harness.player.pause(true)
        #expect(
            keeper.take() == [
                .init(song: 1, seconds: 70, moment: .playing), .init(song: 1, seconds: 70, moment: .paused),
            ])
        harness.player.pause(false)
        harness.progress(.seconds(80))
        try harness.player.next()
        #expect(keeper.take().last == .init(song: 1, seconds: 80, moment: .left))
        harness.started()
        harness.progress(.seconds(599))
        harness.songEnds()
        #expect(keeper.take().last == .init(song: 2, seconds: 599, moment: .ended))
        harness.progress(.seconds(5))
        harness.player.stop()
        #expect(keeper.take().last == .init(song: 3, seconds: 5, moment: .left))
        harness.player.stop()
        harness.player.tellPlace()
        #expect(keeper.take() == [], "nothing plays")
        try harness.player.setRange(id: id(4), start: .seconds(1), end: nil)
        try harness.player.play(position: 3)
        harness.started()
        harness.progress(.seconds(100))
        harness.player.stop()
        #expect(keeper.take() == [], "parts of songs have no places")
    }

    @Test("a song that goes on where it stopped is as fast as it was there, and others are as fast as before")
    func speeds() throws {
        let harness = try harness([:])
        harness.player.resumePoints = points([1: 100, 3: 200], speeds: [1: 1.5, 3: 2])
        func speed() -> Double { harness.player.status.speed }
        harness.player.setSpeed(1.25)
        try harness.player.play(position: 0)
        #expect(speed() == 1.5 && harness.takeChanges().contains(.options))
        harness.player.setSpeed(1.75)
        try harness.player.seek(position: 0, to: .zero)
        try harness.player.play(position: 0)
        #expect(speed() == 1.75, "the client's choice counts for what plays")
        try harness.player.play(position: 2)
        #expect(speed() == 2)
        let saved = harness.player.savedPlayer
        #expect(saved.speed == 2 && saved.otherSpeed == 1.25)
        try harness.player.play(position: 1)
        #expect(speed() == 1.25 && harness.player.savedPlayer.otherSpeed == nil)
        harness.player.setSpeed(1)
        try harness.player.play(position: 3)
        #expect(speed() == 1)
        let later = try self.harness([:])
        later.player.resumePoints = harness.player.resumePoints
        later.player.restore(harness.player.savedQueue, saved, resume: .pause) { song($0.rawValue) }
        #expect(later.player.status.speed == 2)
        try later.player.play(position: 1)
        #expect(later.player.status.speed == 1.25)
    }

    @Test("chapters of a book keep its speed")
    func chapters() throws {
        var settings = PlayerSettings()
        settings.transitions.joins = { $0.rawValue == 1 && $1.rawValue == 2 }
        let harness = try PlayerHarness(songs: 1...4, settings: settings)
        harness.player.resumePoints = points([1: 100], speeds: [1: 1.5])
        try harness.player.play(position: 0)
        harness.started()
        harness.songEnds()
        #expect(harness.player.status.songPosition == 1 && harness.player.status.speed == 1.5)
        harness.started()
        harness.songEnds()
        #expect(harness.player.status.songPosition == 2 && harness.player.status.speed == 1)
    }

    @Test("episodes go on where they stopped, and the keeper hears of them; audio CDs and parts have no places")
    func episodes() throws {
        let harness = try PlayerHarness()
        let keeper = NotedPlaces()
        harness.player.placeKeeper = keeper
        let urls = ["http://h/a.mp3", "cdda:///dev/cdrom/1", "/x/book.flac"]
        try harness.player.insert(urls.map { QueueCandidate(.stream(url: $0, tags: [])) }, at: nil)
        harness.player.resumePoints = ResumePoints(
            Dictionary(uniqueKeysWithValues: urls.map { (PlaceKey.stream(url: $0), KeptPlace(.seconds(90))) }),
            minDuration: .seconds(600))
        for position in urls.indices {
            try harness.player.play(position: position)
            harness.started()
            harness.progress(.seconds(100))
        }
        let places = harness.engine.takeCalls().compactMap { call -> Duration? in
            if case .start(_, let place, _) = call { place } else { nil }
        }
        #expect(places == [.seconds(90), .zero, .seconds(90)])
        #expect(keeper.streams.map(\.0).contains(.stream(url: urls[0])))
        #expect(!keeper.streams.map(\.0).contains(.stream(url: urls[1])))
        try harness.player.play(position: 2)
        #expect(harness.player.status.elapsed == .zero, "what plays and is started again begins anew")
    }

    @Test("the current song and those behind it are upcoming; without one the first are")
    func upcoming() throws {
        let harness = try harness([:])
        #expect(harness.player.upcoming(2).map(\.rawValue) == [1, 2])
        try harness.player.play(position: 2)
        #expect(harness.player.upcoming(4).map(\.rawValue) == [3, 4])
        harness.player.setRepeat(true)
        #expect(harness.player.upcoming(3).map(\.rawValue) == [3, 4, 1])
    }
}
