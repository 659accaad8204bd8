import MusicModel
import Testing

@testable import Playback

@Suite("Steps of a player's state")
struct PlayerStepTests {
    private func machine(_ items: QueueCandidate...) throws -> PlayerStateMachine {
        var machine = PlayerStateMachine(seed: 1)
        _ = try machine.step(canBeHeard: true) { machine in
            Result { () throws(PlayerError) in try machine.insert(items, at: nil) }
        }.value.get()
        return machine
    }

    private func stream(_ name: String) -> QueueCandidate {
        QueueCandidate(.stream(url: "http://host/\(name)", tags: []))
    }

    /// The orders of a command, with the kinds of the options and without tracks.
    private func orders(_ step: (value: some Any, orders: [EngineOrder], changes: Subsystem)) -> [String] {
        step.orders.map { order in
            switch order {
            case .start: "start"
            case .prepareNext(let track): track == nil ? "prepare nothing" : "prepare"
            case .seek: "seek"
            case .setPaused(let isPaused): isPaused ? "pause" : "resume"
            case .stop: "stop"
            case .set(let option): "\(option)"
            case .keepReady(let streams): "keep \(streams.count)"
            }
        }
    }

    @Test("the first one gives the engine all options, later ones those that changed")
    func options() {
        var machine = PlayerStateMachine(seed: 1)
        #expect(
            orders(machine.step(canBeHeard: true) { _ in }) == [
                "volume(100)", "crossfade(0)", "mixRamp(threshold: 0.0, delay: nil)",
                "replayGain(Playback.EngineReplayGainMode.off)", "speed(1.0)",
            ])
        #expect(orders(machine.step(canBeHeard: true) { _ in }).isEmpty)
        let step = machine.step(canBeHeard: true) { machine in
            machine.options.volume = 30
            machine.options.replayGainMode = .auto
        }
        #expect(orders(step) == ["volume(30)", "replayGain(Playback.EngineReplayGainMode.album)"])
    }

    @Test("automatic ReplayGain follows the order whichever command changes that")
    func replayGain() throws {
        var machine = try machine(song(1), song(2))
        _ = machine.step(canBeHeard: true) { $0.setOption(\.replayGainMode, .auto) }
        let step = machine.step(canBeHeard: true) { $0.setRandom(true) }
        #expect(orders(step) == ["replayGain(Playback.EngineReplayGainMode.track)"])
    }

    @Test("each one ends with the right song prepared, whatever the command did")
    func prepares() throws {
        var machine = try machine(song(1), song(2))
        #expect(orders(machine.step(canBeHeard: true) { $0.start(0) }) == ["start", "prepare", "keep 0"])
        #expect(orders(machine.step(canBeHeard: true) { $0.options.single = .on }) == ["prepare nothing"])
    }

    @Test("streams beside a song are named again after a start, and when they change")
    func streams() throws {
        var machine = try machine(stream("a"), stream("b"), stream("c"))
        #expect(orders(machine.step(canBeHeard: true) { $0.start(0) }).last == "keep 1")
        #expect(orders(machine.step(canBeHeard: true) { _ in }).isEmpty)
        #expect(orders(machine.step(canBeHeard: true) { $0.start(1) }).last == "keep 2")
        #expect(orders(machine.step(canBeHeard: true) { $0.pause(true) }) == ["pause", "keep 0"])
    }

    @Test("without an output playing becomes a pause, and says why")
    func unheard() throws {
        var machine = try machine(song(1))
        let step = machine.step(canBeHeard: false) { $0.start(0) }
        #expect(orders(step) == ["start", "pause", "keep 0"])
        #expect(machine.transport == .pause && machine.error == "All audio outputs are disabled")
        #expect(step.changes == .player)
    }

    @Test("nothing is handed over twice")
    func once() throws {
        var machine = try machine(song(1))
        #expect(!machine.step(canBeHeard: true) { $0.start(0) }.changes.isEmpty)
        let step = machine.step(canBeHeard: true) { _ in }
        #expect(step.orders.isEmpty && step.changes.isEmpty)
    }
}

@Suite("Plays that the engine has")
struct EnginePlaysTests {
    private func entry(_ id: UInt32) throws -> QueueEntry {
        var queue = Queue(limit: 10)
        _ = queue.insert((1...3).map { song($0) }, at: 0)
        return try #require(queue.position(of: QueueEntryID(rawValue: id)).map { queue[$0] })
    }

    @Test("a play that joins on becomes the current one")
    func joins() throws {
        var plays = EnginePlays()
        let first = plays.load(try entry(1))
        let prepared = plays.prepare(try entry(2))
        let second = try #require(prepared)
        #expect(second.number == first.number + 1 && plays.expects(first.number) && plays.expects(second.number))
        #expect(plays.begin() && !plays.begin(), "its start is told once")
        plays.join()
        #expect(plays.loaded?.number == second.number && plays.prepared == nil)
        #expect(plays.begin() == false, "it is heard already")
    }

