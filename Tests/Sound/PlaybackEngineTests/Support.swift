import Coordination
import Foundation
import Glibc
import Logging
import MusicModel
import Outputs
import Playback
import SoundSamples
import Synchronization
import TestSupport
import Testing

@testable import AudioFiles
@testable import PlaybackEngine

/// All suites of real pipelines, one test at a time: several at once would disturb each other's timing.
@Suite(.serialized)
enum AudioTests {}

/// Opens a named pipe for reading; it holds more than is mixed ahead, so that a reader that is late loses nothing.
func openPipe(_ path: String) -> Int32 {
    let descriptor = open(path, O_RDONLY | O_NONBLOCK)
    let setsPipeSize: Int32 = 1031
    _ = fcntl(descriptor, setsPipeSize, 1 << 20)
    return descriptor
}

/// Opens songs by number from files on disk.
final class LocalProvider: TrackProvider {
    private let files: Mutex<[SongID: TrackFile]> = Mutex([:])

    func add(_ number: Int64, _ file: TrackFile) { files.withLock { $0[SongID(rawValue: number)] = file } }

    func add(_ number: Int64, path: String) {
        let size = (try? FileManager.default.attributesOfItem(atPath: path)[.size] as? Int64) ?? 0
        add(number, TrackFile(completePath: path, suffix: (path as NSString).pathExtension, size: size))
    }

    private let names: Mutex<[SongID: [TagValue]]> = Mutex([:])

    /// Says what is known of a song.
    func name(_ number: Int64, _ tags: [TagValue]) { names.withLock { $0[SongID(rawValue: number)] = tags } }

    func tags(of song: SongID) async -> [TagValue] { names.withLock { $0[song] ?? [] } }

    private let conversions: Mutex<[SongID: String]> = Mutex([:])

    /// Has a server convert a song to the file at a path.
    func convert(_ number: Int64, to path: String) {
        conversions.withLock { $0[SongID(rawValue: number)] = path }
    }

    func openConverted(_ song: SongID) async throws -> TrackFile {
        guard let path = conversions.withLock({ $0[song] }) else { throw TrackError("no server converts it") }
        let size = try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int64
        return TrackFile(completePath: path, suffix: "converted", isConverted: true, size: size ?? 0)
    }

    func remove(_ number: Int64) { files.withLock { $0[SongID(rawValue: number)] = nil } }

    func open(_ song: SongID) async throws -> TrackFile {
        guard let file = files.withLock({ $0[song] }) else { throw TrackError("no such song") }
        return file
    }

    func prefetch(_ songs: [SongID]) {}
}

/// Keeps what an engine reports and waits for parts of it.
final class EventLog: Sendable {
    private struct Seen {
        var events: [AudioEngineEvent] = []
        /// How many of the log's own marks have come.
        var marks = 0
    }

    private let seen = Monitor(Seen())
    private let task: Mutex<Task<Void, Never>?> = Mutex(nil)
    private let continuation: AsyncStream<AudioEngineEvent>.Continuation
    private let clock: VirtualEngineClock?

    init(_ engine: GStreamerEngine, _ clock: VirtualEngineClock? = nil) {
        let events = engine.events
        (continuation, self.clock) = (engine.continuation, clock)
        let collecting = Task.detached { [weak self] in
            for await event in events {
                guard let self else { return }
                self.seen.update { seen in
                    if case .progress(.max, _, _) = event { seen.marks += 1 } else { seen.events.append(event) }
                }
            }
        }
        task.withLock { $0 = collecting }
    }

    deinit { task.withLock { $0?.cancel() } }

    var all: [AudioEngineEvent] { seen.withLock { $0.events } }

    /// Waits until all that was reported so far is here.
    ///
    /// - Isolation: blocks the calling thread.
    func catchUp() {
        let marks = seen.withLock { $0.marks }
        guard case .enqueued = continuation.yield(.progress(play: .max, elapsed: .zero, heard: .zero)) else { return }
        _ = seen.wait(milliseconds: 60_000) { $0.marks > marks ? true : nil }
    }

    /// The events in short, without the ones that come by the clock.
    var summary: [String] {
        all.compactMap { event in
            switch event {
            case .started(let play): "started \(play)"
            case .finished(let play): "finished \(play)"
            case .failed(let play, _): "failed \(play)"
            case .seeked(let play, _, _): "seeked \(play)"
            default: nil
            }
        }
    }

    /// Waits for a report, by the virtual clock where there is one.
    func waits(for text: String, seconds: Double = 30) async -> Bool {
        guard let clock else { return await eventually(within: .seconds(seconds)) { self.summary.contains(text) } }
        return await clock.eventually(atRest: catchUp) { self.summary.contains(text) }
    }
}

/// Compares long runs of samples; `#expect` on the arrays themselves would work out their difference for minutes.
func isSame(_ heard: some Sequence<Int16>, _ expected: some Sequence<Int16>) -> Bool { heard.elementsEqual(expected) }

