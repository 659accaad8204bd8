import Coordination
import Logging
import MusicModel
import Outputs
import Playback
import SoundSamples
import Synchronization
import TestSupport
import Testing

@testable import AudioFiles
@testable import AudioOutputs
@testable import PlaybackEngine

/// Opens songs, but some of them only once they are let through.
private final class Gate: TrackProvider {
    let songs = LocalProvider()
    private let closed: Mutex<Set<SongID>>

    init(closedFor number: Int64) { closed = Mutex([SongID(rawValue: number)]) }

    func letThrough() { closed.withLock { $0 = [] } }

    func open(_ song: SongID) async throws -> TrackFile {
        while closed.withLock({ $0.contains(song) }) { try await Task.sleep(for: .milliseconds(5)) }
        return try await songs.open(song)
    }

    func prefetch(_ songs: [SongID]) {}
}

extension AudioTests {
    /// How time passes, and what is told of it.
    @Suite(.timeLimit(.minutes(3)))
    struct PaceTests {
        @Test("a null output without sync lets a recording take no time, and every sample is in it")
        func takesNoTime() async throws {
            let bench = Bench(.virtual) { folder in
                [OutputSpecification(type: .null, name: "Nothing", sync: false)] + Bench.fileOutput(folder)
            }
            // More than five minutes; the test would be over before.
            let long = try bench.song(1, frames: 8000 * 320, rate: 8000, channels: 1)
            let short = try bench.song(2, frames: 900, rate: 8000, channels: 1)
            bench.start(1)
            bench.engine.prepareNext(bench.track(2))
            #expect(await bench.log.waits(for: "finished 2"))
            await bench.engine.shutDown()
            let recorded = try TestSound.read(bench.recording)
            #expect(recorded.rate == 8000)
            #expect(isSame(recorded.samples, long + short))
        }

        @Test("with an output that takes its time beside it, a null output without sync does so too")
        func waitsForOthers() async throws {
            let bench = Bench(.virtual) { folder in
                [
                    OutputSpecification(type: .null, name: "Nothing", sync: false),
                    OutputSpecification(type: .null, name: "Clock"),
                ] + Bench.fileOutput(folder)
            }
            _ = try bench.song(1, frames: 8000 * 320, rate: 8000, channels: 1)
            bench.start(1)
            #expect(await bench.log.waits(for: "started 1"))
            // As soon as the clock no longer counts the rest takes no time, and from then on it counts again.
            #expect(bench.log.summary == ["started 1"])
            bench.engine.setOutput(1, enabled: false)
            #expect(await bench.log.waits(for: "finished 1"))
            await bench.engine.shutDown()
        }

        @Test("a song's whole time is told even if the next one joins after it has fallen silent")
        func countsAll() async throws {
            let folder = TemporaryFolder()
            let provider = Gate(closedFor: 2)
            for number in [1, 2] as [Int64] {
                let path = folder.file("\(number).wav")
                try TestSound.write(TestSound.noise(frames: 20_000), to: path)
                provider.songs.add(number, path: path)
            }
            let engine = GStreamerEngine(
                outputs: Bench.fileOutput(folder), provider: provider, log: Logger(label: "test"), pacing: .fast)
            let log = EventLog(engine)
            engine.start(
                EngineTrack(play: 1, source: .song(SongID(rawValue: 1)), replayGain: ReplayGain()), at: .zero,
                paused: true)
            engine.prepareNext(EngineTrack(play: 2, source: .song(SongID(rawValue: 2)), replayGain: ReplayGain()))
            engine.setPaused(false)
            #expect(
                await eventually {
                    log.all.contains { if case .buffering(play: 2, true) = $0 { true } else { false } }
                })
            provider.letThrough()
            #expect(await log.waits(for: "finished 2"))
            let told = log.all.compactMap { event in
                if case .progress(play: 1, elapsed: _, heard: let heard) = event { heard } else { nil }
            }
            #expect(told.last.map { abs($0 / .seconds(1) - 20_000.0 / 44100) < 0.0001 } ?? false)
            await engine.shutDown()
        }
    }
}

/// The pace beside a device that has stood still.
@Suite
struct PacerTests {
    /// What a device says that has come so far at a moment at which it still moves.
    private func device(_ place: Nanoseconds, at now: Nanoseconds) -> OutputThread.Report {
        var report = OutputThread.Report(isEnabled: true, isLive: true)
        report.begunAt = now - .seconds(9)
        (report.playedTo, report.playedAt, report.movedAt) = (place, now, now)
        return report
    }