    @Test("a play that was replaced is known as withdrawn until something else starts")
    func withdrawn() throws {
        var plays = EnginePlays()
        _ = plays.load(try entry(1))
        let prepared = plays.prepare(try entry(2))
        let second = try #require(prepared)
        _ = plays.prepare(nil)
        #expect(plays.isWithdrawn(second.number) && !plays.expects(second.number))
        _ = plays.load(try entry(3))
        #expect(!plays.isWithdrawn(second.number))
    }

    @Test("an entry that can't be prepared is remembered until it changes or something else starts")
    func unpreparable() throws {
        var plays = EnginePlays()
        _ = plays.load(try entry(1))
        let second = try entry(2)
        _ = plays.prepare(second)
        plays.failPrepared()
        #expect(plays.prepared == nil && plays.unpreparable == second.id)
        plays.prepareAnew(try entry(3).id)
        #expect(plays.unpreparable == second.id)
        plays.prepareAnew(second.id)
        #expect(plays.unpreparable == nil)
    }

    @Test("facts of the current play are news for clients, those of the prepared one are kept for later")
    func facts() throws {
        var plays = EnginePlays()
        let first = plays.load(try entry(1))
        let prepared = plays.prepare(try entry(2))
        let second = try #require(prepared)
        #expect(plays.learn(first.number, nil, .seconds(3), nil) == true)
        #expect(plays.learn(first.number, nil, .seconds(3), 320) == false, "the bit rate changes all the time")
        #expect(!plays.learn(second.number, nil, .seconds(9), nil) && plays.prepared?.duration == .seconds(9))
        #expect(plays.loaded?.duration == .seconds(3) && plays.loaded?.bitRate == 320)
    }

    @Test("an edit beside the loop leaves the current play alone, unless it ended it")
    func adopts() throws {
        var plays = EnginePlays()
        _ = plays.load(try entry(1))
        var edited = plays
        _ = edited.prepare(try entry(2))
        _ = plays.begin()
        plays.adopt(edited, endsCurrent: false)
        #expect(plays.loaded?.hasStarted == true && plays.prepared == edited.prepared)
        edited.unload()
        plays.adopt(edited, endsCurrent: true)
        #expect(plays.loaded == nil)
    }
}

@Suite("The place in a song")
struct SongPositionTests {
    @Test("what the engine says counts, but not while a seek is under way")
    func progress() {
        var place = SongPosition(.seconds(3))
        place.progressed(to: .seconds(4))
        #expect(place.position == .seconds(4))
        place.seek(to: .seconds(60), inEngine: true)
        place.progressed(to: .seconds(5))
        #expect(place.position == .seconds(60) && place.isSeeking)
    }

    @Test("the last seek is answered, and news only if it led far from where it was to")
    func seeks() {
        var place = SongPosition()
        place.seek(to: .seconds(60), inEngine: true)
        place.seek(to: .seconds(70), inEngine: true)
        #expect(!place.arrived(for: .seconds(60), at: .seconds(60)) && place.isSeeking)
        #expect(!place.arrived(for: .seconds(70), at: .milliseconds(69_600)) && !place.isSeeking)
        place.seek(to: .seconds(90), inEngine: true)
        #expect(place.arrived(for: .seconds(90), at: .seconds(70)) == true)
    }

    @Test("behind its end a paused song stays there until something else is sought")
    func end() {
        var place = SongPosition()
        place.passEnd(.seconds(100))
        #expect(!place.arrived(for: .seconds(100), at: .zero) && place.isAtEnd)
        place.seek(to: .seconds(1), inEngine: true)
        #expect(!place.isAtEnd)
    }
}

@Suite("Errors of playing")
struct PlayErrorsTests {
    @Test("an interruption is told once for each cause, and gone when the stream sounds")
    func interruption() {
        var errors = PlayErrors()
        #expect(errors.interrupted("gone") && !errors.interrupted("gone") && errors.interrupted("refused"))
        #expect(errors.endInterruption() && errors.error == nil && !errors.endInterruption())
    }

    @Test("a failure stays shown until a client plays or clears it")
    func failure() {
        var errors = PlayErrors()
        _ = errors.interrupted("gone")
        errors.failed("no sound")
        #expect(!errors.endInterruption() && errors.error == "no sound" && errors.failures == 1)
        #expect(errors.clear() && !errors.clear() && errors.failures == 1)
        #expect(!errors.forget() && errors.failures == 0)
    }
}
