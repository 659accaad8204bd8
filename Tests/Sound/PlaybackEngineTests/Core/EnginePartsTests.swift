import Coordination
import Logging
import MusicModel
import Outputs
import Playback
import SoundSamples
import Testing

@testable import AudioFiles
@testable import AudioOutputs
@testable import PlaybackEngine

@Suite("Hearing")
struct HearingTests {
    private static let second = Nanoseconds.seconds(1)

    /// A timeline of one play of ten seconds, heard up to a place.
    private func timeline(heard place: Nanoseconds, play: UInt64 = 1, from position: Nanoseconds = .zero) -> Timeline {
        var timeline = Timeline()
        timeline.place(.started(play: play))
        _ = timeline.append(play: play, position: position, duration: .seconds(10))
        _ = timeline.advance(to: place)
        return timeline
    }

    @Test("progress is told once a second")
    func progress() {
        var hearing = Hearing(.fast)
        #expect(hearing.progressNowAndThen(timeline(heard: Self.second - Nanoseconds(count: 1))) == nil)
        let told = hearing.progressNowAndThen(timeline(heard: Self.second, from: .seconds(5)))
        #expect(told == EngineProgress(play: 1, elapsed: .seconds(6), heard: .seconds(1)))
        #expect(hearing.progressNowAndThen(timeline(heard: .seconds(2) - Nanoseconds(count: 1))) == nil)
        #expect(hearing.progressNowAndThen(timeline(heard: .seconds(2)))?.heard == .seconds(2))
    }

    @Test("until a play is heard its place is shown as asked for, and afterwards as heard")
    func placeholder() {
        var hearing = Hearing(.realTime)
        hearing.expect(1, at: .seconds(7))
        let waiting = hearing.display(Timeline(), isPlaying: true, isPaused: false)
        #expect(waiting.progress == EngineProgress(play: 1, elapsed: .seconds(7), heard: .zero))
        #expect(waiting.lasts == .zero, "time doesn't pass before there is sound")
        let heard = timeline(heard: Self.second, from: .seconds(7))
        #expect(hearing.started(1, heard) == nil)
        let shown = hearing.display(heard, isPlaying: true, isPaused: false)
        #expect(shown.progress == EngineProgress(play: 1, elapsed: .seconds(8), heard: .seconds(1)))
        #expect(shown.lasts == .seconds(9))
        #expect(hearing.display(heard, isPlaying: true, isPaused: true).lasts == .zero)
        #expect(hearing.display(heard, isPlaying: false, isPaused: false).progress == nil)
    }

    @Test("the start of a play names the one before, whose last count is still to be told")
    func before() {
        var hearing = Hearing(.realTime)
        #expect(hearing.started(1, Timeline()) == nil)
        #expect(hearing.started(2, Timeline()) == 1)
        #expect(hearing.started(2, Timeline()) == nil, "it begins anew after a seek")
    }

    @Test("time is taken by the sound, unless all that plays is recorded or thrown away")
    func pace() {
        func mustChange(_ hearing: Hearing, for specifications: OutputSpecification...) -> Bool {
            let log = Logger(label: "test")
            let outputs = OutputSet(specifications.map { OutputThread($0, log: log) {} })
            defer { outputs.close(log: log) }
            return hearing.mustChangePace(for: outputs)
        }
        let fast = OutputSpecification(type: .null, name: "fast", sync: false)
        let file = OutputSpecification(type: .file, name: "file", path: TemporaryFolder().file("a.wav"))
        let clock = OutputSpecification(type: .null, name: "clock")
        var hearing = Hearing(.realTime)
        #expect(!mustChange(hearing, for: clock))
        #expect(!mustChange(hearing, for: file), "a recording alone has the length of the music")
        #expect(!mustChange(hearing, for: fast, clock))
        #expect(mustChange(hearing, for: fast, file))
        hearing.changePace()
        #expect(hearing.isUnpaced && hearing.due(Timeline()) == nil)
        #expect(!mustChange(hearing, for: fast))
        #expect(mustChange(hearing, for: clock))
    }
}

@Suite("A set of outputs")
struct OutputSetTests {
    private func block(_ start: Int, _ length: Int = 40) -> SampleBlock {
        let layout = SampleLayout(rate: 1000, channels: 1)
        return SampleBlock(
            start: .milliseconds(start), duration: .milliseconds(length), layout: layout,
            samples: [Float](repeating: 0, count: length))
    }