/// An engine with its songs and events.
struct Bench {
    /// How time passes for it.
    enum Time {
        /// Sound takes no time.
        case fast
        /// As for listeners, for what the device has to be there.
        case realTime
        /// As for listeners, but only while the test waits.
        case clock(VirtualEngineClock)

        /// The same by a clock of its own.
        static var virtual: Self { .clock(VirtualEngineClock()) }
    }

    let folder = TemporaryFolder()
    let provider = LocalProvider()
    let engine: GStreamerEngine
    let log: EventLog
    /// The clock that the test moves, if it has one.
    let clock: VirtualEngineClock?

    init(
        _ time: Time = .fast, outputFormat: AudioFormat? = Bench.sixteenBits,
        fades: FadeSettings = FadeSettings(), radio: RadioSettings = RadioSettings(),
        memoryBudget: MemoryBudget = .unlimited,
        outputs: (TemporaryFolder) -> [OutputSpecification] = Bench.fileOutput
    ) {
        _ = Self.isWarm
        var logger = Logger(label: "test")
        logger.logLevel = .critical
        if case .clock(let virtual) = time { clock = virtual } else { clock = nil }
        let pacing = if case .fast = time { GStreamerEngine.Pacing.fast } else { GStreamerEngine.Pacing.realTime }
        engine = GStreamerEngine(
            outputs: outputs(folder), provider: provider, log: logger, clock: clock ?? .monotonic, pacing: pacing,
            retryMilliseconds: 50, outputFormat: outputFormat, fades: fades, radio: radio, memoryBudget: memoryBudget)
        log = EventLog(engine, clock)
    }

    /// Lets time pass until a condition holds; by the virtual clock it is asked whenever all threads wait.
    func eventually(within limit: Duration? = nil, _ condition: @escaping () -> Bool) async -> Bool {
        guard let clock else {
            nonisolated(unsafe) let condition = condition
            return await TestSupport.eventually(within: limit ?? .seconds(30)) { condition() }
        }
        return await clock.eventually(within: limit ?? .seconds(600), atRest: log.catchUp, condition)
    }

    /// Lets so much time pass.
    func pass(_ length: Duration) async { _ = await eventually(within: length) { false } }

    /// Runs `body` on a thread that may rest by `sleep`.
    func startThread(_ name: String, _ body: @escaping @Sendable () -> Void) {
        let clock: any EngineClock = clock ?? .monotonic
        #expect(clock.startThread(name, body))
    }

    /// Lets a thread that `startThread` started rest for a while.
    func sleep(for length: Duration) {
        if let clock { clock.sleep(for: length) } else { usleep(useconds_t(length / .microseconds(1))) }
    }

    /// How far the track is that is heard, in seconds.
    var elapsed: Double { engine.progress.map { $0.elapsed / .seconds(1) } ?? -1 }

    /// Lets the track go on to a place.
    func reaches(_ seconds: Double) async -> Bool { await eventually { elapsed > seconds } }

    /// GStreamer's own start is not what the tests measure.
    private static let isWarm: Bool = {
        GStreamerLibrary.warmUp()
        return GStreamerLibrary.failure == nil
    }()

    /// What recordings are compared in, whatever the songs are made of.
    static let sixteenBits = AudioFormat(sampleRate: 0, sample: .integer(bits: 16), channels: 0)

    static func fileOutput(_ folder: TemporaryFolder) -> [OutputSpecification] {
        [OutputSpecification(type: .file, name: "Recording", path: folder.file("out.wav"))]
    }

    var recording: String { folder.file("out.wav") }

    /// Makes a song of noise and gives its samples.
    func song(_ number: Int64, frames: Int, rate: Int = 44100, channels: Int = 2) throws -> [Int16] {
        let samples = TestSound.noise(frames: frames, channels: channels, seed: UInt32(number))
        let path = folder.file("\(number).wav")
        try TestSound.write(samples, to: path, rate: rate, channels: channels)
        provider.add(number, path: path)
        return samples
    }

    func track(_ play: UInt64, song: Int64? = nil, replayGain: ReplayGain = ReplayGain()) -> EngineTrack {
        EngineTrack(play: play, source: .song(SongID(rawValue: song ?? Int64(play))), replayGain: replayGain)
    }

    func start(_ play: UInt64, at position: Duration = .zero, paused: Bool = false) {
        engine.start(track(play), at: position, paused: paused)
    }

    /// Plays song 1 and the one behind it, song 2 unless another is given, which is named before anything is heard:
    /// without a clock a song is over at once.
    func startJoined(with second: EngineTrack? = nil) {
        start(1, paused: true)
        engine.prepareNext(second ?? track(2))
        engine.setPaused(false)
    }

    /// Plays a song from a place on, once the one behind it is open; songs 1 and 2 unless others are given.
    func startBoth(at position: Duration, _ first: EngineTrack? = nil, _ second: EngineTrack? = nil) async {
        engine.start(first ?? track(1), at: position, paused: true)
        engine.prepareNext(second ?? track(2))
        #expect(await eventually { log.all.contains { if case .info(2, _, _, _) = $0 { true } else { false } } })
        engine.setPaused(false)
    }
}