    @Test("a device that comes back behind the others leaves out all that they have played since")
    func catchesUp() {
        var now = Nanoseconds.seconds(100)
        var pacer = Pacer(at: now)
        var timeline = Timeline()
        _ = timeline.append(play: 1, position: .zero, duration: .seconds(20))
        _ = timeline.advance(to: .seconds(5))
        let clock = OutputThread.Report(isEnabled: true)
        #expect(pacer.pace(timeline, [device(.seconds(5), at: now), clock], at: now).heard == .seconds(5))
        // The engine comes here three times a second; in between the clock has gone on for all others.
        now += .milliseconds(300)
        let pace = pacer.pace(timeline, [device(.milliseconds(4_950), at: now), clock], at: now)
        #expect(pace.heard == .milliseconds(5_300))
        #expect(pace.orders == [.catchUp(0, lag: .milliseconds(350))])
    }

    @Test("a device whose output comes late plays no further than it was given sound")
    func playsWhatItHas() {
        let now = Nanoseconds.seconds(100)
        var pacer = Pacer(at: now - .seconds(9))
        var timeline = Timeline()
        _ = timeline.append(play: 1, position: .zero, duration: .milliseconds(5_200))
        _ = timeline.advance(to: .seconds(5))
        var late = device(.seconds(5), at: now - .milliseconds(200))
        (late.takenTo, late.queued) = (.milliseconds(5_050), .milliseconds(150))
        #expect(pacer.pace(timeline, [late], at: now).heard == .milliseconds(5_050))
        (late.takenTo, late.queued) = (.milliseconds(5_200), .zero)
        #expect(pacer.pace(timeline, [late], at: now).heard == .milliseconds(5_200))
    }

    /// How far has been heard at moments, each 100 ms after the one before, beside a device whose place `device` says.
    private func places(
        _ moments: Int, isAlone: Bool = false, _ device: (Int, Nanoseconds) -> Nanoseconds?
    ) -> (places: [Nanoseconds], stalledAt: Int?) {
        let begin = Nanoseconds.seconds(100)
        var outputs = [OutputThread.Report(isEnabled: true, isLive: true)]
        if !isAlone { outputs.append(OutputThread.Report(isEnabled: true)) }
        outputs[0].waitingSince = begin
        var pacer = Pacer(at: begin)
        var timeline = Timeline()
        _ = timeline.append(play: 1, position: .zero, duration: .seconds(20))
        var (places, stalledAt) = ([Nanoseconds](), Int?.none)
        for step in 1...moments {
            let now = begin + .milliseconds(100 * step)
            if stalledAt == nil { outputs[0].notePlace(device(step, now), isDry: false, at: now) }
            let pace = pacer.pace(timeline, outputs, at: now)
            _ = timeline.advance(to: pace.heard)
            places.append(timeline.heard)
            if stalledAt == nil, pace.orders == [.stall(0)] {
                (stalledAt, outputs[0].problem) = (step, "stalled")
            }
        }
        return (places, stalledAt)
    }

    @Test("a device that plays sets the pace, and one that runs slow is slow for all")
    func follows() {
        let (places, stalledAt) = places(50) { step, _ in .milliseconds(99 * step) }
        #expect(places == (1...50).map { .milliseconds(99 * $0) })
        #expect(stalledAt == nil)
    }

    @Test("a device that never begins is waited for, then the clock goes on without it, and then it is out of play")
    func neverBegins() {
        let (places, stalledAt) = places(70) { _, _ in nil }
        #expect(places[13] == .zero, "1.4 seconds")
        #expect(places[15] > .zero && places[69] - places[15] == .milliseconds(5400))
        #expect(stalledAt == 61)
    }

    @Test("a device that stands still from its beginning is out of play after three and a half seconds")
    func standsStillAtFirst() {
        let (_, stalledAt) = places(50, isAlone: true) { _, _ in .milliseconds(40) }
        #expect(stalledAt == 36)
    }

    @Test("a device that stands still after it has played is out of play after a second and a half")
    func standsStill() {
        let (places, stalledAt) = places(60, isAlone: true) { step, _ in .milliseconds(100 * min(step, 40)) }
        #expect(stalledAt == 55)
        #expect(places[39] == .seconds(4) && places[53] == .seconds(4), "nothing goes on without it")
        #expect(places[59] > .seconds(4))
    }

    @Test("beside another output a device that stands still is waited for no longer than for a gap")
    func goesOnBeside() {
        let (places, stalledAt) = places(60) { step, _ in .milliseconds(100 * min(step, 40)) }
        #expect(stalledAt == 55)
        #expect(places[40] <= .milliseconds(4150) && places[49] >= .milliseconds(4800))
    }
}