    /// An output that writes nothing before its time, as a recording.
    private func output(_ name: String = "a") -> OutputThread {
        let specification = OutputSpecification(type: .null, name: name, sync: false)
        return OutputThread(specification, log: Logger(label: "test")) {}
    }

    private func queue(_ output: OutputThread) -> [Int] {
        output.state.withLock { $0.queue.blocks.map { $0.start.milliseconds } }
    }

    @Test("gives every output what was mixed, once")
    func gives() {
        let outputs = [output(), output("b")]
        var set = OutputSet(outputs)
        set.append(block(1000))
        set.append(block(1040))
        #expect(outputs.map(queue) == [[], []])
        set.give(heard: .zero, limit: .zero)
        set.give(heard: .zero, limit: .zero)
        #expect(outputs.map(queue) == [[1000, 1040], [1000, 1040]])
        set.close(log: Logger(label: "test"))
    }

    @Test("an output that joins in gets what is still to be heard")
    func adopts() {
        let late = output("late")
        var set = OutputSet([output()])
        for start in [1000, 1040, 1080] { set.append(block(start)) }
        set.give(heard: .zero, limit: .zero)
        set.forget(heard: .milliseconds(1040))
        set.adopt(late, isPaused: false, heard: .milliseconds(1050), due: .zero)
        #expect(queue(late) == [1040, 1080])
        #expect(set.release(late, heard: .zero) == true)
        #expect(set.release(late, heard: .zero) == false, "it is gone")
        #expect(set.threads.count == 1)
        set.close(log: Logger(label: "test"))
        late.close()
    }

    @Test("what lies behind a place is withdrawn from all of them, but not once some of it is taken")
    func withdraws() {
        let output = output()
        var set = OutputSet([output])
        for start in [1000, 1040, 1080] { set.append(block(start)) }
        #expect(set.withdraw(from: .milliseconds(1040)) == false, "some sound isn't even given")
        set.give(heard: .zero, limit: .zero)
        #expect(set.withdraw(from: .milliseconds(1040)) == true)
        #expect(queue(output) == [1000])
        output.state.withLock { $0.queue.begunTo = .milliseconds(1040) }
        #expect(set.withdraw(from: .milliseconds(1000)) == false)
        set.close(log: Logger(label: "test"))
    }

    @Test("a cut discards what isn't heard, and says how much is written nevertheless")
    func flushes() {
        let output = output()
        var set = OutputSet([output])
        for start in [1000, 1040, 1080] { set.append(block(start)) }
        set.give(heard: .zero, limit: .zero)
        #expect(set.flush(heard: .milliseconds(1050)) == .milliseconds(30))
        #expect(queue(output) == [1000, 1040])
        let late = self.output("late")
        set.adopt(late, isPaused: false, heard: .zero, due: .zero)
        #expect(queue(late).isEmpty)
        set.close(log: Logger(label: "test"))
    }
}

@Suite("Loudness of songs")
struct LoudnessRuleTests {
    @Test("is that of the values that count, and of none when ReplayGain is off")
    func modes() {
        let values = ReplayGain(trackGain: -6, trackPeak: 0.5, albumGain: -12, albumPeak: 0.5)
        var loudness = Loudness(ReplayGainSettings())
        #expect(loudness.factor(for: values) == 1 && loudness.decibels(for: values) == 0 && !loudness.isOn)
        loudness.mode = .track
        #expect(abs(loudness.decibels(for: values) + 6) < 0.001)
        loudness.mode = .album
        #expect(abs(loudness.decibels(for: values) + 12) < 0.001 && loudness.isOn)
    }

    @Test("a crossfade's curve has no steps: no frame is further from the next than where the curve is steepest")
    func curve() throws {
        for isRising in [true, false] {
            var samples = [Float](repeating: 1, count: 4_000)
            Gain.applyCrossfade(&samples, channels: 1, from: 0, to: 1, isRising: isRising)
            let steps = zip(samples.dropFirst(), samples).map { abs($0 - $1) }
            #expect(try #require(steps.max()) < 1.1 * .pi / 2 / 4_000)
        }
    }
}
